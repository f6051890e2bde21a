// All streams side by side: one machine each, one shared line to the service.
//
// Invariants: a stream has one machine at most, with one request under way or one burst; over all streams the line's bound holds
// (line.ts). A machine ends when its stream is delivered, and a new one begins if something of it is sent again. Nothing
// that this holds is needed after a crash: the store says which streams are not delivered. Bound: one machine a stream that
// is not.
import type { AgentError } from '../../model/agent-error.ts';
import type { UploadStream } from '../../model/queue.ts';
import { endStream } from './end-stream.ts';
import { Line, type LineFault } from './line.ts';
import type { ResendPolicy, UploadState } from './machine.ts';
import type { EntryDesk, FormerData, UploadClock, UploadQueue, UploadService } from './ports.ts';
import { PLAIN_ENTRIES } from './stream-entry.ts';
import { StreamUpload } from './stream-upload.ts';

export interface UploaderOptions {
  readonly queue: UploadQueue;
  readonly service: UploadService;
  /** Base address; a stream belongs to the address it was initialized at. */
  readonly serviceAddress: string;
  /** False: the settings name another service now, so nothing begins here that has not. */
  readonly isNamed?: boolean;
  /** Path template that ends a stream on the service; null: streams are not ended there. */
  readonly finalizePath: string | null;
  readonly clock: UploadClock;
  /** In [0, 1). */
  readonly random: () => number;
  readonly policy: ResendPolicy;
  /** Chunks of a stream that may go out side by side under `repeat`; absent: one. */
  readonly window?: number;
  /** What entries carry besides their name; absent: nothing. */
  readonly entries?: EntryDesk;
  /** What the service may hold that the queue does not know; absent: nothing. */
  readonly former?: FormerData;
  readonly onChange: () => void;
  /** What holds the line now, and what held it before; null: nothing. For the journal. */
  readonly onLine: (fault: LineFault | null, before: LineFault | null) => void;
  /** Everything of a closed stream has been acknowledged or refused. */
  readonly onDelivered: (streamId: number) => void;
  /** A failure of one stream, for the journal. */
  readonly onFailure: (streamId: number, error: AgentError) => void;
}

/** What the screen shows of a stream's upload. */
export interface UploadView {
  readonly state: UploadState;
  /** True while its request is under way. */
  readonly isOnLine: boolean;
}

export class Uploader {
  readonly #options: UploaderOptions;
  readonly #line: Line;
  readonly #streams = new Map<number, { upload: StreamUpload; done: Promise<void> }>();
  readonly #ends = new Map<number, Promise<void>>();
  readonly #stop = new AbortController();
  #isBlindTold = false;

  constructor(options: UploaderOptions) {
    this.#options = options;
    const onFault = (fault: LineFault | null, before: LineFault | null) => {
      options.onLine(fault, before);
      options.onChange();
    };
    this.#line = new Line(options.clock, options.random, onFault, options.window);
  }

  /**
   * Begin with every stream that is not delivered yet.
   *
   * @throws those of the store; nothing was begun then.
   */
  async start(): Promise<void> {
    for (const stream of await this.#options.queue.uploadStreams())
      if (this.#owns(stream)) this.#begin(stream.id, true);
  }

  /** Stop; requests under way are given up (their outcome is found out at the next start). */
  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all([...[...this.#streams.values()].map(({ done }) => done), ...this.#ends.values()]);
    this.#line.close();
  }

  /** Streams whose state on disk changed: new chunks, chunks that are sent again, a fixed P, a close. */
  async notify(streamIds: readonly number[]): Promise<void> {
    for (const id of streamIds) {
      const known = this.#streams.get(id);
      if (known) {
        known.upload.notify();
        continue;
      }
      const stream = this.#stop.signal.aborted ? null : await this.#options.queue.uploadStream(id);
      if (stream && this.#owns(stream)) this.#begin(id);
    }
  }

  /** Look at the chunks of these streams that a commit is about to seal, in the same message: those that wait for one. */
  prefetch(streamIds: Iterable<number>): void {
    for (const id of streamIds) this.#streams.get(id)?.upload.prefetch();
  }

  /** Tell the service that a delivered stream has ended, if it is to be told; fulfilled when that is settled. */
  end(streamId: number): Promise<void> {
    const known = this.#ends.get(streamId);
    if (known) return known;
    const { onFailure } = this.#options;
    const options = {
      ...this.#options,
      line: this.#line,
      onFailure: (error: AgentError) => onFailure(streamId, error),
    };
    const done = endStream(streamId, options, this.#stop.signal).finally(() => this.#ends.delete(streamId));
    this.#ends.set(streamId, done);
    return done;
  }

  /** Try at once: the key changed, the network is back, or a person asked. */
  release(): void {
    this.#line.release();
    for (const { upload } of this.#streams.values()) upload.release();
  }

  /** What entries are to carry was chosen or became known: look again where one waits for that. */
  releaseEntries(): void {
    for (const { upload } of this.#streams.values()) upload.releaseEntry();
  }

  /** What holds the line now; null: nothing. */
  get lineFault(): LineFault | null {
    return this.#line.fault;
  }

  /** Since when requests get through, wall clock; null while none has, or none does. */
  get upSinceMs(): number | null {
    return this.#line.upSinceMs;
  }

  /** One stream's upload; null when it is delivered, or not known here. */
  view(streamId: number): UploadView | null {
    const upload = this.#streams.get(streamId)?.upload;
    return upload ? { state: upload.state, isOnLine: upload.isOnLine } : null;
  }

  /** Views of all streams that are not delivered, by stream id. */
  views(): ReadonlyMap<number, UploadView> {
    return new Map(
      [...this.#streams].map(([id, { upload }]) => [id, { state: upload.state, isOnLine: upload.isOnLine }]),
    );
  }

  /** A stream that was begun at another service is none of this one's. */
  #owns({ service }: UploadStream): boolean {
    return service === this.#options.serviceAddress || (service === null && this.#options.isNamed !== false);
  }

  #begin(streamId: number, isOfBefore = false): void {
    if (this.#streams.has(streamId) || this.#stop.signal.aborted) return;
    const { onChange, onFailure } = this.#options;
    const upload = new StreamUpload({
      entries: PLAIN_ENTRIES,
      former: null,
      window: 1,
      ...this.#options,
      isOfBefore,
      streamId,
      line: this.#line,
      onFailure: (error) => onFailure(streamId, error),
      onBlind: (error) => {
        if (!this.#isBlindTold) onFailure(streamId, error);
        this.#isBlindTold = true;
      },
    });
    const done = upload.run(this.#stop.signal).then((isDelivered) => {
      if (isDelivered) {
        // In the same turn in which the store said so: whatever is sent again after that is told to a new machine.
        this.#streams.delete(streamId);
        this.#options.onDelivered(streamId);
      }
      onChange();
    });
    this.#streams.set(streamId, { upload, done });
  }
}
