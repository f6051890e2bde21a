// Logs that are rotated by the programs that laboratories have: handlers of Python's `logging`, and logrotate.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { openLogSource } from '../../../src-main/sources/log/log-source.ts';
import { tempFolder } from '../temp-folder.ts';
import { MemorySink, runToEnd } from './log-sink.ts';

const TOOL = join(import.meta.dirname, 'rotating_tool.py');
const ROWS = 600;
const WAYS = {
  RotatingFileHandler: ['python-size'],
  TimedRotatingFileHandler: ['python-time'],
  'RotatingFileHandler that compresses': ['python-gzip'],
  'logrotate, create': ['logrotate', 'create'],
  'logrotate, dateext': ['logrotate', 'create', 'dateext', 'dateformat -%Y%m%d-%s'],
  'logrotate, extension': ['logrotate', 'create', 'extension .csv'],
  'logrotate, start 0': ['logrotate', 'create', 'start 0'],
  'logrotate, delaycompress': ['logrotate', 'create', 'compress', 'delaycompress'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type Rotator = keyof typeof WAYS;
export const ROTATORS = Object.keys(WAYS) as Rotator[];

const run = promisify(execFile);

/** What keeps a program from rotating here; null when nothing does. */
export function findRotatorObstacle(rotators: readonly Rotator[]): string | null {
  const isNeeded = rotators.some((rotator) => WAYS[rotator][0] === 'logrotate');
  return isNeeded && !existsSync('/usr/sbin/logrotate') ? 'needs logrotate (apt-get install logrotate)' : null;
}

/** Read logs while they are rotated, side by side: each row comes once, in order. */
export async function readRotated(logs: readonly (readonly [Rotator, match: string])[]): Promise<void> {
  const read = await Promise.all(logs.map(async ([rotator, match]) => [rotator, match, await readOne(rotator, match)]));
  const rows = Array.from({ length: ROWS }, (_, n) => n + 1);
  expect(read).toEqual(logs.map(([rotator, match]) => [rotator, match, { cell: rows }]));
}

async function readOne(rotator: Rotator, match: string): Promise<Record<string, number[]>> {
  const path = join(tempFolder(), 'logs');
  mkdirSync(path);
  const log = { id: 'log', path, match, dialect: 'auto', timeZone: 'UTC', backfill: 'all' } as const;
  const sink = new MemorySink();
  const end = new AbortController();
  const recording = openLogSource(log).run(sink, end.signal);
  // It was there before the tool: what is rotated away before the first look has no log yet that it could continue.
  await expect.poll(async () => (await sink.positions()).size).toBeGreaterThan(0);
  const [way, ...settings] = WAYS[rotator];
  await run('/usr/bin/python3', [TOOL, way, join(path, 'log.csv'), String(ROWS), ...settings]);
  end.abort();
  await recording;
  await runToEnd(openLogSource({ ...log, isDrain: true }), sink);
  return Object.fromEntries(sink.channels.map((channel) => [channel, sink.values(channel)]));
}
