// Growths: streams and RHEED sessions begin and end with them, and carry what was chosen, however late.
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Agent } from '../../../src-main/agent/agent.ts';
import type { GrowthView } from '../../../src-main/contract/growth.ts';
import { GrowthRig, streamsOf, until } from '../../support/rigs/growth-rig.ts';

/** How much faster the time of the agents runs. */
const SPEED = 5;
/** Outside of a growth a session ends after so long without a frame, ms of the real clock. */
const SILENCE_MS = 500;
const SAMPLE = '5e0c4a0e-7a43-4f0e-9d7e-0d2f3a4b5c6d';

/** Every stored point by channel of a source, past all streams. */
const storedPoints = (agent: Agent, sourceId: string, channel: string) =>
  agent.pipeline?.store.readPoints(sourceId, channel, 0, Number.MAX_VALUE);

async function storedStamps(agent: Agent, sourceId: string, channel: string): Promise<number[]> {
  return Array.from((await storedPoints(agent, sourceId, channel))?.timesMs ?? [], Math.round);
}

/** A source that paused on a busy machine may have a second stream. */
const hasAllSources = (growth: GrowthView) => new Set(streamsOf(growth).map(({ sourceId }) => sourceId)).size === 3;

test('begins and ends with three sources: not a point on the wrong side, none lost, none doubled; the session runs as long', async () => {
  const rig = await GrowthRig.open({ silenceMs: SILENCE_MS, speed: SPEED });
  const agent = await rig.start();
  const { growth } = agent.handlers;
  const writer = { on: true, hasFrames: true };
  let lastRowMs = 0;
  const writing = (async () => {
    while (writer.on) {
      lastRowMs = Math.round(rig.clock.nowMs());
      rig.writeRow(lastRowMs);
      if (writer.hasFrames) rig.takeFrames(3);
      await setTimeout(100);
    }
  })();
  // A source that paused on a busy machine may have a second stream by then.
  const recorded = () => new Set(agent.snapshot.streams.map(({ sourceId }) => sourceId));
  await until('all sources give readings', () => recorded().size === 3);
  const started = await growth.start({ name: 'A1417', projectId: null });
  expect(started).toMatchObject({
    state: 'running',
    name: 'A1417',
    startCause: 'by hand',
  });
  const [part] = started.parts;
  const fromMs = part?.fromMs ?? 0;
  // What is late belongs to the time of its stamp.
  const lateMs = Math.floor(fromMs) - 50;
  rig.writeRow(lateMs, 7);
  const inGrowth = await until('three streams of the growth', async () => {
    const view = await growth.read({ growthId: null });
    return view && hasAllSources(view) ? view : null;
  });
  expect([...new Set(streamsOf(inGrowth).map(({ sourceId }) => sourceId))].sort()).toEqual(['camera', 'log', 'tool']);
  await growth.note({ text: 'shutter open' });
  // The camera stands still for longer than a session may be silent outside of a growth.
  writer.hasFrames = false;
  const stoodMs = rig.clock.nowMs();
  await until('that is over', () => rig.clock.nowMs() - stoodMs > 2 * SILENCE_MS * SPEED);
  writer.hasFrames = true;
  const channels = await agent.handlers.plot.listChannels(null);
  const nameOf = (sourceId: string) => channels.find((one) => one.sourceId === sourceId)?.channel ?? '';
  const stampsOf = (sourceId: string) => storedStamps(agent, sourceId, nameOf(sourceId));
  /** Each source has given two readings and more since a moment. */
  const hasGoneOn = (sinceMs: number) => async () => {
    const all = await Promise.all(['log', 'camera', 'tool'].map(stampsOf));
    return all.every((stamps) => stamps.filter((ms) => ms > sinceMs).length > 1);
  };
  await until('all sources go on', hasGoneOn(rig.clock.nowMs()));
  const ended = await growth.end(null);
  const toMs = ended.endedMs ?? 0;
  await until('all sources go on after it', hasGoneOn(Math.ceil(toMs)));
  writer.on = false;
  await writing;
  // Streams of the growth are closed by its end, not by quiet.
  await until('the streams of the growth are delivered', async () => {
    const view = await growth.read({ growthId: ended.id });
    return view && streamsOf(view).every((stream) => stream.isDelivered);
  });
  const view = await growth.read({ growthId: ended.id });
  expect(view?.parts[0]?.rheed).toMatchObject([{ sourceId: 'camera', endedMs: toMs, problem: '' }]);
  expect(view?.notes.map(({ text }) => text)).toEqual(['shutter open']);
  const { marks } = await agent.handlers.plot.readMarks({
    sourceId: '(notes)',
    fromMs: 0,
    toMs: rig.clock.nowMs(),
    after: null,
    limit: 9,
  });
  expect(marks).toMatchObject([{ sourceId: '(notes)', text: 'shutter open', place: 'growth "A1417"' }]);
  // The tool goes on: what is stamped well before this moment is compared, once it is stored.
  const cutMs = rig.clock.nowMs() - 1000;
  await until('the tool was read past it', async () => Math.max(...(await stampsOf('tool'))) > cutMs);
  await until('the log was read to its end', async () => (await stampsOf('log')).includes(lastRowMs));
  // The last reading of a camera that stands still comes some time after its last frame.
  await until('the camera was read to its end', async () => {
    return (await storedPoints(agent, 'camera', 'frame rate'))?.values.at(-1) === 0;
  });
  // Counted before they are closed: the tool goes on, and what it opens after that stays open.
  const closed = (await agent.pipeline?.store.tally(1))?.streamsTotal ?? 0;
  await agent.pipeline?.recorder.closeStreams();
  await until('all until then is delivered', () =>
    agent.snapshot.streams.every(({ id, state }) => id > closed || state === 'delivered'),
  );

  const held = await rig.held();
  const of = new Set(streamsOf(view ?? ended).map(({ dataId }) => dataId));
  for (const sourceId of ['log', 'camera', 'tool']) {
    const name = nameOf(sourceId);
    const stored = (await stampsOf(sourceId)).filter((ms) => ms < cutMs);
    const inside: number[] = [];
    const outside: number[] = [];
    for (const entry of held.filter((one) => one.type === 'tool_state' && one.name.includes(` ${sourceId} `))) {
      const stamps = (entry.stamps.get(name) ?? []).filter((ms) => ms < cutMs);
      (of.has(entry.dataId) ? inside : outside).push(...stamps);
    }
    expect(inside.length).toBeGreaterThan(1);
    expect(outside.length).toBeGreaterThan(1);
    const sorted = (stamps: readonly number[]) => stamps.toSorted((p, q) => p - q);
    expect(sorted([...inside, ...outside])).toEqual(sorted(stored));
    // The service keeps whole milliseconds.
    expect(inside.filter((ms) => ms < Math.floor(fromMs) || ms > Math.ceil(toMs))).toEqual([]);
    expect(outside.filter((ms) => ms > Math.ceil(fromMs) && ms < Math.floor(toMs))).toEqual([]);
    if (sourceId === 'log') expect(outside).toContain(lateMs);
  }
  expect(held.filter(({ name }) => name.includes(' A1417 '))).toHaveLength(of.size + 1);
  expect(held.filter(({ type }) => type.startsWith('rheed'))).toHaveLength(1);
});

test('begun offline and named late: what was chosen last is carried by the same streams; once they are sent, by new ones', async () => {
  const rig = await GrowthRig.open({ isOnline: false, speed: SPEED });
  const agent = await rig.start();
  const { growth } = agent.handlers;
  const begun = await growth.start({});
  rig.takeFrames(5);
  for (let row = 0; row < 12; row++) rig.writeRow();
  await until('three streams of the growth', async () => {
    const view = await growth.read({ growthId: null });
    return view && hasAllSources(view);
  });
  // While a try to send is under way the streams count as sent; offline it fails at once, and they do not any more.
  const change = async (choice: Parameters<typeof growth.change>[0]) => {
    for (;;) {
      try {
        return await growth.change(choice);
      } catch (thrown) {
        if ((thrown as { code?: string }).code !== 'growth.needs-new-streams') throw thrown;
        await setTimeout(20);
      }
    }
  };
  await expect(growth.change({ sampleId: SAMPLE, newSampleName: 'b', mayOpenNew: false })).rejects.toMatchObject({
    code: 'growth.sample-twice',
  });
  await change({ name: 'wrong', newSampleName: 'wrong', mayOpenNew: false });
  const named = await change({ name: 'A1418', newSampleName: 'G3-117', mayOpenNew: false });
  expect(named).toMatchObject({ carriedBy: 'same-streams', growth: { name: 'A1418', newSampleName: 'G3-117' } });
  await expect.poll(() => agent.snapshot.growth?.waits[0]?.message).toContain('"G3-117"');

  const project = await (async () => {
    await rig.online();
    return rig.client.createProject({ name: 'P' });
  })();
  await until('the streams are known to the service', async () => {
    const view = await growth.read({ growthId: null });
    return view && streamsOf(view).every(({ dataId }) => dataId !== null);
  });
  const sent = await growth.read({ growthId: null });
  expect(sent).toMatchObject({ changeBecomes: 'new-streams', waits: [] });
  expect(sent?.parts).toHaveLength(1);
  expect(rig.count('sample')).toBe(1);
  const ofGrowth = (await rig.held()).filter(({ name }) => name.includes(' A1418 '));
  expect(ofGrowth).toHaveLength(streamsOf(sent ?? begun).length + 1);
  for (const entry of ofGrowth) expect(entry).toMatchObject({ sampleId: sent?.sampleId, sampleName: 'G3-117' });
  await expect(growth.change({ projectId: project, mayOpenNew: false })).rejects.toMatchObject({
    code: 'growth.needs-new-streams',
  });
  expect(await growth.change({ projectId: project, mayOpenNew: true })).toMatchObject({ carriedBy: 'new-streams' });
  rig.writeRow(rig.clock.nowMs() + 1, 2);
  await until('new streams carry the project', async () => {
    const held = await rig.held();
    return held.filter(({ projects }) => projects.includes(project)).length >= 3;
  });
  const ended = await growth.end(null);
  expect(ended.id).toBe(begun.id);
  expect(ended.parts).toHaveLength(2);
  expect(rig.count('sample')).toBe(1);
  for (const { sampleId, type } of await rig.held()) {
    if (type !== 'tool_state' || sampleId !== null) expect(sampleId).toBe(sent?.sampleId);
  }
  await until(
    'the second part is sent',
    async () => (await growth.read({ growthId: begun.id }))?.changeBecomes === 'nothing',
  );
  await expect(growth.change({ growthId: begun.id, name: 'x', mayOpenNew: true })).rejects.toMatchObject({
    code: 'growth.sent',
  });
});

test('a new sample is refused where no RHEED session can make it; a growth and the time after it have streams of their own', async () => {
  const rig = await GrowthRig.open({ hasCamera: false, speed: SPEED });
  const agent = await rig.start();
  const { growth } = agent.handlers;
  await expect(growth.start({ newSampleName: 'G3' })).rejects.toMatchObject({
    ...{ code: 'growth.sample-needs-rheed', hint: expect.stringContaining('Choose a sample') },
  });
  await until('the tool gives readings', () => agent.snapshot.streams.length > 0);
  await growth.start({});
  await expect(growth.start({})).rejects.toMatchObject({ code: 'growth.running' });
  await until('both streams are shown', () => agent.snapshot.streams.filter((s) => s.sourceId === 'tool').length === 2);
  // Readings outside of growths have a stream of their own: they are delivered, too.
  await growth.end(null);
  await until('a third stream', () => agent.snapshot.streams.filter((s) => s.sourceId === 'tool').length === 3);
  const { growths, next } = await growth.list({ before: null, limit: 5 });
  expect([growths.length, next, growths[0]?.state]).toEqual([1, null, 'ended']);
});
