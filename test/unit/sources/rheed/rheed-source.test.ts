// The figures of a counter by a clock that is played.
import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openRheedSource } from '../../../../src-main/sources/rheed/rheed-source.ts';
import { MemorySink } from '../../../support/logs/log-sink.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

/** A counter in a file, and a source that looks at it when it is told to. */
async function watchCounter(stallAfterMs = 2000, pattern = 'frames={frame}') {
  const path = join(tempFolder('counter'), 'counter.txt');
  let nowMs = Math.floor(Date.now() / 1000) * 1000;
  const count = (frames: number, lost = 0) => {
    writeFileSync(path, pattern.replace('{frame}', `${frames}`).replace('{lost}', `${lost}`));
    utimesSync(path, nowMs / 1000, nowMs / 1000);
  };
  count(0);
  let wake = () => {};
  let asleep = Promise.withResolvers<void>();
  const sleep = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
      asleep.resolve();
    });
  const clock = { nowMs: () => nowMs, monotonicMs: () => nowMs, sleep };
  const place = { pattern, field: null, lostField: null, timeField: null };
  const counter = { type: 'counter-file', path, ...place } as const;
  const stop = new AbortController();
  const sink = new MemorySink();
  const counts: number[] = [];
  const onCount = (counted: number) => void counts.push(counted);
  const options = { id: 'camera', counter, fps: 30, timeZone: 'UTC', stallAfterMs, clock, onCount };
  const done = openRheedSource(options).run(sink, stop.signal);
  onTestFinished(async () => {
    stop.abort();
    wake();
    await done;
  });
  await asleep.promise;
  /** So much later it looks again. */
  const pass = async (durationMs: number) => {
    asleep = Promise.withResolvers();
    nowMs += durationMs;
    wake();
    await asleep.promise;
  };
  return { sink, counts, count, pass };
}

test('the last reading says that the rate is 0, though nothing looked when it became so', async () => {
  const { sink, count, pass } = await watchCounter();
  for (let frames = 30; frames <= 300; frames += 30) {
    await pass(1000);
    count(frames);
  }
  await pass(1000);
  expect(sink.values('frame rate').at(-1)).toBeGreaterThan(0);
  // Asleep, or too busy, for as long as the rate takes to fall and longer than it is told.
  await pass(20_000);
  await pass(1000);
  expect(sink.values('frame rate').at(-1)).toBe(0);
  expect(sink.values('frames counted').at(-1)).toBe(300);
  const { length } = sink.captures;
  for (let looks = 0; looks < 5; looks++) await pass(1000);
  expect(sink.captures).toHaveLength(length);
});

test('what was counted is told after each look, and not only with the figures of a second', async () => {
  const { sink, counts, count, pass } = await watchCounter();
  await pass(1000);
  count(30);
  await pass(1000);
  const told = sink.captures.length;
  for (const frames of [33, 36, 39]) {
    count(frames);
    await pass(100);
  }
  expect(sink.captures).toHaveLength(told);
  expect(counts.slice(-3)).toEqual([33, 36, 39]);
});

test('a rate that is not known before the counter stands still is no 0: the last one known is', async () => {
  const { sink, count, pass } = await watchCounter(30_000);
  for (let frames = 30; frames <= 300; frames += 30) {
    await pass(1000);
    count(frames);
  }
  for (let looks = 0; looks < 45; looks++) await pass(1000);
  const known = sink.values('frame rate').filter(Number.isFinite);
  expect(Math.max(...known)).toBeGreaterThan(0);
  expect(known.at(-1)).toBe(0);
});

test('frames that came while nobody looked, and nothing since, are in the figures', async () => {
  const { sink, count, pass } = await watchCounter();
  await pass(1000);
  count(200);
  // Asleep, or off, until long after the last of them.
  await pass(60_000);
  await pass(1000);
  expect(sink.values('frames counted').at(-1)).toBe(200);
  const { length } = sink.captures;
  for (let looks = 0; looks < 20; looks++) await pass(1000);
  // The rate of 0 is told once they are; then it is quiet.
  expect(sink.captures.length).toBeLessThanOrEqual(length + 1);
});

test('the first loss is told at once, those that follow as a sum after ten minutes', async () => {
  const { sink, count, pass } = await watchCounter(2000, 'frames={frame} dropped={lost}');
  const told = () => sink.notes.get('rheed.lost')?.message ?? '';
  const texts = new Set<string>();
  let lost = 0;
  for (let second = 1; second <= 900; second++) {
    if (second % 20 === 0) lost += 2;
    count(second * 30, lost);
    await pass(1000);
    if (told() !== '') texts.add(told());
  }
  expect([...texts]).toEqual([
    expect.stringMatching(/^2 frames lost/),
    expect.stringMatching(/^60 frames lost in 30 places in the last 10 min \(0\.3 %\)\.$/),
  ]);
  expect(sink.marks.filter(({ text }) => text.includes('lost')).length).toBeGreaterThan(40);
});
