// The agent ends while a growth runs: the growth goes on, and the operator is asked once what becomes of it.
import { expect, test } from 'vitest';
import { GrowthRig, streamsOf, until } from '../../support/rigs/growth-rig.ts';

test('asked once after a restart; until then readings go on into the streams of the growth; both answers are kept', async () => {
  const rig = await GrowthRig.open();
  const first = await rig.start();
  const { id } = await first.handlers.growth.start({ name: 'night' });
  await until('the tool gives readings in the growth', async () => {
    const view = await first.handlers.growth.read({ growthId: null });
    return view && streamsOf(view).some(({ points }) => points > 10);
  });
  await first.stop();

  const second = await rig.start();
  const growth = () => second.handlers.growth;
  expect(second.snapshot.growth).toMatchObject({ id, state: 'asks' });
  const before = streamsOf((await growth().read({ growthId: null })) ?? expect.fail('no growth'));
  await until('readings go on in the same stream', async () => {
    const view = await growth().read({ growthId: null });
    const points = (streams: typeof before) => streams.find(({ sourceId }) => sourceId === 'tool')?.points ?? 0;
    return view && streamsOf(view).length === before.length && points(streamsOf(view)) > points(before);
  });
  await second.stop();

  // Not answered: the question stays one question.
  const third = await rig.start();
  expect(await third.handlers.growth.read({ growthId: id })).toMatchObject({
    state: 'asks',
    restarts: [{ answer: null }],
  });
  const going = await third.handlers.growth.answer({ answer: 'continue' });
  expect(going).toMatchObject({ id, state: 'running', restarts: [{ answer: 'continue' }] });
  await expect(third.handlers.growth.answer({ answer: 'continue' })).rejects.toMatchObject({
    code: 'growth.nothing-asked',
  });
  expect(going.parts[0]?.rheed).toHaveLength(1);
  await third.stop();

  const fourth = await rig.start();
  expect(fourth.snapshot.growth).toMatchObject({ id, state: 'asks' });
  const begun = await fourth.handlers.growth.answer({ answer: 'new', start: { name: 'day' } });
  expect(begun).toMatchObject({ state: 'running', name: 'day', restarts: [] });
  const old = await fourth.handlers.growth.read({ growthId: id });
  expect(old).toMatchObject({ state: 'ended', endedMs: begun.startedMs, restarts: [{}, { answer: 'new' }] });
  expect(old?.parts[0]?.rheed).toMatchObject([{ endedMs: begun.startedMs }]);
  await until('the new one has its streams and its session', async () => {
    const view = await fourth.handlers.growth.read({ growthId: null });
    return view && streamsOf(view).some(({ sourceId }) => sourceId === 'tool') && view.parts[0]?.rheed.length === 1;
  });
});

test('other settings restart the recording without a question: the operator who saves them knows that the growth continues', async () => {
  const rig = await GrowthRig.open({ hasCamera: false });
  const agent = await rig.start();
  const { id } = await agent.handlers.growth.start({ name: 'night' });
  const former = agent.pipeline;
  const { service, tool, streamDefaults } = await agent.handlers.settings.read(null);
  const other = { ...streamDefaults, pointsPerChunk: 7 };
  await agent.handlers.settings.save({ service, apiKey: '', tool, streamDefaults: other });
  expect(agent.pipeline).not.toBe(former);
  expect(agent.snapshot.growth).toMatchObject({ id, state: 'running' });
  expect(agent.snapshot.troubles).toEqual([]);
  await agent.stop();

  // An agent that was stopped is another matter: how long nobody recorded, it cannot know.
  const second = await rig.start();
  expect(second.snapshot.growth).toMatchObject({ id, state: 'asks' });
});
