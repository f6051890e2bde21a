// A source that is ended and begun again before it has counted a frame.
import { appendFileSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openRheedSource } from '../../../../src-main/sources/rheed/rheed-source.ts';
import { superviseSource } from '../../../../src-main/sources/supervise.ts';
import { MemorySink } from '../../../support/logs/log-sink.ts';
import { ksa, name, picture, range } from '../../../support/rheed/watched-frames.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

/** Run a source by the real clock until something is so. */
async function runUntil(
  sink: MemorySink,
  counter: Parameters<typeof openRheedSource>[0]['counter'],
  isDone: () => boolean,
): Promise<void> {
  const stop = new AbortController();
  const done = openRheedSource({ id: 'c', counter, fps: 30, timeZone: 'UTC' }).run(sink, stop.signal);
  await Promise.race([sink.until(isDone), done]);
  stop.abort();
  await done;
}
const lastOf = (sink: MemorySink) => sink.values('frames counted').at(-1) ?? 0;

test('frames of a first recording that come while the agent is off are counted when it is back', async () => {
  const path = join(tempFolder('off'), 'c.txt');
  writeFileSync(path, '100');
  const place = { pattern: null, field: null, lostField: null, timeField: null };
  const counter = { type: 'counter-file', path, ...place } as const;
  const sink = new MemorySink();
  await runUntil(sink, counter, () => sink.kept.size > 0);
  writeFileSync(path, '130');
  await runUntil(sink, counter, () => lastOf(sink) >= 30);
  writeFileSync(path, '160');
  await runUntil(sink, counter, () => lastOf(sink) >= 60);
  expect(lastOf(sink)).toBe(60);
});

/** Keep a source open until the test ends, also while its folder is not there; gives when that was kept. */
async function supervise(sink: MemorySink, counter: Parameters<typeof openRheedSource>[0]['counter']): Promise<void> {
  const stop = new AbortController();
  const clock = {
    nowMs: () => Date.now(),
    monotonicMs: () => performance.now(),
    // Between two tries of a folder that is not there a minute may pass.
    sleep: (ms: number) => setTimeout(Math.min(ms, 200)),
  };
  const done = superviseSource({
    open: () => openRheedSource({ id: 'c', counter, fps: 30, timeZone: 'UTC', clock }),
    ...{ sink, clock, signal: stop.signal, onState: () => {} },
  });
  onTestFinished(async () => {
    stop.abort();
    await done;
  });
  await sink.until(() => sink.kept.size > 0);
  // Times of files go in ticks: what is made within one of the look that failed may be as old as that.
  await setTimeout(50);
}

test('images of a folder that is made after the agent began are counted from the first', async () => {
  const path = join(tempFolder('missing'), 'run');
  const sink = new MemorySink();
  await supervise(sink, { type: 'images', path, match: '*_{frame}.bmp', timeFormat: null });
  mkdirSync(path);
  for (const at of range(0, 29)) writeFileSync(join(path, name(at)), picture());
  await sink.until(() => lastOf(sink) >= 30);
  for (const at of range(30, 34)) writeFileSync(join(path, name(at)), picture());
  await sink.until(() => lastOf(sink) >= 35);
  expect(lastOf(sink)).toBe(35);
});

test('of a movie on a share that is connected after the agent began counts what comes from then on', async () => {
  const share = tempFolder('share');
  const path = join(share, 'run');
  const sink = new MemorySink();
  await supervise(sink, { type: 'movie', path, match: '*.imm', strideBytes: null, headerBytes: 0 });
  mkdirSync(join(share, 'away'));
  writeFileSync(join(share, 'away', 'long.imm'), ksa(100));
  renameSync(join(share, 'away'), path);
  const { length } = sink.captures;
  await sink.until(() => sink.captures.length > length);
  expect(lastOf(sink)).toBe(0);
  appendFileSync(join(path, 'long.imm'), ksa(7));
  await sink.until(() => lastOf(sink) > 0);
  expect(lastOf(sink)).toBe(7);
});

test('what is told before the first frame does not keep the source from being opened again', async () => {
  const path = tempFolder('passed-over');
  writeFileSync(join(path, 'notes.txt'), 'settings of the camera '.repeat(40));
  const counter = { type: 'movie', path, match: '**/*', strideBytes: null, headerBytes: 0 } as const;
  const sink = new MemorySink();
  await runUntil(sink, counter, () => sink.marks.length > 0);
  expect(sink.marks.map(({ text }) => text)).toMatchObject([expect.stringContaining('notes.txt is no kSA movie')]);
  // Times of files go in ticks: what is made within one of the last look may be as old as that.
  await setTimeout(50);
  writeFileSync(join(path, 'run.imm'), ksa(5));
  await runUntil(sink, counter, () => lastOf(sink) >= 5);
  expect(lastOf(sink)).toBe(5);
});
