// Figures of reading logs: `n24 test/bench/tail.ts`. Parse alone, against a plain split with Number(), and the whole way
// from file to sink; a log of 20 columns and one of 117. Nothing is asserted: figures depend on the machine.
import { Buffer } from 'node:buffer';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Bench } from 'tinybench';
import { Dialect } from '../../src-main/model/dialect.ts';
import { openLogSource } from '../../src-main/sources/log/log-source.ts';
import { recogniseLayout } from '../../src-main/sources/log/recognise.ts';
import { RowParser } from '../../src-main/sources/log/row-parser.ts';

const BLOCK_BYTES = 256 * 1024;

/** Values as instruments write them: integers, short and long decimals, exponents, now and then an empty cell. */
function cellOf(row: number, column: number): string {
  const wave = Math.sin(row / 50 + column);
  switch (column % 6) {
    case 0:
      return String(Math.round(wave * 100));
    case 1:
      return (20 + wave).toFixed(2);
    case 2:
      return (100 + wave).toFixed(10);
    case 3:
      return (wave * wave * 1e-8 + 1e-9).toExponential(2);
    case 4:
      return row % 50 === 0 ? '' : wave.toFixed(4);
    default:
      return '0';
  }
}

function makeLog(columns: number, rows: number): { head: string; text: string } {
  const head = `time,${Array.from({ length: columns - 1 }, (_, i) => `channel ${i + 1}`).join(',')}\n`;
  const lines = Array.from({ length: rows }, (_, row) => {
    const time = new Date(1_790_000_000_000 + row * 1001).toISOString().replace('T', ' ').replace('Z', '');
    return `${time},${Array.from({ length: columns - 1 }, (__, column) => cellOf(row, column)).join(',')}\n`;
  });
  return { head, text: lines.join('') };
}

/** What most programs do. It is wrong where a cell is empty (0) and knows no zone; here it only sets the pace. */
function splitPlainly(text: string, columns: number): number {
  let sum = 0;
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const cells = line.split(',');
    sum += Date.parse(`${cells[0]}Z`);
    for (let i = 1; i < columns; i++) sum += Number(cells[i]);
  }
  return sum;
}

async function measure(columns: number): Promise<void> {
  const { head, text } = makeLog(columns, Math.ceil((BLOCK_BYTES * 8) / (columns * 8)));
  const bytes = Buffer.from(text);
  const recognised = recogniseLayout(
    {
      bytes: Buffer.from(head + text.slice(0, 60_000)),
      path: 'log.csv',
      laterLines: [],
      settledFormat: null,
      modifiedMs: 0,
    },
    Dialect.parse({}),
    'Europe/Berlin',
  );
  if (!('layout' in recognised)) throw new Error(recognised.message);
  const parser = new RowParser(recognised.layout);
  const block = { bytes, place: '', line: null, sinceMs: -Infinity, fileByteOf: (at: number) => at };
  const points = parser
    .parse(block, recognised.kinds, Number.NaN)
    .values.filter((value) => !Number.isNaN(value)).length;

  const bench = new Bench({ time: 2000, warmupTime: 500 });
  bench.add('bytes to readings', () => {
    parser.parse(block, recognised.kinds, Number.NaN);
  });
  bench.add('split and Number', () => {
    splitPlainly(bytes.toString('utf8'), columns);
  });
  await bench.run();
  const perRun = bench.tasks.map(({ result }) => (result && 'latency' in result ? result.latency.p50 : Number.NaN));
  const [own = Number.NaN, plain = Number.NaN] = perRun;
  const rate = (ms: number) => `${((points / ms) * 1e-3).toFixed(1)} million points/s`;
  console.log(
    `${columns} columns: bytes to readings ${rate(own)}, split and Number ${rate(plain)}, ${(plain / own).toFixed(2)} times`,
  );
  await measureTail(columns, head, text, points);
}

async function measureTail(columns: number, head: string, text: string, points: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'epistream-bench-'));
  const copies = 12;
  writeFileSync(join(folder, 'log.csv'), head + text.repeat(copies));
  let rows = 0;
  const sink = {
    positions: () => Promise.resolve(new Map<string, string>()),
    declare: () => undefined,
    note: () => undefined,
    gap: () => undefined,
    capture: (capture: { rowsRead: number }) => {
      rows += capture.rowsRead;
      return Promise.resolve();
    },
  };
  const base = { id: 'log', match: '*.csv', dialect: 'auto', timeZone: 'Europe/Berlin', backfill: 'all' } as const;
  const began = performance.now();
  const cpu = process.cpuUsage();
  await openLogSource({ ...base, path: folder, isDrain: true }).run(sink, new AbortController().signal);
  const tookMs = performance.now() - began;
  const { user, system } = process.cpuUsage(cpu);
  rmSync(folder, { recursive: true });
  const million = (points * copies) / 1e6;
  console.log(
    `${columns} columns: file to sink ${(million / (tookMs / 1000)).toFixed(1)} million points/s, ` +
      `${((user + system) / 1000 / million).toFixed(0)} ms CPU per million points, ${rows} rows`,
  );
}

await measure(20);
await measure(117);
