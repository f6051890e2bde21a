// Recorder, queue and uploader against a real service: the agent without its sources, in one thread. Points are given by
// hand, and what the service holds at the end is compared with them.
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { makeNonce } from '../../../src-main/agent/pipeline/nonce.ts';
import type { ServiceClient } from '../../../src-main/delivery/client/client.ts';
import type { ResendPolicy } from '../../../src-main/delivery/upload/machine.ts';
import type { UploadService } from '../../../src-main/delivery/upload/ports.ts';
import { Uploader } from '../../../src-main/delivery/upload/uploader.ts';
import type { AgentError } from '../../../src-main/model/agent-error.ts';
import type { StreamTally } from '../../../src-main/model/queue.ts';
import { Recorder } from '../../../src-main/queue/recorder/recorder.ts';
import type { Store } from '../../../src-main/queue/store/store.ts';
import { fastClock } from '../fast-clock.ts';
import { memoryFolder } from '../temp-folder.ts';
import { readDelivered } from './delivered.ts';
import { openStoreHere } from './promised-queue.ts';

/** Time in the engine runs this much faster. */
const SPEED = 50;

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
    const store = openStoreHere(join(options.folder ?? memoryFolder('engine'), 'queue.db'));
    engine.store = store;
    engine.uploader = new Uploader({
      queue: store,
      service: options.gate?.(options.client, store) ?? options.client,
      serviceAddress: 'rig',
      finalizePath: options.finalizePath ?? null,
      clock: engine.clock,
      random: Math.random,
      policy: { resend: 'verify', holdOffMs: 15_000, ...options.policy },
      onChange: () => {},
      onLine: () => {},
      onDelivered: (streamId) => void engine.uploader.end(streamId),
      onFailure: (_, error) => engine.failures.push(error),
    });
    engine.recorder = await Recorder.open({
      store,
      clock: engine.clock,
      timeZone: 'UTC',
      toolName: 'Rig',
      synthSourceId: null,
      ruleOf: () => ({ pointsPerChunk: options.pointsPerChunk ?? 5, rollover: 'growth', closeAfterQuietMs: null }),
      makeNonce,
      onCommitted: (ids) => void engine.uploader.notify(ids),
      onStoreState: () => {},
    });
    await engine.uploader.start();
    onTestFinished(() => engine.close());
    return engine;
  }

  /** Capture rows: value n of each channel at n x 10 ms, so that every point tells which one it is. */
  async capture(rows: number, sourceId = 'rig'): Promise<void> {
    const timesMs = Float64Array.from({ length: rows }, (_, i) => (this.captured + i) * 10);
    const values = Float64Array.from(
      { length: rows * this.channels.length },
      (_, i) => this.captured + Math.floor(i / this.channels.length),
    );
    this.captured += rows;
    await this.recorder.capture(sourceId, {
      blocks: [{ channels: this.channels, timesMs, values }],
      positions: [],
      rowsRead: rows,
      refusals: [],
      refusedCount: 0,
      origin: 'live',
    });
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
