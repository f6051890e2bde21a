// The trial: a simulated growth with a RHEED camera beside it, into the embedded service.
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeAgent } from '../support/rigs/agent-here.ts';
import { until } from '../support/rigs/growth-rig.ts';
import { tempFolder } from '../support/temp-folder.ts';

test('frames are counted, their session is at the service, and the images stay few', async () => {
  const data = join(tempFolder('trial'), 'data');
  mkdirSync(data);
  const agent = makeAgent(data);
  await agent.start();
  await agent.handlers.trial.start(null);
  expect(agent.snapshot.sources.map(({ id, kind }) => `${id} ${kind}`)).toEqual([
    'growth simulator',
    'rheed-camera rheed',
  ]);

  const sessions = () => agent.handlers.rheed.listSessions(null);
  await until('the session is read back', async () => (await sessions())[0]?.dataId != null);
  const points = async (channel: string) =>
    Array.from((await agent.pipeline?.store.readPoints('rheed-camera', channel, 0, Number.MAX_VALUE))?.values ?? []);
  // More than are kept, so that the camera has begun to remove its oldest ones.
  await until('frames are counted', async () => ((await points('frames counted')).at(-1) ?? 0) > 330);
  expect((await points('frames lost')).at(-1)).toBe(0);
  const folder = join(data, 'trial', 'camera');
  const images = readdirSync(folder);
  expect(images.length).toBeLessThanOrEqual(301);
  expect(
    Math.max(...images.map((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0)),
  ).toBeLessThan(4000);
  await until('the figures of both are acknowledged', () =>
    ['growth', 'rheed-camera'].every((id) =>
      agent.snapshot.streams.some(({ sourceId, pointsAcknowledged }) => sourceId === id && pointsAcknowledged > 0),
    ),
  );
  const [session, ...others] = await sessions();
  expect(others).toEqual([]);
  expect(session).toMatchObject({ fps: 30, rpm: 10, problem: '', differences: [] });
  const entries = (await agent.pipeline?.link.client.listDataEntries({})) ?? [];
  const ofType = (type: string) => entries.filter(({ char_source_type }) => char_source_type === type);
  expect(ofType('rheed_rotating').map(({ data_id }) => data_id)).toEqual([session?.dataId]);
  // One for each stream: two, or more where a day ended meanwhile.
  const streams = (await agent.pipeline?.tally())?.streams ?? [];
  expect(new Set(streams.map(({ sourceId }) => sourceId))).toEqual(new Set(['growth', 'rheed-camera']));
  expect(
    ofType('tool_state')
      .map(({ data_id }) => data_id)
      .sort(),
  ).toEqual(streams.flatMap(({ dataId }) => dataId ?? []).sort());
  expect(entries).toHaveLength(1 + ofType('tool_state').length);

  // The next trial begins with an empty folder, and the same agent counts on.
  await agent.stop();
  await agent.start();
  await agent.handlers.trial.start(null);
  const before = (await points('frames counted')).at(-1) ?? 0;
  await until('it counts again', async () => ((await points('frames counted')).at(-1) ?? 0) > before + 30);
});
