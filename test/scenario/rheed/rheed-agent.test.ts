// A camera beside the whole agent: its settings, its stream, its session, and a life that is cut in between.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Agent } from '../../../src-main/agent/agent.ts';
import { startCamera } from '../../support/processes/camera.ts';
import { makeAgent } from '../../support/rigs/agent-here.ts';
import { until } from '../../support/rigs/growth-rig.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const FPS = 60;

function agentIn(folder: string, session: string): Agent {
  const settingsFile = join(folder, 'epistream.yaml');
  const images = join(folder, 'images');
  const data = join(folder, 'data');
  mkdirSync(images, { recursive: true });
  mkdirSync(data, { recursive: true });
  writeFileSync(
    settingsFile,
    `version: 1\ntool: { name: MBE-1, time_zone: UTC }\nstream_defaults: { points_per_chunk: 1, close_after_quiet: 3s }\nsources:\n` +
      `  - { id: camera, kind: rheed, counter: { type: images, path: '${images}', match: '*_{frame}.bmp' }, fps_capture_rate: ${FPS}, rotation_rpm: 5, session: ${session} }\n`,
  );
  return makeAgent(data, { settingsFile });
}

const sessions = (agent: Agent) => agent.handlers.rheed.listSessions(null);
const counts = async (agent: Agent) =>
  Array.from((await agent.pipeline?.store.readPoints('camera', 'frames counted', 0, Number.MAX_VALUE))?.values ?? []);

test('counts through a restart of the agent, and the counter begins and ends the session', async () => {
  const folder = tempFolder('rheed-agent');
  const session = '{ start: by-counter, end_after_silence: 4s }';
  const first = agentIn(folder, session);
  await first.start();
  // It has looked once: what comes from now on is new.
  await until(
    'the counter was looked at',
    async () => ((await first.pipeline?.store.positions('camera'))?.size ?? 0) > 0,
  );
  const deeds = [
    { kind: 'frames', count: 150 },
    { kind: 'lose', count: 4 },
    { kind: 'frames', count: 4 * FPS },
  ] as const;
  const camera = startCamera({
    kind: 'images',
    folder: join(folder, 'images'),
    fps: FPS,
    firstNumber: 0,
    rollsOverAt: null,
    deeds,
  });
  await until('the session is at the service', async () => (await sessions(first))[0]?.dataId != null);
  expect(first.snapshot.sources[0]).toMatchObject({
    kind: 'rheed',
    state: 'running',
    place: expect.stringContaining('*_{frame}.bmp'),
  });
  await first.stop();

  const second = agentIn(folder, session);
  await second.start();
  const { written, lost } = await camera.truth;
  await until('silence ended it', async () => (await sessions(second))[0]?.endedMs != null);
  const [only, ...others] = await sessions(second);
  expect(others).toEqual([]);
  expect(only).toMatchObject({ frames: written, fps: FPS, rpm: 5, problem: '', differences: [] });
  expect(only?.endCause).toMatch(/^no frame for [\d.]+ s$/);
  // The session knows of the frames before they are stored.
  await expect.poll(() => counts(second)).toContain(written);
  const counted = await counts(second);
  expect(counted.at(-1)).toBe(written);
  expect(counted).toEqual(counted.toSorted((a, b) => a - b));
  const lostPoints = await second.pipeline?.store.readPoints('camera', 'frames lost', 0, Number.MAX_VALUE);
  expect(lostPoints?.values.at(-1)).toBe(lost);
  const { marks } = await second.handlers.plot.readMarks({
    sourceId: 'camera',
    fromMs: 0,
    toMs: 9e15,
    after: null,
    limit: 100,
  });
  expect(marks.filter(({ text }) => text.includes('lost')).map(({ text }) => text)).toEqual([
    '4 frames lost: frames 150 to 153',
  ]);
  const types = async () =>
    ((await second.pipeline?.link.client.listDataEntries({})) ?? []).map(({ char_source_type }) => char_source_type);
  // The stream has a line of its own to the service.
  await expect.poll(types).toContain('tool_state');
  expect((await types()).filter((type) => type === 'rheed_rotating')).toHaveLength(1);
});

test('a person begins and ends a session; what cannot be is refused with the reason', async () => {
  const agent = agentIn(tempFolder('rheed-hand'), '{ start: by-hand }');
  await expect(agent.handlers.rheed.start({ sourceId: 'camera' })).rejects.toMatchObject({ code: 'agent.not-running' });
  await agent.start();
  const { nonce } = await agent.handlers.rheed.start({ sourceId: 'camera', newSampleName: 'G3-117' });
  await expect(agent.handlers.rheed.start({ sourceId: 'camera' })).rejects.toMatchObject({
    code: 'rheed.session-open',
  });
  await expect(agent.handlers.rheed.start({ sourceId: 'log' })).rejects.toMatchObject({ code: 'rheed.no-source' });
  await until('it is read back', async () => (await sessions(agent))[0]?.sampleId != null);
  await expect(agent.handlers.rheed.change({ nonce, newSampleName: 'late' })).rejects.toMatchObject({
    code: 'rheed.start-sent',
  });
  expect(await agent.handlers.rheed.end({ sourceId: 'camera' })).toMatchObject({ endCause: 'by hand' });
  // Counted once the counter was looked at.
  await expect.poll(() => sessions(agent)).toMatchObject([{ frames: 0 }]);
  expect(await agent.handlers.rheed.end({ sourceId: 'camera' })).toBeNull();
});
