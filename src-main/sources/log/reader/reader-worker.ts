// The thread that reads the logs of one volume. File calls hold it until they return, so a look is one piece of sequential
// work, and a volume that does not answer stops nothing but this thread. Numbers and bytes leave by transfer.
import { parentPort, workerData } from 'node:worker_threads';
import { CallWatch } from '../../../platform/call-watch.ts';
import { systemClock } from '../../../platform/clock.ts';
import { ClockWatch } from '../../../platform/clock-watch.ts';
import { notedFiles } from '../../../platform/files.ts';
import type { SourceSink } from '../../source.ts';
import { HeldDesk, type HeldRun } from '../follow/held-desk.ts';
import { openLogSource } from '../log-source.ts';
import { previewLog } from '../preview.ts';
import {
  Calls,
  type DeskQuestion,
  type FromReader,
  memoryOf,
  outcomeOf,
  plainError,
  type RunQuestion,
  type RunSettings,
  type ToReader,
} from './reader-messages.ts';

const port = parentPort;
if (!port) throw new Error('sources/log/reader/reader-worker.ts runs as a worker thread only');

/** How often the clocks of the machine are compared, milliseconds. */
const CLOCK_LOOK_MS = 1000;

const calls = new CallWatch(workerData as SharedArrayBuffer);
// Steps of the wall clock are told by the main thread.
const clocks = new ClockWatch(systemClock, () => undefined);
setInterval(() => clocks.look(), CLOCK_LOOK_MS).unref();

function post(message: FromReader, transfer: ArrayBuffer[] = []): void {
  port?.postMessage(message, transfer);
}

/** The desk of the main thread, as a run sees it: the files that wait are sent there when they change. */
class DeskOfRun extends HeldDesk {
  readonly #send: (files: ReturnType<HeldRun['list']>) => void;
  #sent = '[]';

  constructor(send: (files: ReturnType<HeldRun['list']>) => void) {
    super();
    this.#send = send;
  }

  override async work(run: HeldRun): Promise<void> {
    await super.work(run);
    const files = run.list();
    const text = JSON.stringify(files);
    if (text === this.#sent) return;
    this.#sent = text;
    this.#send(files);
  }
}

/** One run of a source. */
class ReaderRun {
  readonly #run: number;
  readonly #stop = new AbortController();
  readonly #desk: DeskOfRun;
  readonly asked = new Calls();

  constructor(run: number) {
    this.#run = run;
    this.#desk = new DeskOfRun((files) => post({ run, kind: 'held', files }));
  }

  async read({ isWatchable, ...settings }: RunSettings): Promise<void> {
    const run = this.#run;
    const source = openLogSource({
      ...settings,
      held: this.#desk,
      clock: clocks.steady,
      files: notedFiles(isWatchable, calls),
      beforeNewColumns: async () => {
        await this.#ask({ kind: 'before-new-columns' });
      },
    });
    const sink: SourceSink = {
      positions: async () => (await this.#ask({ kind: 'positions' })) as ReadonlyMap<string, string>,
      declare: (channels) => post({ run, kind: 'declare', channels }),
      capture: async (capture) => {
        await this.#ask({ kind: 'capture', capture }, memoryOf(capture));
      },
      note: (note) => post({ run, kind: 'note', note }),
      gap: (fromMs, toMs, cause) => post({ run, kind: 'gap', fromMs, toMs, cause }),
    };
    await source.run(sink, this.#stop.signal);
  }

  abort(): void {
    this.#stop.abort();
  }

  /** Ask the run what a person asks, between two looks. */
  async askDesk(call: number, question: DeskQuestion): Promise<void> {
    const { file } = question;
    const beforeReading = async () => {
      await this.#ask({ kind: 'before-reading', call });
    };
    const asked =
      question.kind === 'look' ? this.#desk.look(file) : this.#desk.answer(file, question.answer, beforeReading);
    post({ run: this.#run, kind: 'desk', call, outcome: await outcomeOf(asked) });
  }

  #ask(question: RunQuestion, transfer: ArrayBuffer[] = []): Promise<unknown> {
    return this.asked.ask((call) => post({ run: this.#run, kind: 'ask', call, question }, transfer));
  }
}

const runs = new Map<number, ReaderRun>();

async function start(run: number, settings: RunSettings): Promise<void> {
  const reader = new ReaderRun(run);
  runs.set(run, reader);
  try {
    await reader.read(settings);
    post({ run, kind: 'ended', error: null });
  } catch (thrown) {
    post({ run, kind: 'ended', error: plainError(thrown) });
  } finally {
    runs.delete(run);
  }
}

port.on('message', (message: ToReader) => {
  const reader = runs.get(message.run);
  if (message.kind === 'start') void start(message.run, message.settings);
  else if (message.kind === 'preview') {
    const preview = previewLog(message.options, notedFiles(false, calls));
    post({ run: message.run, kind: 'previewed', preview });
  } else if (message.kind === 'abort') reader?.abort();
  else if (message.kind === 'answer') reader?.asked.settle(message.call, message.outcome);
  else void reader?.askDesk(message.call, message.question);
});
