// Part A, row 1: what a person sees after the agent was killed, at the place where it is started again.
import { expect, test } from 'vitest';
import { LogAgent } from '../../support/logs/log-agent.ts';
import { openServiceRig } from '../../support/rigs/service-rig.ts';

test('1: after a kill the next start says so, once, where the agent runs', async () => {
  const { service } = await openServiceRig();
  const agent = new LogAgent({ url: service.url, service: 'resend: repeat', key: service.apiKey });
  agent.write(12);
  const first = await agent.start();
  await agent.until('stored', ({ streams }) => streams[0]?.pointsStored === 12);
  first.child.kill('SIGKILL');
  await first.ended;
  const second = await agent.start();
  await second.waitFor(/warning: Stopped unexpectedly: data was last stored at .*; the queue was opened again at /);
  await agent.stop(second);
  const third = await agent.start();
  const { out } = await agent.stop(third);
  expect(out).not.toContain('Stopped unexpectedly');
});
