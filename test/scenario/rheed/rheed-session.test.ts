// RHEED sessions, from their begin to what the service made of them.
import { expect, onTestFinished, test } from 'vitest';
import { makeNonce } from '../../../src-main/agent/pipeline/nonce.ts';
import { Uploader } from '../../../src-main/delivery/upload/uploader.ts';
import type { EndpointName } from '../../../src-main/interface/table.ts';
import { Recorder } from '../../../src-main/queue/recorder/recorder.ts';
import { openRheedSource } from '../../../src-main/sources/rheed/rheed-source.ts';
import type { SourceSink } from '../../../src-main/sources/source.ts';
import { playCamera } from '../../support/rheed/camera-player.ts';
import { openSessionRig, SPEED } from '../../support/rigs/session-rig.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/** 02:00 in a night of the lab. */
const NIGHT_MS = Date.UTC(2026, 10, 20, 2);
const HOUR_MS = 3_600_000;
const STEPS = [
  'startRheedStream',
  'readRheedSettings',
  'listDataEntries',
  'initializeStream',
  'ingestChunk',
  'readTimeSeries',
];

test('begun offline at 02:00 and delivered at 08:00: the right times, one entry, one sample, though answers are lost at every step', async () => {
  const fault = { kind: 'lost-after', how: 'reset' } as const;
  const rules = STEPS.map((endpoint) => ({ fault, endpoint: endpoint as EndpointName, times: 1 }));
  const rig = await openSessionRig({
    beginMs: NIGHT_MS,
    bench: { rules },
    // A busy machine may hold the camera up for a moment; the test makes the silence by moving the clock.
    rule: { endAfterSilenceMs: HOUR_MS },
    finalizePath: '/rheed/stream/{data_id}/end',
  });
  const { store, clock } = rig;
  // No network: whatever is sent is refused before it leaves.
  let isOnline = false;
  const refused = Object.assign(new Error('no network'), {
    ...{
      code: 'service.unreachable',
      hint: '',
      retry: 'later',
      failure: { kind: 'not-sent', afterMs: null, cause: 'unreachable' },
    },
  });
  const impatient = rig.impatient;
  const through = new Proxy(impatient, {
    get: (target, name) => {
      const call = Reflect.get(target, name) as (...args: unknown[]) => unknown;
      if (typeof call !== 'function') return call;
      return (...args: unknown[]) => (isOnline ? call.apply(target, args) : Promise.reject(refused));
    },
  });
  const { desk } = await rig.live({ service: through });
  const uploader = new Uploader({
    ...{ queue: store, service: through, serviceAddress: 'rig', finalizePath: null, clock, random: Math.random },
    policy: { resend: 'verify', holdOffMs: 15_000 },
    ...{ onChange: () => {}, onDelivered: () => {}, onLine: () => {}, onFailure: () => {} },
  });
  await uploader.start();
  onTestFinished(() => uploader.stop());
  const recorder = await Recorder.open({
    ...{ store, clock, timeZone: 'UTC', toolName: 'MBE-1', synthSourceId: null, makeNonce },
    ruleOf: () => ({ pointsPerChunk: 10, rollover: 'daily', closeAfterQuietMs: null }),
    onCommitted: (ids) => void uploader.notify(ids),
    onStoreState: () => {},
  });
  const sink: SourceSink = {
    positions: () => store.positions('camera'),
    declare: (channels) => recorder.declare('camera', channels),
    capture: (capture) => recorder.capture('camera', capture),
    ...{ note: () => {}, gap: () => {} },
  };

  // 02:00, offline: the session begins, the camera runs, the session ends.
  const folder = tempFolder('night');
  const stop = new AbortController();
  const place = { pattern: null, field: 'frame', lostField: null, timeField: null };
  const counter = { type: 'log', path: folder, match: '*.jsonl', lines: 'each-frame', ...place } as const;
  let [looks, counted] = [0, 0];
  const source = openRheedSource({
    ...{ id: 'camera', counter, fps: 30, timeZone: 'UTC', clock },
    onCounter: (view) => {
      looks += 1;
      counted = view.counted;
      void desk.onCounter('camera', view);
    },
  });
  const running = source.run(sink, stop.signal);
  await rig.until('the counter was looked at', () => looks > 0);
  const { name } = await desk.start('camera', { newSampleName: 'wrong name' });
  const plan = {
    kind: 'log',
    folder,
    fps: 30 * SPEED,
    deeds: [{ kind: 'frames', count: 1200 }],
    firstNumber: 0,
    rollsOverAt: null,
  } as const;
  await playCamera(plan, (timeMs) => new Promise((resolve) => setTimeout(resolve, timeMs - Date.now())));
  await rig.until('all was counted', () => counted >= 1200);
  clock.ahead(HOUR_MS);
  await rig.until('silence ended it', () => desk.sessions[0]?.endedMs != null);
  stop.abort();
  await running;
  const nightEndMs = clock.nowMs();
  // The operator knows the sample better in the morning, still before anything was sent.
  clock.ahead(NIGHT_MS + 6 * HOUR_MS - clock.nowMs());
  await desk.change(desk.sessions[0]?.nonce ?? '', { newSampleName: 'G3-117' });
  await recorder.closeStreams();
  expect([rig.count('entry'), rig.count('sample')]).toEqual([0, 0]);

  // 08:00: the network is back.
  isOnline = true;
  desk.release();
  uploader.release();
  await rig.until('the session is settled', () => desk.sessions[0]?.finalize === 'done');
  await rig.until('the stream is delivered', async () =>
    (await store.tally(9)).streams.every(({ isDelivered }) => isDelivered),
  );
  const { hits } = (await rig.service.runBench({ kind: 'report' })) as { hits: readonly number[] };
  expect(hits.map((count, step) => `${STEPS[step]} ${count}`)).toEqual(STEPS.map((step) => `${step} 1`));

  const entries = await rig.client.listDataEntries({});
  expect(entries.map(({ char_source_type }) => char_source_type).sort()).toEqual(['rheed_rotating', 'tool_state']);
  expect(rig.count('sample')).toBe(1);
  const rheed = entries.find(({ char_source_type }) => char_source_type === 'rheed_rotating');
  expect(rheed).toMatchObject({ data_id: desk.sessions[0]?.dataId, raw_name: name, physical_sample_name: 'G3-117' });
  expect(name).toContain('2026-11-20T02:');
  expect(desk.sessions[0]).toMatchObject({
    sampleId: rheed?.physical_sample_id,
    differences: [],
    framesAtStart: 0,
    framesAtEnd: 1200,
  });
  expect(desk.sessions[0]?.startedMs).toBeLessThan(NIGHT_MS + HOUR_MS);
  const toolState = entries.find(({ char_source_type }) => char_source_type === 'tool_state')?.data_id ?? '';
  const series = await rig.client.readTimeSeries({ data_id: toolState });
  const { 'frames counted': frames, 'frame rate': rate } = series?.properties ?? {};
  expect(frames?.values.at(-1)).toBe(1200);
  expect(rate?.values.at(-1)).toBe(0);
  const stamps = Object.values(series?.properties ?? {}).flatMap(({ unix_timestamp_ms }) => unix_timestamp_ms);
  expect(Math.min(...stamps.map(Number))).toBeGreaterThanOrEqual(NIGHT_MS);
  expect(Math.max(...stamps.map(Number))).toBeLessThanOrEqual(nightEndMs);
});

test('what the service has otherwise than it was sent is told, and both readings of the period are right', async () => {
  const rig = await openSessionRig();
  const { desk } = await rig.live({
    service: {
      ...rig.client,
      readRheedSettings: async (query) => ({
        ...(await rig.client.readRheedSettings(query)),
        fps_capture_rate: 25,
        rotations_per_min: 4,
      }),
    },
  });
  await desk.start('camera');
  await rig.until('it is read back', () => desk.sessions[0]?.settings != null);
  // The embedded service answers the period in frames a turn, which is one of the two right readings.
  expect(desk.sessions[0]?.differences).toEqual([
    'fps_capture_rate: sent 30, the service has 25',
    'rotations_per_min: sent 5, the service has 4',
  ]);
  const told = rig.news.find(({ code }) => code === 'rheed.session-started');
  expect(told?.message).toContain(
    '4.97 rpm = 12.072 s = 362.2 frames a turn; rotational_period is sent in seconds, rotations_per_min as 5',
  );
  expect(told?.message).toContain('drifts 2.2 degrees a turn, 11 a minute');
});

test('the frames that the service tells later are compared with those that were counted', async () => {
  const rig = await openSessionRig();
  let total: number | null = null;
  const { desk } = await rig.live({
    service: {
      ...rig.client,
      // Nothing of the interface processes a video here: what a service would say later is said by hand.
      readRheedMetadata: async (query, options) => {
        if (total === null) return rig.client.readRheedMetadata(query, options);
        return [{ data_id: query.data_ids[0] ?? '', fps: 30, total_frames: total }];
      },
    },
  });
  const view = { cameraRate: 30, isStill: false, beganMs: 0, beganCounted: 0, lastFrameMs: 1 };
  await desk.onCounter('camera', { ...view, counted: 100, atMs: 1 });
  await desk.start('camera');
  await desk.onCounter('camera', { ...view, counted: 1000, atMs: 2 });
  await desk.end('camera', 'by hand');
  await rig.until('it is at the service', () => desk.sessions[0]?.settings != null);
  expect(desk.sessions[0]).toMatchObject({ framesAtEnd: 1000, framesAtStart: 100, isDone: false, problem: '' });
  total = 897;
  desk.release();
  await rig.until('it was told', () => desk.sessions[0]?.isDone === true);
  expect(rig.news.find(({ code }) => code === 'rheed.frames-differ')?.message).toContain(
    '897 frames at the service, 900 counted here, a difference of 3',
  );
});

test('the counter begins a session and ends it by silence; one that a person ended is not begun again', async () => {
  const rig = await openSessionRig({ rule: { start: 'by-counter' } });
  const { desk } = await rig.live();
  const now = rig.clock.nowMs();
  const view = (counted: number, atMs: number, lastFrameMs: number, beganMs: number) =>
    desk.onCounter('camera', {
      ...{ counted, atMs, lastFrameMs, beganMs, beganCounted: 40, cameraRate: 30, isStill: atMs - lastFrameMs > 2000 },
    });
  await view(70, now + 1000, now + 1000, now);
  expect(desk.openSession('camera')).toMatchObject({ startedMs: now, framesAtStart: 40 });
  await view(70, now + 50_000, now + 1000, now);
  expect(desk.openSession('camera')).not.toBeNull();
  await view(70, now + 61_000, now + 1000, now);
  expect(desk.openSession('camera')).toBeNull();
  expect(desk.sessions[0]).toMatchObject({ endedMs: now + 1000, framesAtEnd: 70, endCause: 'no frame for 1 min' });
  await view(100, now + 100_000, now + 100_000, now + 99_000);
  await desk.end('camera', 'by hand');
  await view(130, now + 101_000, now + 101_000, now + 99_000);
  expect(desk.sessions).toHaveLength(2);
});

test('a rate that is not set is measured; one above 120 starts nothing and says both numbers', async () => {
  const rig = await openSessionRig({ rule: { fps: null, start: 'by-hand' } });
  const { desk } = await rig.live();
  const view = (perSecond: number, forMs: number) =>
    desk.onCounter('camera', {
      ...{
        counted: 9,
        atMs: forMs,
        lastFrameMs: forMs,
        beganMs: 0,
        beganCounted: 0,
        cameraRate: perSecond,
        isStill: false,
      },
    });
  await view(150.04, 20_000);
  await expect(desk.start('camera')).rejects.toMatchObject({
    ...{ code: 'rheed.rate', message: 'The service takes at most 120 frames per second; 150.04 are measured.' },
  });
  await view(29.9704, 5000);
  await desk.start('camera');
  expect(desk.sessions[0]?.fps).toBeNull();
  await view(29.9704, 15_000);
  await rig.until('it is at the service', () => desk.sessions[0]?.settings != null);
  expect(desk.sessions[0]).toMatchObject({ fps: 29.97, differences: [] });
});

test('sample and project may be chosen until the start is sent, never two samples', async () => {
  const rig = await openSessionRig();
  const { desk } = await rig.live();
  await expect(desk.start('camera', { sampleId: 'a', newSampleName: 'b' })).rejects.toMatchObject({
    code: 'rheed.sample-twice',
  });
  const { nonce } = await desk.start('camera');
  await expect(desk.start('camera')).rejects.toMatchObject({ code: 'rheed.session-open' });
  await rig.until('it is at the service', () => desk.sessions[0]?.dataId != null);
  await expect(desk.change(nonce, { newSampleName: 'late' })).rejects.toMatchObject({ code: 'rheed.start-sent' });
  await expect(desk.start('nobody')).rejects.toMatchObject({ code: 'rheed.no-source' });
});
