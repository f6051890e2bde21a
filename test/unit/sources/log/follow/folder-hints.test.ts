// Hints only shorten a wait, so nothing else would tell that they no longer come: here a wait ends by a hint or not at all.
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type Clock, systemClock } from '../../../../../src-main/platform/clock.ts';
import { FolderHints } from '../../../../../src-main/sources/log/follow/folder-hints.ts';
import { tempFolder } from '../../../../support/temp-folder.ts';

/** Waits of half a second and more never end by themselves. */
const endless: Clock = {
  ...systemClock,
  sleep: (ms, signal) => systemClock.sleep(ms < 500 ? ms : 2 ** 30, signal),
};

let folder: string;
let hints: FolderHints;

describe.each([
  ['one handle a folder', false],
  ['one handle in all, as on Windows', true],
])('%s', (_way, isOneHandle) => {
  beforeEach(async () => {
    folder = tempFolder();
    mkdirSync(join(folder, 'below'));
    for (const name of ['a.csv', 'b.csv', 'below/c.csv']) writeFileSync(join(folder, name), '1\n');
    hints = new FolderHints(folder, endless, isOneHandle);
    hints.follow(new Set(['a.csv', 'b.csv', 'below/c.csv']));
    onTestFinished(() => hints.close());
  });

  /** Do something again and again, since nothing tells when the system has begun to listen, until a wait ends. */
  async function untilHinted(act: () => void): Promise<void> {
    const end = new AbortController();
    onTestFinished(() => end.abort());
    let isOver = false;
    const waiting = hints.wait(0, end.signal).then(() => {
      isOver = true;
    });
    const tried = () => {
      act();
      return isOver;
    };
    await expect.poll(tried, { timeout: 60_000, interval: 20 }).toBe(true);
    await waiting;
  }

  test.each([
    ['a known file grows', () => appendFileSync(join(folder, 'a.csv'), '2\n')],
    ['a known file in a folder below grows', () => appendFileSync(join(folder, 'below/c.csv'), '2\n')],
    [
      'a file is made',
      () => {
        rmSync(join(folder, 'new.csv'), { force: true });
        writeFileSync(join(folder, 'new.csv'), '1\n');
      },
    ],
    [
      'a file is exchanged for another',
      () => {
        rmSync(join(folder, 'a.csv'));
        writeFileSync(join(folder, 'a.csv'), '3\n');
      },
    ],
  ])('a wait ends when %s', (_, act) => untilHinted(act));

  test('reports files in a folder that was made later', async () => {
    await untilHinted(() => appendFileSync(join(folder, 'a.csv'), '2\n'));
    mkdirSync(join(folder, 'later'));
    // The folder itself is reported as well, once by the system and once by chokidar.
    for (let times = 1; times <= 5; times += 1) {
      await untilHinted(() => writeFileSync(join(folder, 'later/d.csv'), 'x\n'.repeat(times)));
    }
  });

  test('listens to nothing while rows flow, and again once they have ended', async () => {
    await untilHinted(() => appendFileSync(join(folder, 'a.csv'), '2\n'));
    const end = new AbortController();
    onTestFinished(() => end.abort());
    hints.found(100);
    // The next look is due by the pace, and so is one more after rows have ended.
    await hints.wait(0, end.signal);
    hints.follow(new Set(['a.csv', 'b.csv', 'below/c.csv']));
    expect(hints.isListening).toBe(false);
    await hints.wait(0, end.signal);
    expect(hints.isListening).toBe(true);
    await untilHinted(() => appendFileSync(join(folder, 'below/c.csv'), '2\n'));
  });

  test('watches no folder of too many files, and watches it again when it holds few', async () => {
    hints.follow(new Set(Array.from({ length: 2001 }, (_, n) => `${n}.csv`)));
    const end = new AbortController();
    let isOver = false;
    const waiting = hints.wait(0, end.signal).then(() => {
      isOver = true;
    });
    for (let times = 0; times < 20; times += 1) {
      appendFileSync(join(folder, 'a.csv'), '2\n');
      await systemClock.sleep(10);
    }
    expect(isOver).toBe(false);
    end.abort();
    await waiting;
    hints.follow(new Set(['a.csv', 'b.csv', 'below/c.csv']));
    await untilHinted(() => appendFileSync(join(folder, 'a.csv'), '2\n'));
  });
});
