// How the parts of a run are joined: what one of them tells another.
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Journal } from '../../../../src-main/agent/pipeline/journal.ts';
import { Pipeline } from '../../../../src-main/agent/pipeline/pipeline.ts';
import { trialSettings } from '../../../../src-main/agent/ready-settings.ts';
import { systemClock } from '../../../../src-main/platform/clock.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

/** A run without sources, into a service of its own; the test captures. */
async function startRun(pointsPerChunk: number): Promise<Pipeline> {
  const folder = tempFolder();
  const trial = trialSettings(join(folder, 'camera'));
  const settings = { ...trial, streamDefaults: { ...trial.streamDefaults, pointsPerChunk }, sources: [] };
  const clock = systemClock;
  const journal = new Journal({ ...clock, keep: async () => {}, onEntry: () => {} });
  const pipeline = await Pipeline.start({
    version: 'test',
    ...{ settings, clock, journal, isDrain: false, goesOn: false, onLost: () => {}, onChange: () => {} },
    queuePath: join(folder, 'queue.db'),
    serviceFolder: join(folder, 'service'),
    apiKey: () => 'key-0123456789',
  });
  onTestFinished(async () => {
    await pipeline.endCapture();
    await pipeline.stop(() => {});
  });
  return pipeline;
}

/** What was asked of the store in each message that holds more than one call. */
function listMessages(store: Pipeline['store']): string[][] {
  const messages: string[][] = [];
  let message: string[] | null = null;
  const together: typeof store.together = (ask) => {
    if (message) return ask();
    message = [];
    messages.push(message);
    try {
      return asked(ask);
    } finally {
      message = null;
    }
  };
  const { together: asked, commit, nextChunks } = store;
  Object.assign(store, {
    together,
    commit: (...args: Parameters<typeof commit>) => {
      message?.push('commit');
      return commit(...args);
    },
    nextChunks: (...args: Parameters<typeof nextChunks>) => {
      message?.push('nextChunks');
      return nextChunks(...args);
    },
  });
  return messages;
}

test('the look at the next chunk of a stream that waits for one goes to the store with the commit that seals it', async () => {
  const pipeline = await startRun(1);
  const startMs = Date.now();
  const row = async (value: number) => {
    const block = { channels: ['p'], timesMs: Float64Array.of(startMs + value), values: Float64Array.of(value) };
    await pipeline.recorder.capture('log', {
      ...{ blocks: [block], positions: [], rowsRead: 1, refusals: [], refusedCount: 0, origin: 'live' },
    });
    await expect.poll(async () => (await pipeline.tally()).waitingPoints).toBe(0);
    // Acknowledged, and the stream waits for its next chunk.
    await expect.poll(() => [...pipeline.uploader.views().values()].map(({ state }) => state.kind)).toEqual(['idle']);
  };
  const channel = { name: 'p', quantity: 'pressure', unit: 'Pa', origin: 'test', expectedIntervalMs: null };
  pipeline.recorder.declare('log', [channel]);
  await row(1);
  const messages = listMessages(pipeline.store);
  await row(2);
  expect(messages.filter((message) => message.includes('commit'))).toEqual([['commit', 'nextChunks']]);
});
