// Logs that begin with NULs: their program writes on where it stood after another one has copied and cut its log.
import { closeSync, copyFileSync, openSync, renameSync, statSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { LogReader } from '../../support/logs/log-reader.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const HEADER = 'time,v\n';
const rows = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, n) => `${1_790_000_010 + from + n},${from + n}\n`).join('');
const numbers = (to: number) => Array.from({ length: to }, (_, n) => n);

/** A program that keeps its own place in its log. */
class Tool {
  readonly log: string;
  readonly #handle: number;
  #at = 0;

  constructor(log: string) {
    this.log = log;
    this.#handle = openSync(log, 'w');
    onTestFinished(() => closeSync(this.#handle));
  }

  write(text: string): void {
    this.#at += writeSync(this.#handle, text, this.#at);
  }

  /** Bytes at the head of its log that nobody wrote. */
  get placeBytes(): number {
    return this.#at;
  }
}

/** Another program rotates the log by a copy. */
function copyAndCut(log: string): void {
  if (statSync(`${log}.1`, { throwIfNoEntry: false }) !== undefined) renameSync(`${log}.1`, `${log}.2`);
  copyFileSync(log, `${log}.1`);
  truncateSync(log);
}

function begin(options: Omit<ConstructorParameters<typeof LogReader>[0], 'path'> = {}) {
  const path = tempFolder();
  return { tool: new Tool(join(path, 'log.csv')), reader: new LogReader({ path, ...options }) };
}

// A hole of less than a block of reading, one of several, and such that the longest line and the step of the search lie in it.
test.each([
  [20, 'log.csv'],
  [20, '**/*'],
  [150_000, 'log.csv'],
])(
  'what stands behind the hole of a log that was cut after %d rows is read once, matched by %s',
  async (count, match) => {
    const { tool, reader } = begin({ match });
    tool.write(HEADER + rows(0, count));
    await reader.look();
    copyAndCut(tool.log);
    const hole = tool.placeBytes;
    tool.write(HEADER + rows(count, count + 2));
    expect(statSync(tool.log).size).toBeGreaterThan(hole);
    await reader.look();
    await reader.kill();
    tool.write(rows(count + 2, count + 3));
    await reader.look();
    copyAndCut(tool.log);
    tool.write(HEADER + rows(count + 3, count + 5));
    await reader.look();
    await reader.look();
    expect(reader.sink.values('v')).toEqual(numbers(count + 5));
    expect(reader.sink.gaps).toEqual([]);
    expect(reader.sink.refusedCount).toBe(0);
    expect(reader.sink.notes.get('log.hole')?.message).toContain('log.csv');
  },
);

test('the first row behind a hole is read, where no names of columns come before it', async () => {
  const { tool, reader } = begin();
  tool.write(rows(0, 20));
  await reader.look();
  copyAndCut(tool.log);
  tool.write(rows(20, 22));
  await reader.look();
  await reader.look();
  expect(reader.sink.channels.flatMap((channel) => reader.sink.values(channel))).toEqual(numbers(22));
  expect(reader.sink.refusedCount).toBe(0);
});

test('old rows behind a hole, skipped at first, are read when they are asked for', async () => {
  const { tool, reader } = begin({ match: 'log.csv', backfill: 'ask' });
  tool.write(HEADER + rows(0, 20));
  truncateSync(tool.log);
  tool.write(HEADER + rows(20, 25));
  await reader.look();
  tool.write(rows(25, 27));
  await reader.look();
  expect(reader.sink.values('v')).toEqual([25, 26]);
  await reader.kill();
  reader.use({ backfill: 'all' });
  await reader.look();
  await reader.look();
  expect(reader.sink.values('v').sort((a, b) => a - b)).toEqual([20, 21, 22, 23, 24, 25, 26]);
  expect(reader.sink.refusedCount).toBe(0);
});

test('rows behind a hole are read from the instant on that is wanted', async () => {
  const { tool, reader } = begin({ match: 'log.csv', backfill: { fromDate: '2026-09-22' } });
  const midnight = Date.UTC(2026, 8, 22) / 1000 - 1_790_000_010;
  tool.write(HEADER + rows(0, 20));
  truncateSync(tool.log);
  tool.write(HEADER + rows(midnight - 5, midnight + 3));
  await reader.look();
  await reader.look();
  expect(reader.sink.values('v')).toEqual([midnight, midnight + 1, midnight + 2]);
});

test('a file of NULs alone is no log, until text comes behind them', async () => {
  const { tool, reader } = begin();
  tool.write(HEADER);
  await reader.look();
  tool.write(rows(0, 20));
  truncateSync(tool.log);
  truncateSync(tool.log, tool.placeBytes);
  await reader.look();
  await reader.look(3000);
  expect(reader.sink.notes.get('log.not-text')?.message).toContain('log.csv');
  tool.write(HEADER + rows(20, 22));
  await reader.look();
  await reader.look();
  expect(reader.sink.values('v')).toEqual([20, 21]);
});
