// Logs are read on threads of their own, one for each volume: a look at a large folder keeps nothing else waiting, and a volume
// that does not answer keeps only its own logs waiting. Threads serve the whole process and are kept for the next run.
//
// Bounds: four threads that read and four for previews, so that capture never waits for one; of each the disks of this PC have one,
// two volumes have one each, and the others share the last.
// Invariants
//  1. After 15 s in one call the sources of a thread count as stalled, until it answers.
//  2. A run that is aborted ends after 5 s, or after 1 s in one call, whether its thread answers or not. From then on whatever
//     still comes of it is refused, so a thread that returns late changes nothing.
import { Worker } from 'node:worker_threads';
import { AgentError } from '../../../model/agent-error.ts';
import { formatSecond } from '../../../model/format.ts';
import { CallWatch, IN_CALL_MS } from '../../../platform/call-watch.ts';
import { type Volume, volumeOf } from '../../../platform/volume.ts';
import type { SourceSink } from '../../source.ts';
import type { HeldDesk, HeldFile, HeldRun, HeldView } from '../follow/held-desk.ts';
import type { LogSourceOptions } from '../log-source.ts';
import type { LogPreview, PreviewOptions } from '../preview.ts';
import {
  Calls,
  type DeskQuestion,
  type FromReader,
  memoryOf,
  outcomeOf,
  type RunQuestion,
  type ToReader,
} from './reader-messages.ts';

const THREADS_MAX = 4;
/** A call that lasts longer has stalled, milliseconds. */
const STALLED_MS = 15_000;
const WATCH_MS = 1000;
/** How long an aborted run is waited for, milliseconds. */
const END_MS = 5000;
const END_LOOK_MS = 50;

/** Run from source the thread's file lies beside this one; bundled, beside the bundle. */
function workerFile(): URL {
  return new URL(import.meta.url.endsWith('.ts') ? './reader-worker.ts' : './reader-worker.js', import.meta.url);
}

/** What a thread has to do, as the main thread sees it. */
interface WorkOnThread {
  take(message: FromReader): void;
  /** @param lastsMs - how long the present call of the thread has lasted, milliseconds; 0: there is none. */
  noteCall(lastsMs: number): void;
  /** Nothing more comes of it. */
  finish(error: AgentError | null): void;
}

/** A preview of a folder. */
class PreviewOnThread implements WorkOnThread {
  readonly #path: string;
  readonly #answer = Promise.withResolvers<LogPreview>();

  constructor(path: string) {
    this.#path = path;
  }

  get answered(): Promise<LogPreview> {
    return this.#answer.promise;
  }

  take(message: FromReader): void {
    if (message.kind === 'previewed') this.#answer.resolve(message.preview);
  }

  noteCall(lastsMs: number): void {
    if (lastsMs >= STALLED_MS) this.finish(doesNotAnswer(this.#path, Date.now() - lastsMs));
  }

  finish(error: AgentError | null): void {
    this.#answer.reject(error ?? isOver());
  }
}

/** A run on a thread. */
class RunOnThread implements WorkOnThread {
  readonly #options: LogSourceOptions;
  readonly #sink: SourceSink;
  readonly #post: (message: DistributedOmit<ToReader>) => void;
  readonly #desk: HeldDesk | null;
  readonly #calls = new Calls();
  /** What is done before answers take effect, by call. */
  readonly #beforeReading = new Map<number, () => Promise<void>>();
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #end = Promise.withResolvers<void>();
  #held: readonly HeldFile[] = [];
  #isStalled = false;
  #isOver = false;

  constructor(options: LogSourceOptions, sink: SourceSink, post: (message: DistributedOmit<ToReader>) => void) {
    this.#options = options;
    this.#sink = sink;
    this.#post = post;
    this.#desk = options.held ?? null;
    this.#desk?.attach(this.#asHeldRun);
  }

  /** Fulfilled or rejected when the run is over, and its captures are on disk or refused. */
  get ended(): Promise<void> {
    return this.#end.promise;
  }

  readonly #asHeldRun: HeldRun = {
    list: () => this.#held,
    look: async (file) => (await this.#askRun({ kind: 'look', file })) as HeldView,
    answer: async (file, answer, beforeReading) => {
      await this.#askRun({ kind: 'answer', file, answer }, beforeReading);
    },
    wake: () => void this.#desk?.work(this.#asHeldRun),
  };

  #askRun(question: DeskQuestion, beforeReading?: () => Promise<void>): Promise<unknown> {
    return this.#calls.ask((call) => {
      if (beforeReading !== undefined) this.#beforeReading.set(call, beforeReading);
      this.#post({ kind: 'desk', call, question });
    });
  }

  take(message: FromReader): void {
    if (message.kind === 'ask') void this.#answer(message.call, message.question);
    else if (message.kind === 'ended') {
      this.finish(message.error === null ? null : new AgentError(message.error));
    } else if (this.#isOver) return;
    else if (message.kind === 'declare') this.#sink.declare(message.channels);
    else if (message.kind === 'note') this.#sink.note(message.note);
    else if (message.kind === 'gap') this.#sink.gap(message.fromMs, message.toMs, message.cause);
    else if (message.kind === 'held') this.#held = message.files;
    else if (message.kind === 'desk') {
      this.#beforeReading.delete(message.call);
      this.#calls.settle(message.call, message.outcome);
    }
  }

  async #answer(call: number, question: RunQuestion): Promise<void> {
    const work = this.#isOver ? Promise.reject(isOver()) : this.#do(question);
    this.#underWay.add(work);
    const outcome = await outcomeOf(work);
    this.#underWay.delete(work);
    this.#post({ kind: 'answer', call, outcome });
  }

  async #do(question: RunQuestion): Promise<unknown> {
    if (question.kind === 'positions') return this.#sink.positions();
    if (question.kind === 'before-new-columns') return this.#options.beforeNewColumns?.();
    if (question.kind === 'before-reading') {
      const beforeReading = this.#beforeReading.get(question.call);
      // The person was answered with an error meanwhile: the answer must not take effect.
      if (beforeReading === undefined) throw isOver();
      return beforeReading();
    }
    try {
      await this.#sink.capture(question.capture);
    } finally {
      for (const memory of memoryOf(question.capture)) memory.transfer(0);
    }
    return null;
  }

  noteCall(lastsMs: number): void {
    const isStalled = lastsMs >= STALLED_MS;
    if (isStalled === this.#isStalled || this.#isOver) return;
    this.#isStalled = isStalled;
    if (isStalled) {
      this.#desk?.detach(this.#asHeldRun);
      this.#calls.failAll(isOver());
      this.#beforeReading.clear();
    } else this.#desk?.attach(this.#asHeldRun);
    this.#sink.stalled?.(isStalled ? doesNotAnswer(this.#options.path, Date.now() - lastsMs) : null);
  }

  /** The run is over; whatever comes of it from now on is refused. */
  finish(error: AgentError | null): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#desk?.detach(this.#asHeldRun);
    this.#calls.failAll(isOver());
    void Promise.allSettled(this.#underWay).then(() => {
      if (error === null) this.#end.resolve();
      else this.#end.reject(error);
    });
  }
}

type DistributedOmit<T> = T extends unknown ? Omit<T, 'run'> : never;

function isOver(): AgentError {
  return new AgentError({
    code: 'log.source-not-running',
    message: 'The source does not read at the moment.',
    hint: 'The line at the source says why. Try again when it reads.',
    retry: 'after-human',
  });
}

function doesNotAnswer(path: string, sinceMs: number): AgentError {
  return new AgentError({
    code: 'log.folder-stalled',
    message: `The folder ${path} has not answered since ${formatSecond(sinceMs)}.`,
    hint: 'Check the network and the computer that holds it. Reading goes on by itself where it stopped.',
    retry: 'later',
  });
}

interface Life {
  readonly worker: Worker;
  readonly calls: CallWatch;
}

function startWorker(calls: CallWatch): Worker {
  return new Worker(workerFile(), { workerData: calls.memory, name: 'reader', execArgv: [] });
}

/** One thread through all its lives. */
export class ReaderThread {
  readonly #start: (calls: CallWatch) => Worker;
  #life: Life | null = null;
  readonly #runs = new Map<number, WorkOnThread>();
  #watch: NodeJS.Timeout | undefined;

  /** @param start - for tests how the thread is started. */
  constructor(start: (calls: CallWatch) => Worker = startWorker) {
    this.#start = start;
  }

  /** How long the present call has lasted, milliseconds; 0: there is none. */
  get inCallMs(): number {
    return this.#life?.calls.lastsMs() ?? 0;
  }

  /** Read a folder; as `runOnThread`. `isWatchable`: the system tells of changes in it. */
  async run(options: LogSourceOptions, isWatchable: boolean, sink: SourceSink, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    this.#life ??= this.#begin();
    const { worker } = this.#life;
    const id = takeRunNumber();
    const post = (message: DistributedOmit<ToReader>) => worker.postMessage({ ...message, run: id });
    const run = new RunOnThread(options, sink, post);
    this.#add(id, run, worker);
    const { beforeNewColumns: _, held: _desk, clock: _clock, files: _files, ...settings } = options;
    post({ kind: 'start', settings: { ...settings, isWatchable } });
    const abort = () => {
      post({ kind: 'abort' });
      void this.#finishAborted(run);
    };
    signal.addEventListener('abort', abort, { once: true });
    try {
      await run.ended;
    } finally {
      signal.removeEventListener('abort', abort);
      this.#remove(id, worker);
    }
  }

  /** Look at a folder; as `previewOnThread`. */
  async preview(options: PreviewOptions): Promise<LogPreview> {
    this.#life ??= this.#begin();
    const { worker } = this.#life;
    const id = takeRunNumber();
    const preview = new PreviewOnThread(options.folder);
    this.#add(id, preview, worker);
    worker.postMessage({ run: id, kind: 'preview', options } satisfies ToReader);
    try {
      return await preview.answered;
    } finally {
      this.#remove(id, worker);
    }
  }

  #begin(): Life {
    const calls = new CallWatch();
    const worker = this.#start(calls);
    const life = { worker, calls };
    worker.on('message', (message: FromReader) => {
      const run = this.#runs.get(message.run);
      if (run !== undefined) run.take(message);
      else if (message.kind === 'ask') refuse(worker, message.run, message.call);
    });
    const end = (cause?: unknown) => {
      if (this.#life !== life) return;
      this.#life = null;
      calls.end();
      for (const run of this.#runs.values()) run.finish(hasStopped(cause));
    };
    worker.on('error', end);
    worker.on('exit', () => end());
    return life;
  }

  #add(id: number, run: WorkOnThread, worker: Worker): void {
    this.#runs.set(id, run);
    run.noteCall(this.inCallMs);
    worker.ref();
    this.#watch ??= setInterval(() => {
      for (const one of this.#runs.values()) one.noteCall(this.inCallMs);
    }, WATCH_MS);
  }

  #remove(id: number, worker: Worker): void {
    this.#runs.delete(id);
    if (this.#runs.size > 0) return;
    worker.unref();
    clearInterval(this.#watch);
    this.#watch = undefined;
  }

  async #finishAborted(run: RunOnThread): Promise<void> {
    const begunMs = performance.now();
    while (performance.now() - begunMs < END_MS && this.inCallMs < IN_CALL_MS) {
      const isEnded = await Promise.race([
        run.ended.then(
          () => true,
          () => true,
        ),
        new Promise<false>((resolve) => setTimeout(() => resolve(false), END_LOOK_MS)),
      ]);
      if (isEnded) return;
    }
    run.finish(null);
  }
}

/** Refuse what a run asks that the main thread has given up: the run ends with that. */
function refuse(worker: Worker, run: number, call: number): void {
  void outcomeOf(Promise.reject(isOver())).then((outcome) =>
    worker.postMessage({ run, kind: 'answer', call, outcome } satisfies ToReader),
  );
}

function hasStopped(cause: unknown): AgentError {
  return new AgentError({
    code: 'log.reader-stopped',
    message: `The part that reads logs has stopped${cause instanceof Error ? `: ${cause.message}` : ''}.`,
    hint: 'Epistream starts it again automatically; if this stays, restart Epistream.',
    retry: 'later',
    cause,
  });
}

const LOCAL_DISKS = 'local';
const threadsOf = { runs: new Map<string, ReaderThread>(), previews: new Map<string, ReaderThread>() };
let lastRun = 0;

function takeRunNumber(): number {
  lastRun += 1;
  return lastRun;
}

/** The thread that does this kind of work on a volume. */
export function threadFor(work: keyof typeof threadsOf, { name, isLocal }: Volume): ReaderThread {
  const threads = threadsOf[work];
  // One place is kept for the disks of this PC, and one for the volumes beyond the others.
  const others = [...threads.keys()].filter((one) => one !== LOCAL_DISKS && one !== 'others').length;
  const key = isLocal ? LOCAL_DISKS : threads.has(name) || others < THREADS_MAX - 2 ? name : 'others';
  const thread = threads.get(key) ?? new ReaderThread();
  threads.set(key, thread);
  return thread;
}

/**
 * Read a log folder on the thread of its volume.
 *
 * @returns as the `run` of `Source`; fulfilled when aborted, also while the volume does not answer.
 * @throws those of the source; `log.reader-stopped` (later).
 */
export function runOnThread(options: LogSourceOptions, sink: SourceSink, signal: AbortSignal): Promise<void> {
  const volume = volumeOf(options.path);
  return threadFor('runs', volume).run(options, volume.isLocal, sink, signal);
}

/**
 * Look at a log folder, on a thread of its volume that reads no log.
 *
 * @throws `log.folder-stalled`, `log.reader-stopped` (later).
 */
export function previewOnThread(options: PreviewOptions): Promise<LogPreview> {
  return threadFor('previews', volumeOf(options.folder)).preview(options);
}
