// Exports that this run writes: each in a process of its own, a few at a time. They only read the queue, and end with the run.
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExportView } from '../../contract/export.ts';
import { nameOfFile } from '../../delivery/client/safe-file-name.ts';
import { type ApartJob, exportApart } from '../../export/export-apart.ts';
import type { Exported } from '../../export/job.ts';
import { archiveBeside, partOf } from '../../export/part-file.ts';
import { answerExport, type ExportService, type ExportStore } from '../../export/questions.ts';
import { AgentError, toAgentError } from '../../model/agent-error.ts';
import { EXPORT_EXTENSIONS } from '../../model/export.ts';
import type { StartWork } from '../../platform/work-process.ts';

const RUNNING_MAX = 2;
/** Exports that are remembered at most. */
const KEPT_MAX = 20;

export interface ExportsParts {
  readonly store: ExportStore;
  readonly service: ExportService;
  readonly version: string;
  /** As `ExportMade`. */
  readonly settings: () => Promise<string | null>;
  readonly nowMs: () => number;
  readonly startWork: StartWork;
}

/** What is exported, and where to. */
export interface ExportWanted extends Omit<ApartJob, 'path' | 'version' | 'choice'> {
  readonly choice: ExportView['of'];
  readonly folder: string;
  /** Of the file, without what tells its form; made safe here. */
  readonly name: string;
}

export class Exports {
  readonly #parts: ExportsParts;
  readonly #end = new AbortController();
  readonly #running = new Set<Promise<unknown>>();
  /** Files that are being written, by path: nobody else takes the name. */
  readonly #taken = new Set<string>();
  #lastId = 0;
  #known: { view: ExportView; abort: AbortController }[] = [];

  constructor(parts: ExportsParts) {
    this.#parts = parts;
  }

  /** Newest first. */
  get views(): ExportView[] {
    return this.#known.map(({ view }) => ({ ...view }));
  }

  /**
   * Begin an export that a person sees on the screen.
   *
   * @returns it, as it runs. What becomes of it stands in `views`.
   * @throws `export.too-many`.
   */
  async start(wanted: ExportWanted): Promise<ExportView> {
    const path = await this.#freePath(wanted);
    if (this.#known.filter(({ view }) => view.state === 'running').length >= RUNNING_MAX) {
      this.#taken.delete(path);
      throw tooMany();
    }
    this.#lastId += 1;
    const view: ExportView = {
      id: this.#lastId,
      of: wanted.choice,
      format: wanted.format,
      state: 'running',
      done: 0,
      path,
      points: 0,
      damagedPoints: 0,
      pointsGone: 0,
      message: '',
      hint: '',
    };
    const abort = new AbortController();
    this.#known = [{ view, abort }, ...this.#known].slice(0, KEPT_MAX);
    const onProgress = (done: number) => void Object.assign(view, { done });
    this.#write(wanted, path, abort.signal, onProgress).then(
      ({ points, damagedPoints, pointsGone }) =>
        void Object.assign(view, { state: 'done', done: 1, points, damagedPoints, pointsGone }),
      (thrown: unknown) => {
        if (abort.signal.aborted) return void Object.assign(view, { state: 'cancelled' });
        const { message, hint } = toAgentError(thrown);
        Object.assign(view, { state: 'failed', message, hint });
      },
    );
    return { ...view };
  }

  /** Give an export up; no file is left. Nothing happens when it has ended. */
  cancel(id: number): void {
    this.#known.find(({ view }) => view.id === id)?.abort.abort();
  }

  /**
   * Write an export that nobody watches.
   *
   * @returns the file, and what is in it.
   * @throws those of `exportApart`.
   */
  async write(wanted: ExportWanted, signal: AbortSignal): Promise<Exported & { readonly path: string }> {
    const path = await this.#freePath(wanted);
    return { path, ...(await this.#write(wanted, path, signal, () => undefined)) };
  }

  /** End all of them; fulfilled when none runs any more. */
  async close(): Promise<void> {
    this.#end.abort();
    await Promise.allSettled(this.#running);
  }

  /**
   * Find a file that is not there yet and that nobody is about to write: `name.h5`, else `name (2).h5`, ... A share that is gone
   * may keep this waiting, and nothing else.
   */
  async #freePath({ folder, name, format }: ExportWanted): Promise<string> {
    const extension = EXPORT_EXTENSIONS[format];
    for (let n = 1; ; n++) {
      const path = join(folder, nameOfFile(name, `${n === 1 ? '' : ` (${n})`}${extension}`));
      const names = [path, archiveBeside(path)].flatMap((one) => [one, partOf(one)]);
      const found = await Promise.all(names.map((one) => lstat(one).catch(() => null)));
      if (this.#taken.has(path) || found.some((one) => one !== null)) continue;
      this.#taken.add(path);
      return path;
    }
  }

  #write(
    { folder: _folder, name: _name, ...job }: ExportWanted,
    path: string,
    signal: AbortSignal,
    onProgress: (done: number) => void,
  ): Promise<Exported> {
    const { store, service, version, settings, nowMs, startWork } = this.#parts;
    const ask: Parameters<typeof exportApart>[1]['ask'] = (question) =>
      answerExport(store, question, { atMs: nowMs(), version, settings }, service);
    const way = { ask, signal: AbortSignal.any([signal, this.#end.signal]), onProgress };
    const written = exportApart({ ...job, path, version }, way, startWork);
    this.#running.add(written);
    const forget = () => {
      this.#running.delete(written);
      this.#taken.delete(path);
    };
    written.then(forget, forget);
    return written;
  }
}

function tooMany(): AgentError {
  return new AgentError({
    code: 'export.too-many',
    message: `${RUNNING_MAX} files are being exported already.`,
    hint: 'Wait until one is complete, or stop one.',
  });
}
