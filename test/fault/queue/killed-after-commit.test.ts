// Part A, row 2, and part E, row 93: the process is killed when the service has done what was asked, and before the answer
// is noted here. Many more such kills: test/long/fault-kills.test.ts.
import { expect, test } from 'vitest';
import { commit, kill } from '../../support/faults/kills.ts';
import { CHUNK_PATH, openMiddleman } from '../../support/faults/middleman.ts';
import { LogAgent } from '../../support/logs/log-agent.ts';
import { openServiceRig } from '../../support/rigs/service-rig.ts';

/** One at the making of an entry, one at a chunk. */
const KILLS = 2;

test(`2 and 93: over ${KILLS} kills between the service's commit and the note of it nothing is lost, nothing doubled, no entry made twice`, async () =>
  kill(await commit(), KILLS));

test('2: after such a kill the agent shows that the last answer is looked up, and then that all is delivered', async () => {
  const { service, client } = await openServiceRig({ bench: { repeat: 'append' } });
  const middleman = await openMiddleman(service.url);
  const agent = new LogAgent({ url: middleman.url, key: service.apiKey });
  agent.write(15);
  let chunks = 0;
  const running = agent.launch();
  middleman.meet = ({ path }) => {
    if (path !== CHUNK_PATH || ++chunks < 2) return 'pass';
    return {
      do: 'answer',
      by: (real) => {
        running.child.kill('SIGKILL');
        return real;
      },
    };
  };
  await running.ended;
  middleman.meet = () => 'pass';
  const again = await agent.start();
  const seen = await agent.until('the stream waits', ({ streams }) => streams[0]?.upload === 'waiting');
  expect(seen.streams[0]).toMatchObject({
    pointsStored: 15,
    pointsAcknowledged: 5,
    message: 'Response lost. Checking what the service stored before resending.',
  });
  expect(seen.sentence).toMatchObject({ tone: 'busy' });
  await agent.until('all delivered', ({ store }) => store?.waitingPoints === 0);
  await agent.stop(again);
  await agent.expectDelivered(client);
});
