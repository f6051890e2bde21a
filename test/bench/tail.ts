// Figures of reading logs: `npm run bench -- tail`. A log of 20 columns and one of 117, read in three ways, in turns, in one
// run: by the log source from the file to the sink (look, identity, lines, stamps with a zone, values, refusals, the bytes
// for receipts), by csv-parse with numbers, by a plain split with Number(), each in a process of its own. All must find the same
// values. Nothing is asserted about times: figures depend on the machine, so read the ratios; processor time is steadier than the clock.
import { execFileSync } from 'node:child_process';
import { createReadStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse as parseCsv } from 'csv-parse';
import { openLogSource } from '../../src-main/sources/log/log-source.ts';

const FILE_BYTES = 64 * 1024 * 1024;
const ROUNDS = Number(process.env.EPISTREAM_ROUNDS ?? 7);

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

function makeLog(columns: number): string {
  const parts = [`time,${Array.from({ length: columns - 1 }, (_, i) => `channel ${i + 1}`).join(',')}\n`];
  for (let row = 0, bytes = 0; bytes < FILE_BYTES; row++) {
    const time = new Date(1_790_000_000_000 + row * 1001).toISOString().replace('T', ' ').replace('Z', '');
    const line = `${time},${Array.from({ length: columns - 1 }, (__, column) => cellOf(row, column)).join(',')}\n`;
    parts.push(line);
    bytes += line.length;
  }
  return parts.join('');
}

/** What a way has found; the ways must agree. */
interface Found {
  points: number;
  valueSum: number;
  timeSum: number;
}

/** The source as the agent runs it, with a sink that only counts. */
async function readByTail(folder: string): Promise<Found> {
  const found: Found = { points: 0, valueSum: 0, timeSum: 0 };
  const sink = {
    positions: async () => new Map<string, string>(),
    declare: () => undefined,
    note: () => undefined,
    gap: () => undefined,
    capture: async ({ blocks }: { blocks: readonly { timesMs: Float64Array; values: Float64Array }[] }) => {
      for (const { timesMs, values } of blocks) {
        for (let i = 0; i < values.length; i++) {
          const value = values[i] as number;
          if (!Number.isNaN(value)) {
            found.points += 1;
            found.valueSum += value;
          }
        }
        for (let i = 0; i < timesMs.length; i++) found.timeSum += timesMs[i] as number;
      }
    },
  };
  const settings = { id: 'log', match: '*.csv', dialect: 'auto', timeZone: 'UTC', backfill: 'all' } as const;
  await openLogSource({ ...settings, path: folder, isDrain: true }).run(sink, new AbortController().signal);
  return found;
}

/** What most programs do. An empty cell would be 0, and no zone but UTC is known; here it only sets the pace. */
async function readBySplit(folder: string): Promise<Found> {
  const found: Found = { points: 0, valueSum: 0, timeSum: 0 };
  const lines = readFileSync(join(folder, 'log.csv'), 'utf8').split('\n');
  for (let row = 1; row < lines.length; row++) {
    const line = lines[row] as string;
    if (line === '') continue;
    const cells = line.split(',');
    found.timeSum += Date.parse(`${cells[0]}Z`);
    for (let i = 1; i < cells.length; i++) {
      if (cells[i] === '') continue;
      found.points += 1;
      found.valueSum += Number(cells[i]);
    }
  }
  return found;
}

async function readByCsvParse(folder: string): Promise<Found> {
  const found: Found = { points: 0, valueSum: 0, timeSum: 0 };
  const records = createReadStream(join(folder, 'log.csv')).pipe(parseCsv({ from_line: 2 }));
  for await (const cells of records as AsyncIterable<string[]>) {
    found.timeSum += Date.parse(`${cells[0]}Z`);
    for (let i = 1; i < cells.length; i++) {
      if (cells[i] === '') continue;
      found.points += 1;
      found.valueSum += Number(cells[i]);
    }
  }
  return found;
}

const WAYS = {
  'log source': readByTail,
  'split + Number': readBySplit,
  'csv-parse + Number': readByCsvParse,
} as const;
type Way = keyof typeof WAYS;
const ways = Object.keys(WAYS) as Way[];

/** What one process measured of one way: medians over its rounds. */
interface Measured {
  readonly found: Found;
  readonly wallMs: number;
  readonly cpuMs: number;
}

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/** In a process of its own, so that no way pays for what another left in memory. */
async function measureHere(way: Way, folder: string): Promise<Measured> {
  const wallMs: number[] = [];
  const cpuMs: number[] = [];
  // The first round warms up.
  let found = await WAYS[way](folder);
  for (let round = 0; round < ROUNDS; round++) {
    const beganMs = performance.now();
    const began = process.cpuUsage();
    found = await WAYS[way](folder);
    const { user, system } = process.cpuUsage(began);
    wallMs.push(performance.now() - beganMs);
    cpuMs.push((user + system) / 1000);
  }
  return { found, wallMs: median(wallMs), cpuMs: median(cpuMs) };
}

function measure(columns: number): void {
  const folder = mkdtempSync(join(tmpdir(), 'epistream-bench-'));
  try {
    writeFileSync(join(folder, 'log.csv'), makeLog(columns));
    const measured = ways.map((way) => {
      const printed = execFileSync(process.execPath, [import.meta.filename, way, folder], { encoding: 'utf8' });
      return JSON.parse(printed) as Measured;
    });
    const same = ({ found }: Measured) => `${found.points} ${found.valueSum.toPrecision(9)} ${found.timeSum}`;
    for (const [at, one] of measured.entries()) {
      const first = same(measured[0] as Measured);
      if (same(one) !== first) throw new Error(`${ways[at]} found ${same(one)}, ${ways[0]} ${first}`);
    }
    tell(columns, measured);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function tell(columns: number, measured: readonly Measured[]): void {
  const million = (measured[0]?.found.points ?? 0) / 1e6;
  const base = measured[ways.indexOf('split + Number')] as Measured;
  console.log(`\n${columns} columns, ${million.toFixed(1)} million points, median of ${ROUNDS} rounds\n`);
  console.log('| way | million points/s | CPU ms per million points | times split + Number, clock | CPU |');
  console.log('|---|---|---|---|---|');
  for (const [at, { wallMs, cpuMs }] of measured.entries()) {
    const rate = (million / (wallMs / 1000)).toFixed(1);
    const cpu = (cpuMs / million).toFixed(0);
    const ratios = [base.wallMs / wallMs, base.cpuMs / cpuMs].map((ratio) => ratio.toFixed(2));
    console.log(`| ${ways[at]} | ${rate} | ${cpu} | ${ratios.join(' | ')} |`);
  }
}

const [way, folder] = process.argv.slice(2);
if (way !== undefined && way in WAYS) console.log(JSON.stringify(await measureHere(way as Way, folder ?? '')));
else for (const columns of [20, 117]) measure(columns);
