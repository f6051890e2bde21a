// Watches the folder in which run-start and run-end files appear, and begins and ends growths by them. The folder is only
// looked at. A file is its name, its size and its modification time; what became of each is kept together with the growth that
// it began, so that it is taken once, whatever is cut off in between.
//
// At the first look at a folder what lies there is noted and not taken: it may be of last year. A file is read once two
// looks found it alike, since it may still be being written. Looks take at most a twentieth of the
// time, or come every 10 s.
//
// A run-start that a later file follows begins nothing, since nothing was recorded under its name. A run-start ends a growth
// that runs; a run-end with another name ends nothing.

import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentError, toAgentError } from '../model/agent-error.ts';
import type { News } from '../model/news.ts';
import type { GrowthManager } from './growth-manager.ts';
import { titleOf } from './growth-manager.ts';
import type { GrowthPosition } from './ports.ts';
import { kindOf, RUN_FILE_BYTES_MAX, type RunFile, type RunFileKind, readRunFile } from './run-file.ts';

/** Shortest time between two looks, milliseconds. */
const LOOK_MS = 500;
/** Longest, and how much longer than a look takes it is. */
const LOOK_MAX_MS = 10_000;
const LOOK_SHARE = 20;

/** Under which positions are kept; no source can have this name. */
const KEEPER = '(run files)';
/** Its value is the folder that was looked at. */
const FOLDER_KEY = 'folder';

export interface RunFileOptions {
  readonly folder: string;
  readonly desk: Pick<GrowthManager, 'current' | 'start' | 'end' | 'keep'>;
  readonly positions: (sourceId: string) => Promise<ReadonlyMap<string, string>>;
  readonly clock: {
    nowMs(): number;
    monotonicMs(): number;
    sleep(durationMs: number, signal?: AbortSignal): Promise<void>;
  };
  readonly tell: (news: News, about: string) => void;
}

interface Seen {
  readonly name: string;
  readonly kind: RunFileKind;
  readonly changedMs: number;
  readonly sizeBytes: number;
  /** Name, size and modification time in one. */
  readonly identity: string;
}

export class RunFileWatch {
  readonly #options: RunFileOptions;
  /** Identity by name, of files that were dealt with. */
  #known: Map<string, string> | null = null;
  /** What the last look found that is not dealt with. */
  #found = new Map<string, string>();
  #trouble = '';
  /** How long the folder took to tell what is in it, milliseconds. */
  #tookMs = 0;

  constructor(options: RunFileOptions) {
    this.#options = options;
  }

  /** Look until aborted. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.look();
      const waitMs = Math.min(Math.max(LOOK_MS, this.#tookMs * LOOK_SHARE), LOOK_MAX_MS);
      await this.#options.clock.sleep(waitMs, signal);
    }
  }

  /** Look once. Never rejects: what is wrong is told. */
  async look(): Promise<void> {
    try {
      await this.#look();
      this.#trouble = '';
    } catch (thrown) {
      const { code, message, hint } = toAgentError(thrown);
      if (message !== this.#trouble) this.#tell('warning', code, message, hint, this.#options.folder);
      this.#trouble = message;
    }
  }

  async #look(): Promise<void> {
    const { folder, desk, positions, clock } = this.#options;
    const beganMs = clock.monotonicMs();
    const seen = await this.#list();
    this.#tookMs = clock.monotonicMs() - beganMs;
    if (!this.#known) {
      const kept = await positions(KEEPER);
      if (kept.get(FOLDER_KEY) !== folder) {
        await desk.keep([{ sourceId: KEEPER, key: FOLDER_KEY, value: folder }, ...seen.map(positionOf)]);
        this.#known = new Map([...kept, ...seen.map((file): [string, string] => [file.name, file.identity])]);
        if (seen.length > 0) this.#tellOld(seen);
        return;
      }
      this.#known = new Map(kept);
    }
    const known = this.#known;
    const fresh = seen.filter(({ name, identity }) => known.get(name) !== identity);
    const ready = fresh.filter(({ name, identity }) => this.#found.get(name) === identity);
    this.#found = new Map(fresh.map(({ name, identity }) => [name, identity]));
    // In the order in which they were written; those that are not ready hold up what was written after them.
    const waits = Math.min(...fresh.filter((file) => !ready.includes(file)).map(({ changedMs }) => changedMs));
    const due = ready.filter(({ changedMs }) => changedMs <= waits);
    for (const [at, file] of due.entries()) {
      // Nothing was recorded under its name: a growth of no time would only be an entry too many at the service.
      const isOver = file.kind === 'start' && due.length > at + 1;
      if (isOver) await this.#pass(file);
      else await this.#take(file);
    }
  }

  /** A run that was over before its beginning was seen, while the agent was off. */
  async #pass(file: Seen): Promise<void> {
    const message = `Run file ${join(this.#options.folder, file.name)}: the run was over, or the next one began, before it was seen.`;
    await this.#refuse(
      message,
      'Nothing was begun by it. What was recorded meanwhile belongs to no growth.',
      positionOf(file),
    );
    this.#known?.set(file.name, file.identity);
  }

  async #list(): Promise<Seen[]> {
    const { folder } = this.#options;
    let names: string[];
    try {
      names = await readdir(folder);
    } catch (cause) {
      throw new AgentError({
        code: 'growth.run-folder',
        message: `The folder of run files ${folder} cannot be read (${(cause as NodeJS.ErrnoException).code}).`,
        hint: 'Files do not begin growths until then. Epistream tries again automatically; begin them by hand.',
        retry: 'later',
        cause,
      });
    }
    const seen: Seen[] = [];
    for (const name of names) {
      const kind = kindOf(name);
      if (!kind) continue;
      // One that has just been taken away is no fault; it is not there at the next look.
      const found = await stat(join(folder, name)).catch(() => null);
      if (!found?.isFile()) continue;
      const { mtimeMs: changedMs, size: sizeBytes } = found;
      seen.push({ name, kind, changedMs, sizeBytes, identity: `${sizeBytes} ${changedMs}` });
    }
    // A start that was written in the same millisecond as an end comes behind it.
    return seen.sort((p, q) => p.changedMs - q.changedMs || p.kind.localeCompare(q.kind));
  }

  async #take(file: Seen): Promise<void> {
    const { folder } = this.#options;
    const place = join(folder, file.name);
    const position = positionOf(file);
    const runFile = await this.#read(file, place);
    // Taken away meanwhile; it is not there at the next look.
    if (!runFile) return;
    try {
      await this.#do(runFile, place, position);
    } catch (thrown) {
      const error = toAgentError(thrown);
      // A disk that refuses takes it later; what a person must correct is reported once, until the file changes.
      if (error.retry !== 'after-human') throw error;
      const field = error.code.startsWith('growth.sample') ? ', field "sample"' : '';
      await this.#refuse(`Run file ${place}${field}: ${error.message}`, error.hint, position, error.code);
    }
    this.#known?.set(file.name, file.identity);
  }

  /**
   * @returns what the file says; null when it is gone.
   * @throws `growth.run-file` when it cannot be read now.
   */
  async #read({ kind, sizeBytes }: Seen, place: string): Promise<RunFile | null> {
    if (sizeBytes > RUN_FILE_BYTES_MAX) {
      return { kind: 'malformed', field: '', why: `has ${sizeBytes} bytes, more than ${RUN_FILE_BYTES_MAX}` };
    }
    try {
      return readRunFile(kind, await readFile(place));
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException;
      if (code === 'ENOENT') return null;
      throw new AgentError({
        code: 'growth.run-file',
        message: `Run file ${place} cannot be read (${code}).`,
        hint: 'Epistream tries again automatically, and later run files wait for it. Grant permission to read it, or take it away.',
        retry: 'later',
        cause,
      });
    }
  }

  async #do(runFile: RunFile, place: string, position: GrowthPosition): Promise<void> {
    const { desk } = this.#options;
    if (runFile.kind === 'malformed') {
      const field = runFile.field === '' ? '' : `, field "${runFile.field}"`;
      const message = `Run file ${place}${field}: ${runFile.why}. Nothing was begun or ended by it.`;
      return this.#refuse(message, 'Correct it and write it again, or begin and end the growth by hand.', position);
    }
    if (runFile.kind === 'start') {
      const cause = { cause: `run file ${place}`, fileName: runFile.name, positions: [position] };
      return void (await desk.start(runFile.choice, cause));
    }
    const { current } = desk;
    if (!current) {
      const message = `Run file ${place}: no growth was under way that it could end.`;
      return this.#refuse(message, 'It ended by hand before, or its run-start file was not taken.', position);
    }
    const names = [current.fileName, current.parts.at(-1)?.name];
    if (runFile.name !== null && !names.includes(runFile.name)) {
      const message = `Run file ${place}, field "name": "${runFile.name}" is not the growth that runs, ${titleOf(current)}.`;
      return this.#refuse(message, 'End it by hand if it is over.', position);
    }
    await desk.end(`run file ${place}`, [position]);
  }

  async #refuse(message: string, hint: string, position: GrowthPosition, code = 'growth.run-file'): Promise<void> {
    await this.#options.desk.keep([position]);
    this.#tell('error', code, message, hint, `${position.key} ${position.value}`);
  }

  #tellOld(seen: readonly Seen[]): void {
    const names = seen.slice(-3).map(({ name }) => name);
    const message = `${seen.length} run files lay in ${this.#options.folder} before it was watched, the newest ${names.join(', ')}; none was taken.`;
    this.#tell(
      'warning',
      'growth.old-run-files',
      message,
      'If a run is under way, start its growth by hand.',
      this.#options.folder,
    );
  }

  #tell(level: News['level'], code: string, message: string, hint: string, about: string): void {
    this.#options.tell({ level, code, message, hint }, about);
  }
}

function positionOf({ name, identity }: Seen): GrowthPosition {
  return { sourceId: KEEPER, key: name, value: identity };
}
