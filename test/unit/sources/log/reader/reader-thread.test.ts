// The real thread, on real files: the messages that cross it, its death, and late messages of a run that is over.
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { CallWatch } from '../../../../../src-main/platform/call-watch.ts';
import { HeldDesk } from '../../../../../src-main/sources/log/follow/held-desk.ts';
import type { LogSourceOptions } from '../../../../../src-main/sources/log/log-source.ts';
import { ReaderThread, threadFor } from '../../../../../src-main/sources/log/reader/reader-thread.ts';
import { MemorySink } from '../../../../support/logs/log-sink.ts';
import { tempFolder } from '../../../../support/temp-folder.ts';

const FILE = new URL('../../../../../src-main/sources/log/reader/reader-worker.ts', import.meta.url);

function rig(options: Partial<LogSourceOptions> = {}) {
  const path = tempFolder();
  const sink = new MemorySink();
  const stop = new AbortController();
  const workers: Worker[] = [];
  const watches: CallWatch[] = [];
  const thread = new ReaderThread((calls) => {
    const worker = new Worker(FILE, { workerData: calls.memory, execArgv: [] });
    workers.push(worker);
    watches.push(calls);
    return worker;
  });
  const whole: LogSourceOptions = {
    ...{ id: 'log', path, match: '*.csv', dialect: 'auto', timeZone: 'UTC', backfill: 'all' },
    ...options,
  };
  const run = () => thread.run(whole, true, sink, stop.signal);
  onTestFinished(async () => {
    stop.abort();
    for (const worker of workers) await worker.terminate();
  });
  const preview = () => thread.preview({ folder: path, match: '*.csv', timeZone: 'UTC', timeFormat: '' });
  return { path, log: join(path, 'a.csv'), sink, stop, workers, watches, run, preview };
}

const row = (n: number) => `${1_790_000_000 + n},${n}\n`;

test('reads rows over the thread as they are appended, and ends when it is aborted', async () => {
  const { log, sink, stop, run } = rig();
  writeFileSync(log, `time,v\n${row(1)}${row(2)}`);
  const first = run();
  await expect.poll(() => sink.values('v')).toEqual([1, 2]);
  appendFileSync(log, row(3));
  await expect.poll(() => sink.values('v')).toEqual([1, 2, 3]);
  stop.abort();
  await first;
  expect(sink.gaps).toEqual([]);
});

test('a drain ends by itself, and says what is wrong with a file', async () => {
  const { log, sink, run } = rig({ isDrain: true });
  writeFileSync(log, `time,v\n03/04/2026 10:00:00,1\n04/05/2026 10:00:00,2\n`);
  await expect(run()).rejects.toMatchObject({ code: 'log.date-order-ambiguous', retry: 'after-human' });
  expect(sink.values('v')).toEqual([]);
});

test('a capture that is refused ends the run with the same error, and moves no position', async () => {
  const { log, sink, run } = rig();
  writeFileSync(log, `time,v\n${row(1)}`);
  const capture = vi.spyOn(sink, 'capture').mockRejectedValue(new Error('disk full'));
  await expect(run()).rejects.toThrow('disk full');
  capture.mockRestore();
  void run().catch(() => undefined);
  await expect.poll(() => sink.values('v')).toEqual([1]);
});

test('a thread that dies ends its runs to be tried again, and the next run has a new one', async () => {
  const { log, sink, workers, run } = rig();
  writeFileSync(log, `time,v\n${row(1)}`);
  const first = run();
  await expect.poll(() => sink.values('v')).toEqual([1]);
  await Promise.all([
    expect(first).rejects.toMatchObject({ code: 'log.reader-stopped', retry: 'later' }),
    workers[0]?.terminate(),
  ]);
  appendFileSync(log, row(2));
  void run().catch(() => undefined);
  await expect.poll(() => sink.values('v')).toEqual([1, 2]);
  expect(workers).toHaveLength(2);
});

test('a run whose thread is in a call ends when it is aborted, and its later messages are refused', async () => {
  const { log, sink, stop, watches, run } = rig();
  writeFileSync(log, `time,v\n${row(1)}`);
  const first = run();
  await expect.poll(() => sink.values('v')).toEqual([1]);
  // As if a call did not return: the thread itself goes on, like one that comes back late.
  const lasts = vi.spyOn(watches[0] as CallWatch, 'lastsMs').mockReturnValue(2000);
  stop.abort();
  await first;
  lasts.mockRestore();
  const before = sink.captures.length;
  appendFileSync(log, row(2));
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect(sink.captures.length).toBe(before);
});

test('an answer of a person reaches the run between two looks', async () => {
  const held = new HeldDesk();
  const { log, sink, run } = rig({ held });
  writeFileSync(log, `time,v\n${row(1)}${row(2)}`);
  void run().catch(() => undefined);
  await expect.poll(() => sink.values('v')).toEqual([1, 2]);
  appendFileSync(log, 'time,v,w\n1790000003,3,30\n1790000004,4,40\n');
  await expect.poll(() => held.list().map(({ file }) => file)).toEqual(['a.csv']);
  expect((await held.look('a.csv')).newColumns.map(({ name }) => name)).toEqual(['time', 'v', 'w']);
  const before = vi.fn(async () => undefined);
  await held.answer('a.csv', { answer: 'accept' }, before);
  expect(before).toHaveBeenCalledOnce();
  await expect.poll(() => sink.values('w')).toEqual([30, 40]);
});

test('an answer that failed for a stalled thread does not take effect when the thread returns', async () => {
  const held = new HeldDesk();
  const { log, sink, watches, run } = rig({ held });
  writeFileSync(log, `time,v\n${row(1)}${row(2)}`);
  void run().catch(() => undefined);
  await expect.poll(() => sink.values('v')).toEqual([1, 2]);
  appendFileSync(log, 'time,v,w\n1790000003,3,30\n');
  await expect.poll(() => held.list().map(({ file }) => file)).toEqual(['a.csv']);
  // The run waits for the disk, so the answer waits for the run.
  const disk = Promise.withResolvers<void>();
  const store = sink.capture.bind(sink);
  const capture = vi.spyOn(sink, 'capture').mockImplementation(async (one) => {
    await disk.promise;
    await store(one);
  });
  writeFileSync(log.replace('a.csv', 'b.csv'), `time,u\n${row(1)}`);
  await expect.poll(() => capture.mock.calls.length).toBeGreaterThan(0);
  const before = vi.fn(async () => undefined);
  const answered = expect(held.answer('a.csv', { answer: 'accept' }, before)).rejects.toMatchObject({
    code: 'log.source-not-running',
  });
  const lasts = vi.spyOn(watches[0] as CallWatch, 'lastsMs').mockReturnValue(16_000);
  await answered;
  lasts.mockRestore();
  disk.resolve();
  await expect.poll(() => sink.values('u')).toEqual([1]);
  appendFileSync(log.replace('a.csv', 'b.csv'), row(2));
  await expect.poll(() => sink.values('u')).toEqual([1, 2]);
  expect(before).not.toHaveBeenCalled();
  expect(sink.values('w')).toEqual([]);
});

test('a folder is looked at on its thread, beside a run, and one that does not answer is named', async () => {
  const { log, sink, watches, run, preview } = rig();
  writeFileSync(log, `time,v\n${row(1)}`);
  expect(await preview()).toMatchObject({ file: 'a.csv', problem: '', channels: ['v'], rows: [{ values: [1] }] });
  void run().catch(() => undefined);
  await expect.poll(() => sink.values('v')).toEqual([1]);
  expect(await preview()).toMatchObject({ file: 'a.csv', problem: '' });
  const lasts = vi.spyOn(watches[0] as CallWatch, 'lastsMs').mockReturnValue(16_000);
  await expect(preview()).rejects.toMatchObject({ code: 'log.folder-stalled', retry: 'later' });
  lasts.mockRestore();
  expect(await preview()).toMatchObject({ file: 'a.csv', problem: '' });
});

test('a preview has a thread that reads no log, and volumes beyond the bound share one', () => {
  const disk = { name: '/', isLocal: true };
  const share = (n: number) => ({ name: `//server/share-${n}`, isLocal: false });
  expect(threadFor('previews', disk)).not.toBe(threadFor('runs', disk));
  const runs = [disk, share(1), share(2), share(3), share(4), share(1)].map((volume) => threadFor('runs', volume));
  expect(new Set(runs).size).toBe(4);
  expect(runs[3]).toBe(runs[4]);
  expect(runs[5]).toBe(runs[1]);
});
