// The same way in plain Node, without what makes it safe to leave alone: no identity of files, no dialects, no gaps, no
// receipts, no account of what is lost. One thread: bytes into numbers, packed rows, SQLite with a log of its own and
// synchronous=FULL, chunks as JSON over undici, one request under way. It is what the agent is measured against.
//
//   reference-process.ts LOG DATABASE URL ROWS_A_CHUNK drain|run
//
// It prints "started" when it begins; `drain` ends when the log is sent to its end, `run` follows the log: ten times a
// second, or a hundred times where each row is a chunk.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import SQLite from 'better-sqlite3';
import { Agent, request } from 'undici';

const BLOCK_BYTES = 1024 * 1024;
const RETRY_MS = 1000;
const [logPath = '', databasePath = '', url = '', rowsAChunk = '1000', mode = 'run'] = process.argv.slice(2);
const chunkRows = Number(rowsAChunk);
const lookMs = chunkRows === 1 ? 10 : 100;
const isDrain = mode === 'drain';

const database = new SQLite(databasePath);
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');
database.exec(
  `CREATE TABLE IF NOT EXISTS rows_waiting (id INTEGER PRIMARY KEY, rows INTEGER NOT NULL, data BLOB NOT NULL);
   CREATE TABLE IF NOT EXISTS state (key TEXT PRIMARY KEY, value INTEGER NOT NULL);`,
);
const addRows = database.prepare('INSERT INTO rows_waiting (rows, data) VALUES (?, ?)');
const nextRows = database.prepare('SELECT id, rows, data FROM rows_waiting ORDER BY id LIMIT 200');
const dropRows = database.prepare('DELETE FROM rows_waiting WHERE id <= ?');
const cutRows = database.prepare('UPDATE rows_waiting SET rows = ?, data = ? WHERE id = ?');
const setState = database.prepare('INSERT OR REPLACE INTO state (key, value) VALUES (?, ?)');

const powers = Float64Array.from({ length: 23 }, (_, power) => Number(`1e${power}`));
const block = Buffer.allocUnsafe(BLOCK_BYTES);
let names: string[] = [];
let position = 0;

const digits = (bytes: Buffer, at: number, count: number) => {
  let value = 0;
  for (let i = at; i < at + count; i++) value = value * 10 + (bytes[i] as number) - 48;
  return value;
};

/** `2025-11-20 12:34:56.789`, UTC, milliseconds. */
let day = '';
let dayMs = 0;
function stampMs(bytes: Buffer, at: number): number {
  const text = bytes.toString('latin1', at, at + 10);
  if (text !== day) [day, dayMs] = [text, Date.parse(`${text}T00:00:00Z`)];
  const seconds = digits(bytes, at + 11, 2) * 3600 + digits(bytes, at + 14, 2) * 60 + digits(bytes, at + 17, 2);
  return dayMs + seconds * 1000 + digits(bytes, at + 20, 3);
}

/** Rows of a piece of the log, each its time and its values, packed as doubles. */
function parse(bytes: Buffer, end: number): { rows: number; data: Buffer } {
  const width = names.length + 1;
  const numbers = new Float64Array(Math.ceil(end / (2 * width)) * width);
  let [rows, out, at] = [0, 0, 0];
  while (at < end) {
    numbers[out++] = stampMs(bytes, at);
    at = bytes.indexOf(44, at) + 1;
    for (let column = 1; column < width; column++) {
      const from = at;
      const isNegative = bytes[at] === 45;
      if (isNegative) at += 1;
      let [mantissa, exponent, isFraction] = [0, 0, false];
      let byte = bytes[at] as number;
      for (; (byte >= 48 && byte <= 57) || byte === 46; byte = bytes[++at] as number) {
        if (byte === 46) isFraction = true;
        else {
          mantissa = mantissa * 10 + byte - 48;
          if (isFraction) exponent -= 1;
        }
      }
      if ((byte | 32) === 101) {
        const isBelow = bytes[at + 1] === 45;
        at += bytes[at + 1] === 45 || bytes[at + 1] === 43 ? 2 : 1;
        let power = 0;
        for (byte = bytes[at] as number; byte >= 48 && byte <= 57; byte = bytes[++at] as number)
          power = power * 10 + byte - 48;
        exponent += isBelow ? -power : power;
      }
      const isExact = mantissa < 2 ** 53 && exponent >= -22 && exponent <= 22;
      if (!isExact) numbers[out++] = Number(bytes.toString('latin1', from, at));
      else {
        const size = exponent < 0 ? mantissa / (powers[-exponent] as number) : mantissa * (powers[exponent] as number);
        numbers[out++] = isNegative ? -size : size;
      }
      at += 1;
    }
    rows += 1;
  }
  return { rows, data: Buffer.from(numbers.buffer, 0, out * 8) };
}

const store = database.transaction((rows: number, data: Buffer, byte: number) => {
  addRows.run(rows, data);
  setState.run('byte', byte);
});

/** Read what was appended, a block. Returns false at the end. */
function readSome(file: number): boolean {
  const sizeBytes = fstatSync(file).size;
  if (sizeBytes <= position) return false;
  const read = readSync(file, block, 0, BLOCK_BYTES, position);
  const end = block.subarray(0, read).lastIndexOf(10) + 1;
  if (end === 0) return false;
  let begin = 0;
  if (names.length === 0) {
    begin = block.indexOf(10) + 1;
    names = block
      .toString('latin1', 0, begin - 1)
      .split(',')
      .slice(1);
  }
  position += end;
  const { rows, data } = parse(block.subarray(begin, end), end - begin);
  if (rows > 0) store(rows, data, position);
  return true;
}

interface Waiting {
  readonly id: number;
  readonly rows: number;
  readonly data: Buffer;
}

const agent = new Agent({ pipelining: 1 });
let dataId = '';
let chunkIndex = 0;

const numbersOf = ({ data, rows }: Waiting) =>
  new Float64Array(data.buffer.slice(data.byteOffset, data.byteOffset + rows * (names.length + 1) * 8));

/** The oldest rows that wait as a chunk; null when they fill none. `last`: what is there goes out, however short. */
function nextChunk(last: boolean) {
  const width = names.length + 1;
  const taken: { one: Waiting; rows: number; numbers: Float64Array }[] = [];
  let rows = 0;
  for (const one of nextRows.iterate() as Iterable<Waiting>) {
    const count = Math.min(one.rows, chunkRows - rows);
    taken.push({ one, rows: count, numbers: numbersOf(one) });
    rows += count;
    if (rows === chunkRows) break;
  }
  if (rows === 0 || (rows < chunkRows && !last)) return null;
  const columns = Array.from({ length: width }, () => new Float64Array(rows));
  let at = 0;
  for (const { rows: count, numbers } of taken) {
    for (let row = 0; row < count; row++, at++) {
      for (let column = 0; column < width; column++)
        (columns[column] as Float64Array)[at] = numbers[row * width + column] as number;
    }
  }
  const [times = new Float64Array()] = columns;
  const stamps = `[${times.map((ms) => ms / 1000).join(',')}]`;
  const channels = names.map(
    (name, at) => `${JSON.stringify(name)}:{"timestamps":${stamps},"values":[${columns[at + 1]?.join(',')}]}`,
  );
  const body = `{"data_id":"${dataId}","chunk_index":${chunkIndex},"channels":{${channels.join(',')}}}`;
  return { body, taken };
}

const forget = database.transaction((taken: NonNullable<ReturnType<typeof nextChunk>>['taken']) => {
  const last = taken.at(-1);
  if (!last) return;
  const isWhole = last.rows === last.one.rows;
  dropRows.run(isWhole ? last.one.id : last.one.id - 1);
  if (!isWhole) {
    const rest = last.one.data.subarray(last.rows * (names.length + 1) * 8);
    cutRows.run(last.one.rows - last.rows, rest, last.one.id);
  }
  setState.run('chunk', chunkIndex + 1);
});

/** Send a request until it is taken. */
async function post(path: string, body: string): Promise<unknown> {
  for (;;) {
    try {
      const headers = { 'content-type': 'application/json', 'X-API-KEY': 'reference' };
      const answer = await request(`${url}${path}`, { dispatcher: agent, method: 'POST', headers, body });
      const said: unknown = await answer.body.json();
      if (answer.statusCode < 300) return said;
    } catch {
      // It is away: the same again after a moment.
    }
    await setTimeout(RETRY_MS);
  }
}

let isRead = false;
let wake: () => void = () => undefined;

async function send(): Promise<void> {
  for (;;) {
    const isOver = isRead;
    const chunk = names.length === 0 ? null : nextChunk(isOver);
    if (!chunk) {
      if (isOver) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      continue;
    }
    dataId ||= ((await post('/initialize/', '{}')) as { data_id: string }).data_id;
    await post('/chunk/multi/', chunk.body.replace('"data_id":""', `"data_id":"${dataId}"`));
    forget(chunk.taken);
    chunkIndex += 1;
  }
}

console.log('reference started');
const file = openSync(logPath, 'r');
const sent = send();
for (;;) {
  while (readSome(file)) {
    wake();
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (isDrain) break;
  await setTimeout(lookMs);
}
isRead = true;
wake();
await sent;
closeSync(file);
database.close();
await agent.close();
