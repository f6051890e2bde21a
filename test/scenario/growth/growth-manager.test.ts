// Growths on a real queue before a real service, where something goes between: two cameras, a change that is cut off, a
// session that cannot start, a disk that is slow.
import { expect, test } from 'vitest';
import { growthHandlers } from '../../../src-main/agent/handlers/growth/growth-handlers.ts';
import { makeNonce } from '../../../src-main/agent/pipeline/nonce.ts';
import { GrowthBook } from '../../../src-main/growth/growth-book.ts';
import { GrowthEntries } from '../../../src-main/growth/growth-entries.ts';
import { GrowthManager, type GrowthManagerOptions } from '../../../src-main/growth/growth-manager.ts';
import type { DeskOptions, SessionManager } from '../../../src-main/growth/rheed-session/session-manager.ts';
import { changeInPlace } from '../../../src-main/growth/rules.ts';
import type { UploadStream } from '../../../src-main/model/queue.ts';
import { Recorder } from '../../../src-main/queue/recorder/recorder.ts';
import { openSessionRig, RULE, SPEED } from '../../support/rigs/session-rig.ts';

const SOURCES = ['camera', 'second'];
const SAMPLE = '5e0c4a0e-7a43-4f0e-9d7e-0d2f3a4b5c6d';

type Rig = Awaited<ReturnType<typeof openSessionRig>>;

/** One life of sessions and growths; `end` ends it as a crash would. */
async function live(rig: Rig, more: Partial<DeskOptions> = {}, own: Partial<GrowthManagerOptions> = {}) {
  const { store, clock } = rig;
  const recorder = await Recorder.open({
    ...{ store, clock, timeZone: 'UTC', toolName: 'MBE-1', synthSourceId: null, makeNonce },
    ruleOf: () => ({ pointsPerChunk: 10, rollover: 'daily', closeAfterQuietMs: null }),
    ...{ onCommitted: () => {}, onStoreState: () => {} },
  });
  const book = await GrowthBook.open(store);
  let growth: GrowthManager | undefined;
  const { desk, end } = await rig.live({
    rules: SOURCES.map((sourceId) => ({ ...RULE, sourceId })),
    onSession: (session) => growth?.onSession(session),
    // As in the agent, nothing is sent before the growths are open.
    isHeld: (session) => growth === undefined || book.isHeld(session),
    nameOf: (sourceId, startedMs, nonce, title) =>
      `MBE-1 ${sourceId} ${new Date(startedMs).toISOString()} ${title} ${nonce}`,
    ...more,
  });
  const entries = new GrowthEntries(book, desk);
  growth = await GrowthManager.open({
    dueAfter: () => [],
    ...{ book, entries },
    ...{ store, recorder, sessions: desk, clock, makeNonce, isAsking: true },
    rheedSources: () => SOURCES,
    ...{ onEntries: () => {}, onChange: () => {}, tell: (news) => void rig.news.push(news) },
    ...own,
  });
  return { growth, entries, desk, recorder, end };
}

/** The same with a disk that, once slow, has growths only when `written` is fulfilled. */
async function liveOnSlowDisk(rig: Rig, more: Partial<DeskOptions> = {}) {
  const disk = { isSlow: false, written: Promise.withResolvers<void>() };
  const { recorder } = await live(rig);
  const slow: GrowthManagerOptions['recorder'] = {
    mark: (mark) => recorder.mark(mark),
    putGrowths: async (growths, positions) => {
      if (disk.isSlow) await disk.written.promise;
      await recorder.putGrowths(growths, positions);
    },
  };
  return { ...(await live(rig, more, { recorder: slow })), disk };
}

/** A stream of the part that runs, as the uploader would ask about it. */
function streamOf(growth: GrowthManager): UploadStream {
  const part = growth.current?.parts.at(-1)?.id ?? '';
  return {
    ...{ id: 1, sourceId: 'log', name: 'MBE-1 log n', nonce: 'n', openedMs: 0, pointsPerChunk: 1, synthSourceId: null },
    ...{ growth: part, sampleId: null, projectId: null, dataId: null, service: null, isInitializeSent: false },
    ...{ isClosed: false, chunksWaiting: 1, wasSentAhead: false, hasBurst: false, isAheadUnderWay: false },
    ...{ mayBeHeld: false, mayHoldMore: false, isFromLive: true, heldAnswer: null, firstMs: null, lastMs: null },
  };
}

const isStarted = (desk: SessionManager) => desk.sessions.every(({ settings }) => settings !== null);

test('two cameras and one new sample: one start makes it, the other is linked by its id, though the answer is lost', async () => {
  // While the second camera's turn comes, nothing of the first start can be seen at the service.
  const fault = { kind: 'late-commit', how: 'reset', delayMs: 2500 } as const;
  const rig = await openSessionRig({ bench: { rules: [{ fault, endpoint: 'startRheedStream', times: 1 }] } });
  const bodies: Record<string, unknown>[] = [];
  const service: DeskOptions['service'] = new Proxy(rig.client, {
    get: (target, name) => {
      if (name !== 'startRheedStream') return Reflect.get(target, name);
      return (body: Record<string, unknown>, options: { signal: AbortSignal }) => {
        bodies.push(body);
        return target.startRheedStream(body as never, options);
      };
    },
  });
  const { growth, entries, desk } = await live(rig, { service, holdOffMs: 5000 * SPEED });
  await growth.start({ name: 'A', newSampleName: 'G3' }, { cause: 'by hand' });
  await expect(desk.change(desk.sessions[0]?.nonce ?? '', { projectId: 'other' })).rejects.toMatchObject({
    code: 'rheed.of-growth',
  });
  await rig.until('both sessions are at the service', () => desk.sessions.length === 2 && isStarted(desk));
  await rig.until('the growth knows the sample', () => growth.current?.parts[0]?.sampleId != null);
  expect(rig.count('sample')).toBe(1);
  expect(rig.count('entry')).toBe(2);
  expect(new Set(desk.sessions.map(({ sampleId }) => sampleId)).size).toBe(1);
  expect(growth.current?.parts[0]).toMatchObject({ newSampleName: 'G3', sampleId: desk.sessions[0]?.sampleId });
  const makers = bodies.filter((body) => 'create_physical_sample_name' in body);
  expect(new Set(makers.map((body) => body.data_item_name)).size).toBe(1);
  for (const body of bodies) {
    expect('physical_sample_id' in body && 'create_physical_sample_name' in body).toBe(false);
  }
  expect(entries.take(streamOf(growth))).toMatchObject({
    ...{ kind: 'ready', content: { sampleId: desk.sessions[0]?.sampleId, name: 'MBE-1 log A n' } },
  });
});

test('a change that was cut off between growth and session is carried on at the next start; only that sample is made', async () => {
  const rig = await openSessionRig();
  const offline: DeskOptions['service'] = new Proxy(rig.client, {
    get: () => () =>
      Promise.reject(
        Object.assign(new Error('away'), { failure: { kind: 'not-sent', afterMs: null, cause: 'unreachable' } }),
      ),
  });
  const first = await live(rig, { service: offline });
  const begun = await first.growth.start({ newSampleName: 'wrong' }, { cause: 'by hand' });
  // The growth is on disk, its sessions are not: the agent dies.
  await first.recorder.putGrowths([changeInPlace(begun, { name: 'B', newSampleName: 'right' }, SOURCES)]);
  await first.end();
  const { growth, desk } = await live(rig);
  await rig.until('both sessions are at the service', () => isStarted(desk));
  expect(desk.sessions.map(({ newSampleName }) => newSampleName)).toEqual(['right', 'right']);
  for (const { name } of desk.sessions) expect(name).toContain(' B ');
  expect(rig.count('sample', "name = 'right'")).toBe(1);
  expect(rig.count('sample')).toBe(1);
  await rig.until('nothing waits', () => growth.waits(growth.current ?? expect.fail()).length === 0);
});

test('a session that cannot start is told, and holds the streams until another sample is chosen', async () => {
  const rig = await openSessionRig();
  const { growth, entries, desk } = await live(rig, {
    rules: SOURCES.map((sourceId) => ({ ...RULE, sourceId, fps: null })),
  });
  const now = rig.clock.nowMs();
  const counter = { counted: 9, atMs: now, lastFrameMs: now, beganMs: now - 20_000, beganCounted: 0, isStill: false };
  for (const sourceId of SOURCES) await desk.onCounter(sourceId, { ...counter, cameraRate: 150 });
  const begun = await growth.start({ newSampleName: 'G3' }, { cause: 'by hand' });
  expect(growth.problems(begun)[0]?.message).toContain('150 are measured');
  expect(entries.look(streamOf(growth))).toMatchObject({
    kind: 'waits',
    message: expect.stringContaining('150 are measured'),
  });
  const { carriedBy } = await growth.change(null, { sampleId: SAMPLE }, false);
  expect(carriedBy).toBe('same-streams');
  expect(entries.take(streamOf(growth))).toMatchObject({ kind: 'ready', content: { sampleId: SAMPLE } });
  expect(growth.changeBecomes(growth.current ?? begun)).toBe('new-streams');
  entries.giveBack(1);
  expect(growth.changeBecomes(growth.current ?? begun)).toBe('same-streams');
});

test('nothing of a growth goes out while a change of it is on its way to the disk', async () => {
  const rig = await openSessionRig();
  const { growth, entries, desk, disk } = await liveOnSlowDisk(rig, {
    rules: SOURCES.map((sourceId) => ({ ...RULE, sourceId, fps: null })),
  });
  await growth.start({ name: 'A' }, { cause: 'by hand' });
  disk.isSlow = true;
  const changed = growth.change(null, { name: 'B' }, false);
  await rig.until('it is being stored', () => entries.look(streamOf(growth)).kind === 'waits');
  // The camera runs: its session could start now.
  const now = rig.clock.nowMs();
  const counter = { counted: 900, atMs: now, lastFrameMs: now, beganMs: now - 20_000, beganCounted: 0, isStill: false };
  for (const sourceId of SOURCES) await desk.onCounter(sourceId, { ...counter, cameraRate: 30 });
  await rig.until('it asked whether it may', () => desk.sessions.every(({ fps }) => fps === 30));
  expect(desk.sessions.map(({ isStartSent }) => isStartSent)).toEqual([false, false]);
  disk.written.resolve();
  expect((await changed).carriedBy).toBe('same-streams');
  await rig.until('both sessions are at the service', () => isStarted(desk));
  for (const { name } of desk.sessions) expect(name).toContain(' B ');
  expect(entries.look(streamOf(growth))).toMatchObject({ content: { name: 'MBE-1 log B n' } });
});

test('answers with the growth as the snapshot has it, while its start and its end are on their way to the disk', async () => {
  const rig = await openSessionRig();
  const { growth, disk } = await liveOnSlowDisk(rig);
  const calls = growthHandlers(() => ({ growth, store: rig.store, link: { mark: 'rig' } }));
  const { id } = await calls.start({ name: 'A' });
  disk.isSlow = true;
  const ending = calls.end(null);
  expect(growth.current).toBeNull();
  const { growths } = await calls.list({ before: null, limit: 20 });
  expect(growths).toMatchObject([{ id, state: 'ended', endCause: 'by hand' }]);
  expect(await calls.read({ growthId: id })).toMatchObject({ id, state: 'ended' });
  const starting = calls.start({ name: 'B' });
  const begun = growth.current?.id ?? expect.fail();
  expect(await calls.read({ growthId: begun })).toMatchObject({ id: begun, state: 'running' });
  disk.written.resolve();
  expect(await ending).toMatchObject({ id, state: 'ended' });
  await starting;
});
