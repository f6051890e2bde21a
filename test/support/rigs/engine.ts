// Recorder, queue and uploader: the agent without its sources, in one thread. The queue is the real one, on a memory file
// system where there is one. `Engine` stands before a real service, and what that holds at the end is compared with the points
// that were given; `VirtualAgent` lives on a clock that the test moves: hours take moments, and many fit into one process.
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import { makeNonce } from '../../../src-main/agent/pipeline/nonce.ts';
import type { ServiceClient } from '../../../src-main/delivery/client/client.ts';
import type { ResendPolicy } from '../../../src-main/delivery/upload/machine.ts';
import type { UploadService } from '../../../src-main/delivery/upload/ports.ts';
import { Uploader } from '../../../src-main/delivery/upload/uploader.ts';
import type { AgentError } from '../../../src-main/model/agent-error.ts';
import type { StreamTally } from '../../../src-main/model/queue.ts';
import type { Clock } from '../../../src-main/platform/clock.ts';
import { Recorder } from '../../../src-main/queue/recorder/recorder.ts';
import { openQueue, type Queue } from '../../../src-main/queue/store/queue.ts';
import type { Store } from '../../../src-main/queue/store/store.ts';
import { CALM, ModelService } from '../../simulation/model-service.ts';
import { Chance } from '../../simulation/random.ts';
import { VirtualClock } from '../../simulation/virtual-clock.ts';
import { fastClock } from '../fast-clock.ts';
import { memoryFolder } from '../temp-folder.ts';
import { readDelivered } from './delivered.ts';
import { type PromisedQueue, promiseQueue } from './small-queue.ts';

/** Time in the engine runs this much faster. */
const SPEED = 50;

interface Wiring {
  readonly store: Store | PromisedQueue;
  readonly service: UploadService;
  readonly clock: Clock;
  readonly random: () => number;
  readonly policy: Partial<ResendPolicy> | undefined;
  readonly finalizePath?: string | undefined;
  readonly pointsPerChunk: number | undefined;
  readonly rollover?: 'growth' | 'daily' | undefined;
  readonly toolName: string;
  readonly makeNonce: () => string;
  readonly onDelivered?: (streamId: number) => void;
  readonly onFailure?: (error: AgentError) => void;
}

/** Recorder and uploader on one queue, as the agent puts them together; the uploader has started. */
async function wireUp(wiring: Wiring): Promise<{ recorder: Recorder; uploader: Uploader }> {
  const { store, service, clock, random, policy, finalizePath = null, toolName, makeNonce } = wiring;
  const { pointsPerChunk = 5, rollover = 'growth', onDelivered = () => {}, onFailure = () => {} } = wiring;
  const uploader = new Uploader({
    queue: store,
    service,
    serviceAddress: 'rig',
    finalizePath,
    clock,
    random,
    policy: { resend: 'verify', holdOffMs: 15_000, ...policy },
    onChange: () => {},
    onLine: () => {},
    onDelivered,
    onFailure: (_, error) => onFailure(error),
  });
  const recorder = await Recorder.open({
    store,
    clock,
    timeZone: 'UTC',
    toolName,
    synthSourceId: null,
    ruleOf: () => ({ pointsPerChunk, rollover, closeAfterQuietMs: null }),
    makeNonce,
    onCommitted: (ids) => void uploader.notify(ids),
    onStoreState: () => {},
  });
  await uploader.start();
  return { recorder, uploader };
}

/** Rows of some channels as a source captures them, live: all channels of a row have one value, which tells which row it is. */
function rowsOf(channels: readonly string[], first: number, timesMs: Float64Array) {
  const values = Float64Array.from(
    { length: timesMs.length * channels.length },
    (_, at) => first + Math.floor(at / channels.length),
  );
  return {
    blocks: [{ channels, timesMs, values }],
    positions: [],
    rowsRead: timesMs.length,
    refusals: [],
    refusedCount: 0,
    origin: 'live' as const,
  };
}

export interface EngineOptions {
  readonly client: ServiceClient;
  readonly policy?: Partial<ResendPolicy>;
  readonly pointsPerChunk?: number;
  readonly finalizePath?: string;
  /** What stands between uploader and service. */
  readonly gate?: (service: UploadService, store: Store) => UploadService;
  readonly channels?: readonly string[];
  readonly folder?: string;
  /** First value to be captured; a second engine on the same folder goes on where the first stopped. */
  readonly from?: number;
}

export class Engine {
  readonly clock = fastClock(SPEED);
  readonly failures: AgentError[] = [];
  readonly client: ServiceClient;
  readonly channels: readonly string[];
  store!: Store;
  recorder!: Recorder;
  uploader!: Uploader;
  /** Points captured so far, a channel. */
  captured: number;
  #isOpen = true;

  private constructor(options: EngineOptions) {
    this.client = options.client;
    this.channels = options.channels ?? ['a', 'b', 'c'];
    this.captured = options.from ?? 0;
  }

  static async open(options: EngineOptions): Promise<Engine> {
    const engine = new Engine(options);
    const queue = openQueue(join(options.folder ?? memoryFolder('engine'), 'queue.db'), { reserveBytes: 0 });
    // Answers come with the next turn of the event loop, as those of the store's thread do at the earliest.
    const store: Store = { ...promiseQueue(queue, turn), onFailure: () => {} };
    engine.store = store;
    const { recorder, uploader } = await wireUp({
      store,
      service: options.gate?.(options.client, store) ?? options.client,
      clock: engine.clock,
      random: Math.random,
      policy: options.policy,
      finalizePath: options.finalizePath,
      pointsPerChunk: options.pointsPerChunk,
      toolName: 'Rig',
      makeNonce,
      onDelivered: (streamId) => void uploader.end(streamId),
      onFailure: (error) => engine.failures.push(error),
    });
    engine.recorder = recorder;
    engine.uploader = uploader;
    onTestFinished(() => engine.close());
    return engine;
  }

  /** Capture rows: value n of each channel at n x 10 ms, so that every point tells which one it is. */
  async capture(rows: number, sourceId = 'rig'): Promise<void> {
    const timesMs = Float64Array.from({ length: rows }, (_, i) => (this.captured + i) * 10);
    await this.recorder.capture(sourceId, rowsOf(this.channels, this.captured, timesMs));
    this.captured += rows;
  }

  async streams(): Promise<readonly StreamTally[]> {
    return (await this.store.tally(1000)).streams;
  }

  /** Wait until something holds, at most 90 s of real time. */
  async until(what: string, holds: () => Promise<boolean> | boolean): Promise<void> {
    const endMs = performance.now() + 90_000;
    while (!(await holds())) {
      if (performance.now() > endMs) {
        const seen = JSON.stringify([await this.streams(), [...this.uploader.views()], this.failures.at(-1)], null, 1);
        throw new Error(`not within 90 s: ${what}\n${seen}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  /** Close the streams and wait until all of them are delivered. */
  async deliverAll(): Promise<void> {
    await this.recorder.closeStreams();
    await this.until('all delivered', async () => (await this.streams()).every((stream) => stream.isDelivered));
  }

  /** Wait until a stream is held for a person; gives the code of the reason. */
  async untilBlocked(): Promise<string> {
    let code = '';
    await this.until('a stream is blocked', () => {
      for (const { state } of this.uploader.views().values()) if (state.kind === 'blocked') code = state.reason.code;
      return code !== '';
    });
    return code;
  }

  /** The service holds every captured point of these channels once and in order, and nothing else. */
  async expectDelivered(channels = this.channels): Promise<void> {
    const truth = Array.from({ length: this.captured }, (_, n) => ({ timeMs: n * 10, value: n }));
    const delivered = await readDelivered(this.client);
    expect([...delivered.keys()].sort()).toEqual([...channels].sort());
    for (const channel of channels) expect(delivered.get(channel)).toEqual(truth);
  }

  async close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.recorder.flush();
    await this.uploader.stop();
    await this.store.close();
  }
}

export interface VirtualAgentOptions {
  readonly name: string;
  readonly clock: VirtualClock;
  readonly chance: Chance;
  readonly service: UploadService;
  readonly policy?: Partial<ResendPolicy>;
  readonly pointsPerChunk?: number;
  readonly rollover?: 'growth' | 'daily';
}

export class VirtualAgent {
  readonly queue: Queue;
  readonly uploader: Uploader;
  readonly recorder: Recorder;
  readonly #clock: VirtualClock;
  #captured = 0;

  private constructor(clock: VirtualClock, queue: Queue, uploader: Uploader, recorder: Recorder) {
    this.#clock = clock;
    this.queue = queue;
    this.uploader = uploader;
    this.recorder = recorder;
  }

  static async open(options: VirtualAgentOptions): Promise<VirtualAgent> {
    const { name, clock, chance, service, policy, pointsPerChunk, rollover } = options;
    const queue = openQueue(join(memoryFolder('virtual'), 'queue.db'), { reserveBytes: 0 });
    let streams = 0;
    const { recorder, uploader } = await wireUp({
      ...{ store: promiseQueue(queue), service, clock, random: chance.next, policy, pointsPerChunk, rollover },
      ...{ toolName: name, makeNonce: () => `${name}-${++streams}` },
    });
    onTestFinished(async () => {
      const stopped = uploader.stop();
      // What sleeps on this clock wakes only while it passes.
      await clock.pass(120_000);
      await stopped;
      queue.close();
    });
    return new VirtualAgent(clock, queue, uploader, recorder);
  }

  /** Points captured so far, a channel. */
  get captured(): number {
    return this.#captured;
  }

  /** Capture so many rows of two channels, stamped with the present; values tell which row it is. */
  capture(rows: number): void {
    const timesMs = Float64Array.from({ length: rows }, (_, i) => this.#clock.nowMs() + i);
    void this.recorder.capture('log', rowsOf(['a', 'b'], this.#captured, timesMs));
    this.#captured += rows;
  }
}

const DAY_MS = 86_400_000;

/** Be without network for so many days while a reading comes every `stepMs`, and deliver all of it afterwards. */
export async function expectDeliveredAfterOutage(days: number, stepMs: number): Promise<void> {
  const clock = new VirtualClock();
  const chance = new Chance(7);
  const service = new ModelService(clock, chance, CALM);
  const rule = { pointsPerChunk: 10, rollover: 'daily' } as const;
  const agent = await VirtualAgent.open({ name: 'MBE-1', clock, chance, service, ...rule });
  const { queue, uploader, recorder } = agent;
  const record = async () => {
    agent.capture(1);
    await clock.pass(stepMs);
    recorder.tick();
  };

  await clock.pass(DAY_MS / 2);
  service.isDown = true;
  for (let passedMs = 0; passedMs < days * DAY_MS; passedMs += stepMs) {
    await record();
    if (agent.captured % 50 !== 0) continue;
    // The agent's own view is fed from its store: it shows the newest reading although nothing is sent.
    const seen = queue.readPoints('log', 'a', clock.nowMs() - 10 * stepMs, clock.nowMs());
    expect(seen.values.at(-1)).toBe(agent.captured - 1);
    expect(uploader.lineFault).toMatchObject({ trouble: 'offline' });
  }
  expect(queue.tally(1).waitingPoints).toBe(2 * agent.captured);

  service.isDown = false;
  const openStream = queue.tally(days + 10).streams.find(({ isClosed }) => !isClosed);
  while (service.entries.size < days + 1) await clock.pass(100);
  await record();
  await clock.pass(20_000);
  const after = queue.tally(days + 10).streams;
  const today = after.find(({ id }) => id === openStream?.id);
  expect(today?.chunksWaiting, 'today is there first').toBe(0);
  for (let i = 0; i < 60; i++) await record();
  await recorder.closeStreams();
  await clock.pass(DAY_MS / 24);
  const { streams } = queue.tally(days + 10);
  expect(streams.every(({ isDelivered }) => isDelivered)).toBe(true);
  expect(streams).toHaveLength(days + 1);
  const delivered = streams
    .toReversed()
    .flatMap(({ dataId }) => service.points(dataId ?? '', 'a').map(({ value }) => value));
  expect(delivered).toEqual(Array.from({ length: agent.captured }, (_, n) => n));
}
