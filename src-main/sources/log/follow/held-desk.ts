// Where a person's answers about stopped files meet the run that reads them. It lives as long as the source is in the
// settings; runs come and go. An answer is given between two looks, so that it never meets a file that is being read.
// Invariant: every question is answered: by the run, or with `log.source-not-running` when there is none or it ends.
import { AgentError } from '../../../model/agent-error.ts';

/** A column of the view: as its header writes it, and what it gives. */
export interface HeldColumn {
  /** As the header writes it; empty: it has no name there. */
  readonly header: string;
  readonly name: string;
  readonly unit: string;
  /** Channel that carries its values; null: nothing is streamed of it. */
  readonly channel: string | null;
}

/** A file that waits for a person, or was left out by one. */
export interface HeldFile {
  /** Path below the folder of the source. */
  readonly file: string;
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  /** Where reading stopped, line from 1; null: the file was not begun, or lines are not counted. */
  readonly byte: number | null;
  readonly line: number | null;
  readonly isLeftOut: boolean;
}

/** The two sides of a stopped file. */
export interface HeldView extends HeldFile {
  readonly formerColumns: readonly HeldColumn[];
  readonly newColumns: readonly HeldColumn[];
  /** The lines from the place on, as text. */
  readonly nextLines: readonly string[];
  /** Why the new columns cannot be read as they stand; empty: they can. */
  readonly problem: string;
  readonly problemHint: string;
}

/**
 * `accept`: the columns as they are; `rename`: some of them carry on known channels; `leave-out`: the file is not read any
 * further; `take-in`: it is, again.
 */
export type HeldAnswer =
  | { readonly answer: 'accept' }
  /** Name of a known channel's column by the name of the new one. */
  | { readonly answer: 'rename'; readonly names: Readonly<Record<string, string>> }
  | { readonly answer: 'leave-out' }
  | { readonly answer: 'take-in' };

/** A run, as the desk sees it. */
export interface HeldRun {
  /** Files that wait, and those left out. */
  list(): readonly HeldFile[];
  /**
   * Both sides of one.
   *
   * @throws `log.not-held`, and what keeps the file from being read.
   */
  look(file: string): Promise<HeldView>;
  /** Called by the run between two looks. `beforeReading` is awaited when what was read before is on disk. */
  answer(file: string, answer: HeldAnswer, beforeReading: () => Promise<void>): Promise<void>;
  /** Called when a question waits; for runs that do not look at the desk themselves. */
  wake?(): void;
}

interface Waiting {
  work(run: HeldRun): Promise<unknown>;
  fail(error: AgentError): void;
}

/** The desk of one source. */
export class HeldDesk {
  #run: HeldRun | null = null;
  #waiting: Waiting[] = [];

  /** A run begins. */
  attach(run: HeldRun): void {
    this.#run = run;
  }

  /** The run is over: what waits is answered with that. */
  detach(run: HeldRun): void {
    if (this.#run !== run) return;
    this.#run = null;
    for (const { fail } of this.#waiting.splice(0)) fail(notRunning());
  }

  /** The files that wait, and those left out. Nothing while the source does not run. */
  list(): readonly HeldFile[] {
    return this.#run?.list() ?? [];
  }

  /**
   * Show a file that waits for a person.
   * @throws `log.not-held`, `log.source-not-running`, and what keeps the file from being read.
   */
  look(file: string): Promise<HeldView> {
    return this.#inTurn((run) => run.look(file));
  }

  /**
   * Answer for a file.
   *
   * @param file - its path.
   * @param beforeReading - what is to be done before anything is read by it.
   * @returns fulfilled when the answer is on disk.
   * @throws as `look`; then nothing has changed.
   */
  answer(file: string, answer: HeldAnswer, beforeReading: () => Promise<void>): Promise<void> {
    return this.#inTurn((run) => run.answer(file, answer, beforeReading));
  }

  /** Do what waits; called by the run between two looks. */
  async work(run: HeldRun): Promise<void> {
    for (const { work } of this.#waiting.splice(0)) await work(run);
  }

  #inTurn<T>(ask: (run: HeldRun) => Promise<T>): Promise<T> {
    if (this.#run === null) return Promise.reject(notRunning());
    return new Promise((resolve, reject) => {
      // What an answer fails with is reported to the caller that gave it; the run goes on.
      this.#waiting.push({ work: (run) => ask(run).then(resolve, reject), fail: reject });
      this.#run?.wake?.();
    });
  }
}

function notRunning(): AgentError {
  return new AgentError({
    code: 'log.source-not-running',
    message: 'The source does not read at the moment.',
    hint: 'The line at the source says why. Try again when it reads.',
    retry: 'after-human',
  });
}
