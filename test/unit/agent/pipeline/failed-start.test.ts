// A run that cannot begin: whatever was started of it is stopped again.
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { Journal } from '../../../../src-main/agent/pipeline/journal.ts';
import { Pipeline } from '../../../../src-main/agent/pipeline/pipeline.ts';
import { Settling } from '../../../../src-main/agent/pipeline/settling.ts';
import { trialSettings } from '../../../../src-main/agent/ready-settings.ts';
import { type Clock, systemClock } from '../../../../src-main/platform/clock.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

/** A clock that knows who waits by it. */
function watchedClock(): Clock & { waits: number } {
  const clock = {
    ...systemClock,
    waits: 0,
    sleep: async (durationMs: number, signal?: AbortSignal) => {
      clock.waits += 1;
      await systemClock.sleep(durationMs, signal).finally(() => {
        clock.waits -= 1;
      });
    },
  };
  return clock;
}

it('leaves no upload behind, and nobody who waits for a next try, where its start fails half-way', async () => {
  const folder = tempFolder();
  const trial = trialSettings(join(folder, 'camera'));
  // Nobody listens there: what is captured waits.
  const service = { ...trial.service, url: 'http://127.0.0.1:9' };
  const settings = { ...trial, service, sources: trial.sources.filter(({ kind }) => kind === 'simulator') };
  const clock = watchedClock();
  const journal = new Journal({ ...clock, keep: async () => {}, onEntry: () => {} });
  const start = () =>
    Pipeline.start({
      version: 'test',
      ...{ settings, clock, journal, isDrain: false, goesOn: false, fill: null, onLost: () => {}, onChange: () => {} },
      ...{
        queuePath: join(folder, 'queue.db'),
        serviceFolder: join(folder, 'service'),
        apiKey: () => 'key-0123456789',
      },
    });
  const former = await start();
  await expect.poll(async () => (await former.tally()).waitingPoints).toBeGreaterThan(0);
  await former.endCapture();
  await former.stop(() => {});
  expect(clock.waits).toBe(0);

  const uploaderWaits = vi.spyOn(Settling.prototype, 'resume').mockImplementation(async () => {
    await expect.poll(() => clock.waits).toBeGreaterThan(0);
    throw new Error('the disk refuses');
  });
  await expect(start()).rejects.toThrow('the disk refuses');
  uploaderWaits.mockRestore();
  expect(clock.waits).toBe(0);
}, 180_000);
