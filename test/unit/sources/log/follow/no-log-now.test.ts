// A log over which something else was written is no file that is just no log.
import { Buffer } from 'node:buffer';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openLogSource } from '../../../../../src-main/sources/log/log-source.ts';
import { LogReader } from '../../../../support/logs/log-reader.ts';
import { MemorySink, runToEnd } from '../../../../support/logs/log-sink.ts';
import { tempFolder } from '../../../../support/temp-folder.ts';

const HEADER = 'time,v\n';
const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `${1_790_000_000 + from + i},${from + i}\n`).join('');

function drain(path: string, sink: MemorySink): Promise<void> {
  const settings = { id: 'log', match: '**/*.csv', dialect: 'auto', timeZone: 'UTC', backfill: 'all' } as const;
  return runToEnd(openLogSource({ ...settings, isDrain: true, path }), sink);
}

describe('a log that is none any more', () => {
  const noise = Buffer.from(Array.from({ length: 4000 }, (_, i) => (i * 7919) % 256));

  test.each([
    ['bytes that are no text', noise],
    ['zeros', Buffer.alloc(4000)],
    ['numbers without a time', 'a,b\n1.5,2.5\n1.75,2.5\n1.5,2.25\n'],
  ])('is a question, and no file that is just no log: %s', async (_, content) => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'log.csv'), HEADER + lines(1, 30));
    writeFileSync(join(folder, 'other.csv'), `time,w\n${lines(1, 3)}`);
    writeFileSync(join(folder, 'never.csv'), content);
    const reader = new LogReader({ path: folder, match: '**/*.csv' });
    await reader.look();
    expect(reader.sink.notes.has('log.no-log-now')).toBe(false);
    writeFileSync(join(folder, 'log.csv'), content);
    appendFileSync(join(folder, 'other.csv'), lines(4, 5));
    await reader.look();
    await reader.look();
    const told = { level: 'error', message: expect.stringContaining('log.csv was a log, and is none any more') };
    expect(reader.sink.notes.get('log.no-log-now')).toMatchObject(told);
    await reader.kill();

    const sink = new MemorySink();
    await drain(folder, sink);
    writeFileSync(join(folder, 'log.csv'), HEADER + lines(1, 30));
    await drain(folder, sink);
    writeFileSync(join(folder, 'log.csv'), content);
    await expect(drain(folder, sink)).rejects.toMatchObject({ code: 'log.no-log-now' });
    expect(sink.values('w')).toEqual([1, 2, 3, 4, 5]);
    writeFileSync(join(folder, 'log.csv'), HEADER + lines(40, 45));
    await drain(folder, sink);
    expect(sink.values('v').slice(-6)).toEqual([40, 41, 42, 43, 44, 45]);
  });
});
