// A new sample goes out once, with one RHEED start, and everything of its growth carries it: whatever answer is lost, and
// wherever the agent dies.
import { expect, test } from 'vitest';
import type { EndpointName } from '../../../src-main/interface/table.ts';
import type { BenchSettings } from '../../support/bench/bench-settings.ts';
import { runHere } from '../../support/command.ts';
import { expectOneSample, growth, kill } from '../../support/faults/kills.ts';
import { GrowthRig, streamsOf, until } from '../../support/rigs/growth-rig.ts';

const STEPS: readonly EndpointName[] = ['startRheedStream', 'readRheedSettings', 'listDataEntries', 'initializeStream'];

/** Waits for answers that were lost are long; agents in this process need not wait for them in real time. */
const SPEED = 10;

test('one sample although the answer is lost at every step', async () => {
  const fault = { kind: 'lost-after', how: 'reset' } as const;
  const rules: BenchSettings['rules'] = STEPS.map((endpoint) => ({ fault, endpoint, times: 1 }));
  const rig = await GrowthRig.open({ isOnline: false, bench: { rules }, speed: SPEED });
  rig.work();
  const agent = await rig.start();
  const { growth } = agent.handlers;
  const begun = await growth.start({ name: 'A1419', newSampleName: 'G3-117' });
  await until('three streams', async () => {
    const view = await growth.read({ growthId: null });
    return view && new Set(streamsOf(view).map(({ sourceId }) => sourceId)).size === 3;
  });
  const service = await rig.online();
  // Capture goes on; the streams say what they wait for.
  await until('a stream says what it waits for', () =>
    agent.snapshot.streams.some(({ upload, message }) => upload === 'waiting' && message.includes('"G3-117"')),
  );
  await until('the sample is known', async () => (await growth.read({ growthId: begun.id }))?.sampleId ?? null);
  const { endedMs } = await growth.end(null);
  expect(endedMs).not.toBeNull();
  const view = await until('all of it is delivered', async () => {
    const read = await growth.read({ growthId: begun.id });
    return read && streamsOf(read).every(({ isDelivered }) => isDelivered) ? read : null;
  });
  const { hits } = await service.runBench({ kind: 'report' });
  expect(hits).toEqual(STEPS.map(() => 1));
  await expectOneSample(rig, 'A1419', view);
});

test('one sample although the agent is killed while startRheedStream is under way', async () =>
  kill(await growth('startRheedStream'), 1));

test('a drain delivers all but the streams that wait for a person, and then ends with their reason', async () => {
  const fault = { kind: 'answer', status: 400, body: '{"detail":"no such project"}' } as const;
  const rig = await GrowthRig.open({
    hasSimulator: false,
    bench: { rules: [{ fault, endpoint: 'startRheedStream', times: 99 }] },
    speed: SPEED,
  });
  const stop = rig.work();
  const agent = await rig.start();
  const { growth } = agent.handlers;
  const recorded = () => new Set(agent.snapshot.streams.map(({ sourceId }) => sourceId));
  await until('both gave readings before it', () => recorded().size === 2);
  const { id } = await growth.start({ newSampleName: 'G3-119' });
  const belonging = async () => streamsOf((await growth.read({ growthId: id })) ?? expect.fail());
  await until('both sources gave readings', async () => (await belonging()).length === 2);
  stop();
  await growth.end(null);
  await agent.stop();
  const words = ['run', '--config', rig.settingsFile, '--data', rig.data, '--drain-and-exit'];
  const { code, out, err } = await runHere(words, { EPISTREAM_API_KEY: rig.key }, rig.clock);
  expect([code, err]).toEqual([3, expect.stringContaining('no such project')]);
  expect(out.match(/: not delivered;/g)).toHaveLength(2);
  expect(out.match(/: delivered;/g)).not.toBeNull();
});

test('a RHEED start that the service refuses: the streams of its growth say that a person must act, and go out once one did', async () => {
  const fault = { kind: 'answer', status: 400, body: '{"detail":"no such project"}' } as const;
  const rig = await GrowthRig.open({
    bench: { rules: [{ fault, endpoint: 'startRheedStream', times: 1 }] },
    speed: SPEED,
  });
  rig.work();
  const agent = await rig.start();
  const { growth } = agent.handlers;
  const begun = await growth.start({ name: 'A1421', newSampleName: 'G3-118' });
  const sentence = await until('a person is asked', () => {
    const { sentence } = agent.snapshot;
    return sentence.tone === 'attention' && sentence.text.includes('"G3-118"') ? sentence : null;
  });
  expect(sentence.text).toContain('no such project');
  expect(sentence.hint).not.toBe('');
  // Ended meanwhile it still asks, and can still be given another choice.
  await growth.end(null);
  const { carriedBy } = await growth.change({ growthId: begun.id, newSampleName: null, mayOpenNew: false });
  expect(carriedBy).toBe('same-streams');
  await until('all of it is delivered', async () => {
    const read = await growth.read({ growthId: begun.id });
    return read && streamsOf(read).length >= 2 && streamsOf(read).every(({ isDelivered }) => isDelivered);
  });
  // The snapshot comes after what it tells of.
  await expect.poll(() => agent.snapshot.sentence.tone).not.toBe('attention');
  expect(rig.count('sample')).toBe(0);
});
