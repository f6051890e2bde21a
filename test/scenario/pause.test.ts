// A person pauses the sending of a running agent and lets it go on: capture goes on meanwhile, nothing goes out, and
// afterwards everything arrives once.
import { expect, test } from 'vitest';
import { makeAgent } from '../support/rigs/agent-here.ts';
import { tempFolder } from '../support/temp-folder.ts';

test('paused sending keeps everything here, and going on delivers it', async () => {
  const agent = makeAgent(tempFolder('pause'));
  await agent.start();
  await agent.handlers.trial.start(null);
  const snapshot = () => agent.handlers.snapshot.read(null);
  const total = async (of: 'pointsStored' | 'pointsAcknowledged') =>
    (await snapshot()).streams.reduce((sum, stream) => sum + stream[of], 0);
  await expect.poll(() => total('pointsAcknowledged')).toBeGreaterThan(0);

  await agent.handlers.service.pause(null);
  await expect.poll(async () => (await snapshot()).sentence.text).toContain('Sending is paused.');
  // A request that was under way may still be counted; then nothing more. The queue is asked: a snapshot that tells of its end
  // may have counted before it.
  await expect.poll(async () => (await snapshot()).streams.every(({ upload }) => upload !== 'sending')).toBe(true);
  const inQueue = async (of: 'pointsStored' | 'pointsAcknowledged') =>
    (await agent.pipeline?.tally())?.streams.reduce((sum, stream) => sum + stream[of], 0) ?? 0;
  const acknowledged = await inQueue('pointsAcknowledged');
  const stored = await inQueue('pointsStored');
  await expect.poll(() => inQueue('pointsStored')).toBeGreaterThan(stored + 500);
  expect(await inQueue('pointsAcknowledged')).toBe(acknowledged);
  const { service } = await snapshot();
  expect(service?.pausedSinceMs).not.toBeNull();

  await agent.handlers.service.goOn(null);
  await expect.poll(() => total('pointsAcknowledged')).toBeGreaterThan(stored + 400);
  expect((await snapshot()).service?.pausedSinceMs).toBeNull();
  expect((await snapshot()).sentence.text).not.toContain('paused');
});
