// What a RHEED session goes through on the way: lives that are cut between two steps, counters that nobody has looked at, and
// what waits for a person.
import { expect, onTestFinished, test } from 'vitest';
import type { SessionStore } from '../../../src-main/growth/rheed-session/ports.ts';
import type { CounterState } from '../../../src-main/growth/rheed-session/session-rules.ts';
import { openSessionRig, RULE } from '../../support/rigs/session-rig.ts';

const END = '/rheed/stream/{data_id}/end';

/** Figures of a counter that counts. */
function view(counted: number, atMs: number, more: Partial<CounterState> = {}): CounterState {
  return {
    ...{ counted, atMs, lastFrameMs: atMs, beganMs: atMs - 20_000, beganCounted: 0, cameraRate: 30, isStill: false },
    ...more,
  };
}

/** A store that takes what comes up to a moment, and nothing after it: the process is gone. */
function diesAfter(store: SessionStore, isLast: (dataId: string | null) => boolean) {
  let isDead = false;
  const gone = Promise.withResolvers<void>();
  const dying: SessionStore = {
    rheedSessions: () => store.rheedSessions(),
    putRheedSession: (session) => {
      if (isDead) return gone.promise;
      isDead = isLast(session.dataId);
      return store.putRheedSession(session);
    },
  };
  return { dying, bury: gone.resolve };
}

test('an agent that dies as soon as it knows the entry ends it in its next life, once and last', async () => {
  const rig = await openSessionRig({ finalizePath: END });
  const { dying, bury } = diesAfter(rig.store, (dataId) => dataId !== null);
  const { desk: first } = await rig.live({ store: dying });
  onTestFinished(() => bury());
  await first.start('camera');
  await rig.until('the entry is known', () => first.sessions[0]?.dataId != null);

  const calls: string[] = [];
  const service = new Proxy(rig.client, {
    get: (target, name: string) => {
      const call = Reflect.get(target, name) as unknown;
      if (typeof call !== 'function') return call;
      return (...args: unknown[]) => {
        calls.push(name);
        return call.apply(target, args) as unknown;
      };
    },
  });
  const { desk: second } = await rig.live({ service });
  await second.onCounter('camera', view(10, rig.clock.nowMs()));
  await rig.until('it is read back', () => second.sessions[0]?.settings != null);
  expect(calls).not.toContain('endStream');
  await second.end('camera', 'by hand');
  await rig.until('it is ended there', () => second.sessions[0]?.finalize === 'done');
  await rig.until('the video was asked for', () => calls.includes('readRheedMetadata'));
  expect(calls.filter((name) => name !== 'readRheedMetadata')).toEqual([
    'readRheedSettings',
    'listDataEntries',
    'endStream',
  ]);
  const [entry] = await rig.client.listDataEntries({});
  expect(entry?.pipeline_status).toBe('success');
});

test('an end whose answer is lost is told again until it is known, and not after that', async () => {
  const rig = await openSessionRig({ finalizePath: END });
  let [ends, asked] = [0, 0];
  let isLost = true;
  const { desk } = await rig.live({
    service: {
      ...rig.client,
      // The bench has no rule for paths outside of the interface: the answer is lost here.
      endStream: async (...args) => {
        ends += 1;
        await rig.client.endStream(...args);
        if (isLost) throw Object.assign(new Error('reset'), { failure: { kind: 'ambiguous' } });
      },
      readRheedMetadata: async () => {
        asked += 1;
        return [];
      },
    },
  });
  await desk.start('camera');
  await rig.until('it is read back', () => desk.sessions[0]?.settings != null);
  await desk.end('camera', 'by hand');
  await rig.until('it was told', () => ends > 0);
  expect(desk.sessions[0]?.finalize).toBe('due');
  isLost = false;
  await rig.until('it is known', () => desk.sessions[0]?.finalize === 'done');
  const told = ends;
  const before = asked;
  desk.release();
  await rig.until('the next step was done again', () => asked > before + 1);
  expect(ends).toBe(told);
});

test('once the hold-off after a page of the network is over, a network that is back ends the rest of the wait', async () => {
  const headers = { 'content-type': 'text/html' };
  const fault = { kind: 'answer', status: 200, headers, body: '<html>log in</html>', isStored: true } as const;
  const rig = await openSessionRig({ bench: { rules: [{ fault, endpoint: 'startRheedStream', times: 1 }] } });
  const { desk } = await rig.live({ holdOffMs: 50_000, backoffMs: () => 365 * 86_400_000 });
  await desk.start('camera');
  await rig.until('it failed', () => rig.news.some(({ code }) => code === 'service.stranger'));
  desk.release();
  await rig.until('it is started', () => desk.sessions[0]?.dataId != null);
  expect(rig.count('entry')).toBe(1);
});

test('a session begun before its counter was looked at counts from where the counter stood', async () => {
  const rig = await openSessionRig();
  const { desk } = await rig.live();
  await desk.start('camera');
  // The counter had counted 5,000 frames in former lives of the agent.
  const nowMs = rig.clock.nowMs();
  await desk.onCounter('camera', view(5000, nowMs));
  await desk.onCounter('camera', view(5100, nowMs + 3000));
  await desk.end('camera', 'by hand');
  expect(desk.sessions[0]).toMatchObject({ framesAtStart: 5000, framesAtEnd: 5100 });
});

test('a session that a person begins and ends has the frames between, and not those since the last figures', async () => {
  const rig = await openSessionRig();
  const { desk } = await rig.live();
  desk.onCount('camera', 10);
  await desk.onCounter('camera', view(100, rig.clock.nowMs()));
  desk.onCount('camera', 129);
  await desk.start('camera');
  await desk.onCounter('camera', view(130, rig.clock.nowMs()));
  desk.onCount('camera', 158);
  await desk.end('camera', 'by hand');
  expect(desk.sessions[0]).toMatchObject({ framesAtStart: 129, framesAtEnd: 158 });
});

test('a session ended before its counter was looked at again has its frames once it was', async () => {
  const rig = await openSessionRig();
  const { desk: first, end } = await rig.live();
  await first.onCounter('camera', view(100, rig.clock.nowMs()));
  await first.start('camera');
  await end();
  const { desk: second } = await rig.live();
  await second.end('camera', 'by hand');
  expect(second.sessions[0]?.framesAtEnd).toBeNull();
  expect(rig.news.at(-1)?.message ?? '').not.toContain(' 0 frames');
  await second.onCounter('camera', view(160, rig.clock.nowMs()));
  expect(second.sessions[0]).toMatchObject({ framesAtStart: 100, framesAtEnd: 160 });
});

test('a clock that was set back between two lives keeps no session open in silence', async () => {
  const rig = await openSessionRig();
  const { desk: first, end } = await rig.live();
  const nowMs = rig.clock.nowMs();
  await first.onCounter('camera', view(100, nowMs));
  await first.start('camera');
  await end();
  const { desk: second } = await rig.live();
  const hourAgoMs = nowMs - 3_600_000;
  await second.onCounter('camera', view(150, hourAgoMs));
  await second.onCounter('camera', view(150, hourAgoMs + 61_000, { lastFrameMs: hourAgoMs, isStill: true }));
  expect(second.openSession('camera')).toBeNull();
});

test('a session that waits for its rate is sent with the one that is set in the next life', async () => {
  const rig = await openSessionRig({ rule: { fps: null } });
  const { desk: first, end } = await rig.live();
  await first.start('camera');
  await first.end('camera', 'by hand');
  expect(first.sessions[0]?.problem).toContain('never measured');
  await end();
  const { desk: second } = await rig.live({
    rules: [{ sourceId: 'camera', fps: 25, rpm: null, projectId: null, start: 'by-hand', endAfterSilenceMs: null }],
  });
  await rig.until('it is at the service', () => second.sessions[0]?.settings != null);
  expect(second.sessions[0]).toMatchObject({ fps: 25, problem: '', differences: [] });
});

test('a session that ends early is sent with the rate of its counter; one without frames has none', async () => {
  const rig = await openSessionRig({ rule: { fps: null } });
  const { desk } = await rig.live();
  const nowMs = rig.clock.nowMs();
  const began = { beganMs: nowMs, cameraRate: null };
  await desk.onCounter('camera', view(0, nowMs, began));
  await desk.start('camera');
  await desk.onCounter('camera', view(50, nowMs + 2000, { ...began, cameraRate: 25.0004 }));
  expect(desk.sessions[0]).toMatchObject({ fps: null, problem: '' });
  await desk.end('camera', 'by hand');
  expect(desk.sessions[0]?.fps).toBe(25);
  await rig.until('it is at the service', () => desk.sessions[0]?.settings != null);
  // The camera stands still, and its counter knows the rate of before.
  await desk.onCounter('camera', view(50, nowMs + 9000, { ...began, cameraRate: 25, isStill: true }));
  await desk.start('camera');
  await desk.end('camera', 'by hand');
  expect(desk.sessions[1]).toMatchObject({ fps: null, problem: expect.stringContaining('never measured') });
});

test('what waits for a person goes on when they say so', async () => {
  const rig = await openSessionRig();
  let isDouble = true;
  const sample = (id: string) => ({
    data_id: id,
    raw_name: id,
    physical_sample_id: id,
    physical_sample_name: 'G3-117',
  });
  const { desk } = await rig.live({
    service: {
      ...rig.client,
      listDataEntries: async (query) => (isDouble ? [sample('a'), sample('b')] : rig.client.listDataEntries(query)),
    },
  });
  const { nonce } = await desk.start('camera', { newSampleName: 'G3-117' });
  await rig.until('it is asked', () => desk.sessions[0]?.problem !== '');
  isDouble = false;
  await desk.retry(nonce);
  await rig.until('it is there', () => desk.sessions[0]?.settings != null);
  expect(desk.sessions[0]?.problem).toBe('');
  await expect(desk.retry('nobody')).rejects.toMatchObject({ code: 'rheed.no-session' });
});

test('a sample that was just created is linked by its id though no search finds it yet', async () => {
  const rig = await openSessionRig();
  const bodies: object[] = [];
  const { desk } = await rig.live({
    service: {
      ...rig.client,
      // A catalogue whose search lags.
      listDataEntries: async (query) => (query.keywords ? [] : rig.client.listDataEntries(query)),
      startRheedStream: (body, options) => {
        bodies.push(body);
        return rig.client.startRheedStream(body, options);
      },
    },
  });
  for (let session = 0; session < 2; session++) {
    await desk.start('camera', { newSampleName: 'G3-117' });
    await rig.until('it is read back', () => desk.sessions[session]?.settings != null);
    await desk.end('camera', 'by hand');
  }
  const sampleId = desk.sessions[0]?.sampleId;
  expect(bodies[1]).toMatchObject({ physical_sample_id: sampleId });
  expect(bodies[1]).not.toHaveProperty('create_physical_sample_name');
});

test('a session that begins while another one is being sent does not wait for the next round', async () => {
  const rig = await openSessionRig();
  const gate = Promise.withResolvers<void>();
  const began = Promise.withResolvers<void>();
  let calls = 0;
  const service = new Proxy(rig.client, {
    get: (target, name: string) => {
      const call = Reflect.get(target, name) as (...args: unknown[]) => Promise<unknown>;
      if (name !== 'startRheedStream') return call;
      return async (...args: unknown[]) => {
        calls += 1;
        if (calls === 1) {
          began.resolve();
          await gate.promise;
        }
        return call.apply(target, args);
      };
    },
  });
  // A wait for the next round lasts until somebody ends it.
  const clock = {
    ...rig.clock,
    sleep: (durationMs: number, signal?: AbortSignal) =>
      durationMs < 50_000
        ? rig.clock.sleep(durationMs, signal)
        : new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true })),
  };
  const rules = ['camera', 'other'].map((sourceId) => ({ ...RULE, sourceId }));
  const { desk } = await rig.live({ service, clock, rules });
  await desk.start('camera');
  await began.promise;
  await desk.start('other');
  gate.resolve();
  await rig.until('both are known', () => desk.sessions.every(({ dataId }) => dataId !== null));
  expect(desk.sessions).toHaveLength(2);
});
