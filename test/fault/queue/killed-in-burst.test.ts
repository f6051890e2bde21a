// Part A, row 2: the process is killed while several chunks of a stream are on their way to a service that is 50 ms away. Of
// each burst some are served before the kill, some after the next life began, and some never.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Chance } from '../../simulation/random.ts';
import { chunkOf, openMiddleman } from '../../support/faults/middleman.ts';
import { LogAgent } from '../../support/logs/log-agent.ts';
import { openServiceRig } from '../../support/rigs/service-rig.ts';

const KILLS = 4;
const DELAY_MS = 50;
/** So many are on their way when the kill comes. */
const SIDE_BY_SIDE = 3;

test(`2: over ${KILLS} kills with chunks on their way side by side nothing is lost, nothing doubled, and all is settled`, async () => {
  const { service, client } = await openServiceRig();
  const middleman = await openMiddleman(service.url);
  const chance = new Chance(7);
  const options = { url: middleman.url, key: service.apiKey, service: 'resend: repeat, upload_window: 8' };
  const agent = new LogAgent(options);
  agent.configure(options.url, options.service);
  for (let kill = 0; kill < KILLS; kill++) {
    agent.write(400);
    const running = agent.launch();
    let underWay = 0;
    middleman.meet = async (asked) => {
      if (chunkOf(asked) === null) return 'pass';
      if (++underWay >= SIDE_BY_SIDE) running.child.kill('SIGKILL');
      await sleep(DELAY_MS);
      underWay -= 1;
      if (running.child.signalCode === null && !running.child.killed) return 'pass';
      const how = 'close';
      return chance.pick([
        { do: 'lose-answer', how },
        { do: 'lose-request', how },
        { do: 'late', how, delayMs: chance.between(1, 2000) },
      ] as const);
    };
    expect((await running.ended).signal).toBe('SIGKILL');
  }
  let [underWay, most] = [0, 0];
  middleman.meet = async (asked) => {
    if (chunkOf(asked) === null) return 'pass' as const;
    most = Math.max(most, ++underWay);
    await sleep(DELAY_MS);
    underWay -= 1;
    return 'pass' as const;
  };
  const last = await agent.start();
  await agent.until('all delivered', ({ store }) => store?.waitingPoints === 0);
  await agent.stop(last);
  expect(most).toBeGreaterThanOrEqual(SIDE_BY_SIDE);
  await agent.expectDelivered(client);
});
