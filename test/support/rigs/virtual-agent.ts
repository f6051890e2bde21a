// Recorder, queue and uploader under a clock that the test moves: hours take moments, and many agents fit into one process.
// The queue is the real one, on a memory file system where there is one.
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ResendPolicy } from '../../../src-main/delivery/upload/machine.ts';
import type { UploadService } from '../../../src-main/delivery/upload/ports.ts';
import { Uploader } from '../../../src-main/delivery/upload/uploader.ts';
import { Recorder } from '../../../src-main/queue/recorder/recorder.ts';
import { openQueue, type Queue } from '../../../src-main/queue/store/queue.ts';
import type { Chance } from '../../simulation/random.ts';
import type { VirtualClock } from '../../simulation/virtual-clock.ts';
import { memoryFolder } from '../temp-folder.ts';
import { promiseQueue } from './promised-queue.ts';

export interface VirtualAgentOptions {
  readonly name: string;
  readonly clock: VirtualClock;
  readonly chance: Chance;
  readonly service: UploadService;
  readonly policy?: Partial<ResendPolicy>;
  readonly pointsPerChunk?: number;
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
    const { name, clock, chance, service, policy, pointsPerChunk = 5 } = options;
    const folder = memoryFolder('virtual');
    const queue = openQueue(join(folder, 'queue.db'), { reserveBytes: 0 });
    const promised = promiseQueue(queue);
    const uploader = new Uploader({
      queue: promised,
      service,
      serviceAddress: 'virtual',
      finalizePath: null,
      clock,
      random: chance.next,
      policy: { resend: 'verify', holdOffMs: 15_000, ...policy },
      onChange: () => {},
      onLine: () => {},
      onDelivered: () => {},
      onFailure: () => {},
    });
    let streams = 0;
    const recorder = await Recorder.open({
      store: promised,
      clock,
      timeZone: 'UTC',
      toolName: name,
      synthSourceId: null,
      ruleOf: () => ({ pointsPerChunk, rollover: 'growth', closeAfterQuietMs: null }),
      makeNonce: () => `${name}-${++streams}`,
      onCommitted: (ids) => void uploader.notify(ids),
      onStoreState: () => {},
    });
    await uploader.start();
    const agent = new VirtualAgent(clock, queue, uploader, recorder);
    onTestFinished(async () => {
      const stopped = uploader.stop();
      // Whoever sleeps on this clock wakes only while it passes.
      await clock.pass(120_000);
      await stopped;
      queue.close();
    });
    return agent;
  }

  /** Points captured so far, a channel. */
  get captured(): number {
    return this.#captured;
  }

  /** Capture so many rows of two channels, stamped with the present; values tell which row it is. */
  capture(rows: number): void {
    const first = this.#captured;
    this.#captured += rows;
    const timesMs = Float64Array.from({ length: rows }, (_, i) => this.#clock.nowMs() + i);
    const values = Float64Array.from({ length: 2 * rows }, (_, at) => first + Math.floor(at / 2));
    void this.recorder.capture('log', {
      blocks: [{ channels: ['a', 'b'], timesMs, values }],
      positions: [],
      rowsRead: rows,
      refusals: [],
      refusedCount: 0,
      origin: 'live',
    });
  }
}
