// One seed, one life of the engine (recorder, store, uploader): captures, crashes, full disks, nights without network,
// and a service that loses answers. At the end everything heals, and the points are counted: captured = delivered +
// waiting + refused, each once, unaltered and in order. The store is the real one, called in this thread, on a memory
// file system.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { UploadQueue } from '../../src-main/delivery/upload/ports.ts';
import { Uploader } from '../../src-main/delivery/upload/uploader.ts';
import { AgentError } from '../../src-main/model/agent-error.ts';
import { Recorder } from '../../src-main/queue/recorder/recorder.ts';
import { openQueue, type Queue } from '../../src-main/queue/store/queue.ts';
import { ModelService, type Repeat, type StoredPoint } from './model-service.ts';
import { Chance } from './random.ts';
import { VirtualClock } from './virtual-clock.ts';

const HOLD_OFF_MS = 15_000;
const HOUR_MS = 3_600_000;

export interface SimulationResult {
  readonly seed: number;
  readonly captured: number;
  readonly delivered: number;
  readonly refused: number;
  readonly crashes: number;
  /** How often several chunks were settled at once. */
  readonly bursts: number;
  readonly lost: number;
  readonly doubled: number;
  readonly altered: number;
  /** Streams that were held for a person although nothing was wrong with them. */
  readonly unexplained: number;
  /** A fingerprint of the whole run: the same seed gives the same. */
  readonly trace: string;
}

interface Run {
  readonly seed: number;
  readonly chance: Chance;
  readonly clock: VirtualClock;
  readonly service: ModelService;
  readonly resend: 'verify' | 'repeat';
  readonly window: number;
  readonly path: string;
  readonly pointsPerChunk: number;
  /** Points whose capture was confirmed as stored, by channel; the truth. */
  readonly truth: Map<string, StoredPoint[]>;
  captured: number;
  crashes: number;
  bursts: number;
}

interface Life {
  readonly queue: Queue;
  readonly recorder: Recorder;
  readonly uploader: Uploader;
  isDiskFull: boolean;
  isOver: boolean;
}

/** How often a commit is applied and its answer lost, as when the store's thread dies in between. */
const ANSWER_LOST_RATE = 0.03;

/** How often the answer to an acknowledgement takes a while, in which a crash can come. */
const SLOW_RATE = 0.3;

/** The queue as the agent calls it: dead after a crash, refusing while the disk is full, sometimes applying unheard. */
function storeOf(life: { queue: Queue; isDiskFull: boolean; isOver: boolean }, chance: Chance, clock: VirtualClock) {
  const over = new Promise<never>(() => {});
  const call =
    (name: keyof Queue) =>
    async (...args: unknown[]) => {
      if (life.isOver) return over;
      const isWrite =
        name !== 'load' &&
        name !== 'nextChunk' &&
        name !== 'nextChunks' &&
        name !== 'chunkAfter' &&
        name !== 'uploadStream' &&
        name !== 'uploadStreams' &&
        name !== 'readWindow' &&
        name !== 'acknowledgedPoints' &&
        name !== 'acknowledgedAfter' &&
        name !== 'countAcknowledgedAfter';
      if (life.isDiskFull && isWrite) {
        throw new AgentError({ code: 'store.disk-full', message: 'full', hint: '', retry: 'later' });
      }
      const answer = (life.queue[name] as (...args: unknown[]) => unknown)(...args);
      if (name === 'acknowledge' && chance.happens(SLOW_RATE)) await clock.sleep(chance.between(1, 100));
      if (life.isOver) return over;
      if (isWrite && chance.happens(ANSWER_LOST_RATE)) {
        throw new AgentError({ code: 'store.stopped', message: 'answer lost', hint: '', retry: 'later' });
      }
      return answer;
    };
  const calls = Object.fromEntries(Object.keys(life.queue).map((name) => [name, call(name as keyof Queue)]));
  return { ...calls, together: (ask: () => unknown) => ask() } as unknown as {
    [N in keyof Queue]: (...args: Parameters<Queue[N]>) => Promise<ReturnType<Queue[N]>>;
  } & Pick<UploadQueue, 'together'>;
}

async function begin(run: Run): Promise<Life> {
  const shell = { queue: openQueue(run.path), isDiskFull: false, isOver: false };
  const { clock, chance, service, resend, window, pointsPerChunk } = run;
  const store = storeOf(shell, chance, clock);
  const { acknowledge } = store;
  store.acknowledge = (ids, atMs) => {
    if (typeof ids !== 'number' && ids.length > 1) run.bursts += 1;
    return acknowledge(ids, atMs);
  };
  const uploader = new Uploader({
    queue: store,
    service,
    serviceAddress: 'model',
    finalizePath: null,
    clock,
    random: chance.next,
    policy: { resend, holdOffMs: HOLD_OFF_MS },
    window,
    onChange: () => {},
    onLine: () => {},
    onDelivered: () => {},
    onFailure: () => {},
  });
  const recorder = await Recorder.open({
    store: {
      load: store.load,
      commit: (commit) => {
        const committed = store.commit(commit);
        uploader.prefetch(commit.chunks.map(({ streamId }) => streamId));
        return committed;
      },
    },
    clock,
    timeZone: 'UTC',
    toolName: 'Sim',
    synthSourceId: null,
    ruleOf: () => ({ pointsPerChunk, rollover: 'growth', closeAfterQuietMs: HOUR_MS }),
    makeNonce: () => `n${Math.floor(chance.next() * 1e9).toString(36)}`,
    onCommitted: (ids) => void uploader.notify(ids),
    onStoreState: () => {},
  });
  await uploader.start();
  return Object.assign(shell, { recorder, uploader });
}

/** Capture a few readings; what the recorder confirms becomes part of the truth, and so does what a crash finds stored. */
function capture(run: Run, life: Life): Promise<void> {
  const { chance, truth, clock } = run;
  const channels = ['a', 'b', 'c'].filter(() => chance.happens(0.8));
  if (channels.length === 0) return Promise.resolve();
  const rows = chance.between(1, 12);
  const startMs = clock.nowMs();
  const timesMs = Float64Array.from({ length: rows }, (_, i) => startMs + i * 10);
  const values = new Float64Array(rows * channels.length).fill(Number.NaN);
  const points: [string, StoredPoint][] = [];
  for (let at = 0; at < values.length; at++) {
    if (chance.happens(0.1)) continue;
    values[at] = ++run.captured;
    const timeMs = timesMs[Math.floor(at / channels.length)] as number;
    points.push([channels[at % channels.length] as string, { timeMs, value: run.captured }]);
  }
  const confirmed = () => {
    for (const [channel, point] of points) truth.set(channel, [...(truth.get(channel) ?? []), point]);
  };
  return life.recorder
    .capture('sim', {
      blocks: [{ channels, timesMs, values }],
      positions: [],
      rowsRead: rows,
      refusals: [],
      refusedCount: 0,
      origin: 'live',
    })
    .then(confirmed, () => {});
}

async function crash(run: Run, life: Life): Promise<Life> {
  life.isOver = true;
  run.clock.crash();
  run.crashes += 1;
  life.queue.close();
  return begin(run);
}

/** Compares the points that the queue still holds or refused, and those of the service, with the truth. */
function count(
  run: Run,
  queue: Queue,
): Omit<SimulationResult, 'seed' | 'captured' | 'crashes' | 'bursts' | 'unexplained' | 'trace'> {
  const have = new Map<number, StoredPoint[]>();
  const note = (point: StoredPoint) => have.set(point.value, [...(have.get(point.value) ?? []), point]);
  let delivered = 0;
  let refused = 0;
  let altered = 0;
  for (const stream of queue.tally(10_000).streams) {
    refused += stream.pointsRefused;
    for (const channel of run.truth.keys()) {
      const stored = stream.dataId === null ? [] : run.service.points(stream.dataId, channel);
      delivered += stored.length;
      for (const [i, point] of stored.entries()) {
        note(point);
        if (i > 0 && point.value <= (stored[i - 1] as StoredPoint).value) altered += 1;
      }
    }
  }
  let lost = 0;
  let doubled = 0;
  for (const points of have.values()) doubled += points.length - 1;
  for (const points of run.truth.values()) {
    for (const truth of points) {
      const found = have.get(truth.value) ?? [];
      if (found.length === 0) lost += 1;
      if (found.some((point) => Math.abs(point.timeMs - truth.timeMs) > 0.001)) altered += 1;
    }
  }
  // Refused points and points that wait are not at the service, and not lost: the queue's own sums must name them all.
  const waiting = queue.tally(1).waitingPoints;
  return { delivered, refused, lost: Math.max(0, lost - refused - waiting), doubled, altered };
}

/**
 * Live one seed.
 *
 * @returns the counts at its end; lost, doubled, altered and unexplained must be 0.
 */
export async function simulate(seed: number): Promise<SimulationResult> {
  const folder = mkdtempSync(join(process.platform === 'linux' ? '/dev/shm' : tmpdir(), 'simulation-'));
  try {
    return await live(seed, join(folder, 'queue.db'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function live(seed: number, path: string): Promise<SimulationResult> {
  const chance = new Chance(seed);
  const clock = new VirtualClock();
  const repeat = chance.pick<Repeat>(['replace', 'replace', 'replace', 'reject', 'ignore', 'append']);
  // `repeat` is for services that replace a repeated chunk, and only those.
  const resend = repeat === 'replace' && chance.happens(0.7) ? 'repeat' : 'verify';
  const window = resend === 'repeat' ? chance.between(1, 8) : 1;
  const readLagMs = chance.pick([0, 0, 500, 5000]);
  const service = new ModelService(clock, chance, {
    repeat,
    faultRate: chance.pick([0, 0.1, 0.3, 0.6]),
    // What arrives late must be there for the eyes of a read after the hold-off: that is what it is for.
    lateMs: HOLD_OFF_MS - readLagMs - 1000,
    readLagMs,
    poison: chance.happens(0.3) ? chance.between(1, 200) : null,
    isCountingAlone: resend === 'repeat' && chance.happens(0.3),
    isFiltered: chance.happens(0.3),
  });
  const pointsPerChunk = chance.pick([1, 3, 10, 50]);
  const run: Run = {
    seed,
    chance,
    clock,
    service,
    resend,
    window,
    path,
    pointsPerChunk,
    truth: new Map(),
    captured: 0,
    crashes: 0,
    bursts: 0,
  };
  let life = await begin(run);
  const steps = chance.between(5, 40);
  for (let step = 0; step < steps; step++) {
    void capture(run, life);
    if (chance.happens(0.1)) service.isDown = !service.isDown;
    if (chance.happens(0.05)) service.isKeyRefused = !service.isKeyRefused;
    life.isDiskFull = chance.happens(life.isDiskFull ? 0.6 : 0.05);
    if (chance.happens(0.15)) {
      // At any moment: with the capture under way, and with whatever request is.
      await clock.pass(chance.between(0, 300));
      life = await crash(run, life);
    }
    life.recorder.tick();
    // A person presses "try again", or the PC wakes up, at any moment.
    if (chance.happens(0.3)) {
      await clock.pass(chance.between(0, 5000));
      life.uploader.release();
    }
    await clock.pass(chance.pick([10, 500, 2000, 2000, 5000, 60_000, 600_000]));
  }
  return heal(run, life);
}

/** The network is sound again, the disk has room, the streams end: after that everything is settled. */
async function heal(run: Run, life: Life): Promise<SimulationResult> {
  const { service, clock, seed } = run;
  Object.assign(service, { isFaulty: false, isDown: false, isKeyRefused: false });
  life.isDiskFull = false;
  await clock.pass(60_000);
  life.uploader.release();
  const closed = life.recorder.closeStreams();
  await clock.pass(2 * HOUR_MS);
  await closed;
  await clock.pass(HOUR_MS);
  const { streams } = life.queue.tally(10_000);
  const unexplained = streams.filter((stream) => !stream.isDelivered).length;
  // A capture under way in a crash was either stored or not; what was stored without being confirmed is no surplus.
  const result = count(run, life.queue);
  const trace = JSON.stringify([
    clock.nowMs(),
    streams.map((s) => [s.name, s.dataId, s.pointsStored, s.pointsAcknowledged]),
  ]);
  life.isOver = true;
  void life.uploader.stop();
  clock.crash();
  life.queue.close();
  return { seed, captured: run.captured, crashes: run.crashes, bursts: run.bursts, ...result, unexplained, trace };
}

if (import.meta.main) {
  const seed = Number(process.argv[2] ?? 1);
  const last = Number(process.argv[3] ?? seed);
  let bad = 0;
  let bursts = 0;
  for (let s = seed; s <= last; s++) {
    const { trace, ...result } = await simulate(s);
    const isBad = result.lost + result.doubled + result.altered + result.unexplained > 0;
    if (isBad || seed === last) console.log(JSON.stringify(result));
    if (isBad) bad += 1;
    bursts += result.bursts;
    if (seed === last) console.log(trace);
  }
  console.log(`${last - seed + 1} seeds, ${bad} with a fault, ${bursts} bursts`);
  process.exit(bad > 0 ? 1 : 0);
}
