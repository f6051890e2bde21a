// A queue as a program leaves it that recorded two sources and delivered a little: 634 points wait in 20 chunks and in
// readings that are not sealed, one chunk was split and half of it refused. And the points that such a queue delivers.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openQueue, type Queue } from '../../../src-main/queue/store/queue.ts';
import { memoryFolder } from '../temp-folder.ts';
import { openRecorder } from './small-queue.ts';

/** When it is opened, Unix milliseconds. */
export const OPENED_MS = Date.UTC(2026, 10, 21);
const START_MS = Date.UTC(2026, 10, 20, 6);
const SOURCES = ['chamber-log', 'pyrometer'] as const;
const CAPTURES_EACH = 25;
const ROWS_EACH = 5;

/** Row n of all has the values n, n + 0.25, and n + 0.5; the last one is missing in each seventh row. */
function block(firstRow: number, timeMs: number) {
  const timesMs = Float64Array.from({ length: ROWS_EACH }, (_, i) => timeMs + 100 * i);
  const values = Float64Array.from({ length: 3 * ROWS_EACH }, (_, at) => {
    const row = firstRow + Math.floor(at / 3);
    return at % 3 === 2 && row % 7 === 0 ? Number.NaN : row + (at % 3) / 4;
  });
  return { channels: ['Ga', 'In', 'As'], timesMs, values };
}

/** Settle the first chunks of a stream. */
function deliver(queue: Queue): void {
  const next = () => queue.nextChunk(1)?.id as number;
  for (let count = 0; count < 2; count++) queue.acknowledge(next(), START_MS + 50_000);
  queue.split(next());
  queue.refuse(next(), START_MS + 50_000, 'units missing');
}

async function build(path: string): Promise<void> {
  const queue = openQueue(path, { reserveBytes: 0 });
  let nowMs = START_MS;
  let streams = 0;
  const clock = { nowMs: () => nowMs, monotonicMs: () => 0, sleep: () => new Promise<void>(() => {}) };
  const rule = { pointsPerChunk: 20, rollover: 'growth', closeAfterQuietMs: null } as const;
  const names = { toolName: 'MBE-1', makeNonce: () => `f1xt${streams++}` };
  const recorder = await openRecorder(queue, clock, rule, names);
  for (let capture = 0; capture < SOURCES.length * CAPTURES_EACH; capture++) {
    nowMs += 1000;
    const row = capture * ROWS_EACH;
    if (capture === 49) recorder.gap('pyrometer', nowMs - 5000, nowMs - 2000, 'unplugged');
    await recorder.capture(SOURCES[Math.floor(capture / CAPTURES_EACH)] as string, {
      blocks: [block(row, nowMs)],
      positions: [{ key: 'f', value: String(row + ROWS_EACH) }],
      rowsRead: ROWS_EACH,
      refusals: [],
      refusedCount: 0,
      origin: 'live',
    });
  }
  queue.addEvent({ atMs: nowMs, level: 'info', code: 'agent.started', message: 'sample', hint: '' });
  deliver(queue);
  queue.close();
}

async function readBuilt(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'sample-queue-'));
  try {
    const path = join(folder, 'queue.db');
    await build(path);
    return readFileSync(path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const bytes = await readBuilt();

/** A copy of it in a folder of its own. */
export function queueFile(folder = memoryFolder('sample-queue')): { folder: string; path: string } {
  const path = join(folder, 'queue.db');
  writeFileSync(path, bytes, { mode: 0o600 });
  return { folder, path };
}

/** Waiting points of a stream, by index and channel, as they would go out. */
export function waiting(path: string): string[] {
  const queue = openQueue(path, { reserveBytes: 0 });
  const out: string[] = [];
  for (const { id } of queue.uploadStreams()) {
    for (let chunk = queue.nextChunk(id); chunk; chunk = queue.nextChunk(id)) {
      out.push(`${id} ${chunk.index} ${chunk.channels.map((c) => `${c.name}:${[...c.values]}`)}`);
      queue.acknowledge(chunk.id, OPENED_MS);
    }
  }
  queue.close();
  return out;
}
