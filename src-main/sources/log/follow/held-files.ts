// The files of one run that wait for a person: what is shown of them, and what becomes of an answer.
//
// Invariants: nothing behind the place at which a file stopped is read before an answer, or what makes it certain without
// one, is on disk. An answer that cannot be carried out changes nothing. A file that tells its own way on is tried once a
// size.

import { AgentError } from '../../../model/agent-error.ts';
import type { Position } from '../../source.ts';
import { leaveOut, takePosition } from '../files/file-changes.ts';
import type { FileRegistry } from '../files/file-registry.ts';
import type { WatchedFile } from '../files/watched-file.ts';
import type { LogNotes } from '../notes/log-notes.ts';
import { type ColumnKind, isStreamed, type Layout, type LayoutColumn } from '../parse/layout.ts';
import { isNoLog } from '../recognise/header-line.ts';
import { STARTS_CONTRADICT } from './folder-starts.ts';
import type { HeldAnswer, HeldColumn, HeldFile, HeldRun, HeldView } from './held-desk.ts';
import type { Openings } from './openings.ts';
import { addChannels, layoutBefore, type Rest, recogniseRest } from './rest-of-file.ts';
import type { RunOptions } from './run-options.ts';

const LEFT_OUT = {
  code: 'log.left-out',
  message: 'Left out by a person.',
  hint: 'Take it in again to read on from where it was.',
};

export interface HeldParts {
  readonly options: RunOptions;
  readonly registry: FileRegistry;
  readonly openings: Openings;
  readonly notes: LogNotes;
  /** Put positions on disk, behind all that was handed over before. */
  commit(positions: readonly Position[]): Promise<void>;
}

export class HeldFiles implements HeldRun {
  readonly #parts: HeldParts;
  /** Place and size at which a run in a file was last looked at that may tell its own start, by key. */
  readonly #tried = new Map<string, string>();

  constructor(parts: HeldParts) {
    this.#parts = parts;
  }

  list(): HeldFile[] {
    return this.#parts.registry.present.filter(isHeld).map(tell);
  }

  async look(path: string): Promise<HeldView> {
    const file = this.#find(path);
    const at = file.problem?.at;
    const nothing = { formerColumns: [], newColumns: [], nextLines: [], problem: '', problemHint: '' };
    if (file.problem?.code === STARTS_CONTRADICT && file.layout !== null) {
      return { ...tell(file), ...nothing, newColumns: this.#columns(file, file.layout, file.kinds) };
    }
    if (at === undefined) return { ...tell(file), ...nothing };
    const { layout, kinds } = layoutBefore(file, at.byte);
    const found = this.#recognise(file);
    const formerColumns = layout === null ? [] : this.#columns(file, layout, kinds);
    const { rest, nextLines } = found;
    const view = { ...tell(file), ...nothing, formerColumns, nextLines };
    if ('layout' in rest) return { ...view, newColumns: this.#columns(file, rest.layout, rest.kinds) };
    return { ...view, problem: rest.message, problemHint: rest.hint };
  }

  async answer(path: string, answer: HeldAnswer, beforeReading: () => Promise<void>): Promise<void> {
    const { notes } = this.#parts;
    const file = this.#find(path);
    if (answer.answer === 'leave-out' || answer.answer === 'take-in') {
      notes.decided(file);
      leaveOut(file, answer.answer === 'leave-out');
      return this.#commit(file);
    }
    if (file.problem?.code === STARTS_CONTRADICT && answer.answer === 'accept') {
      notes.decided(file);
      this.#parts.openings.takeAsOwnRun(file);
      return this.#commit(file);
    }
    const at = file.problem?.at;
    if (at === undefined) throw notHeld(path);
    const { rest } = this.#recognise(file);
    if (!('layout' in rest)) throw new AgentError({ ...rest, retry: 'after-human' });
    const { layout } = layoutBefore(file, at.byte);
    const own = answer.answer === 'rename' ? renamed(rest, answer.names, layout?.columns ?? []) : rest;
    await this.#parts.commit([]);
    await beforeReading();
    this.#begin(file, at.byte, own);
    await this.#commit(file);
  }

  /**
   * Go on by itself where that is certain: a time begins again and the file says from when, with the same columns; or lines
   * that name their values name a new one. Or where the settings say that new columns are taken as they are.
   *
   * @returns true when one did.
   */
  async goOn(): Promise<boolean> {
    const { options } = this.#parts;
    let isAny = false;
    for (const file of this.#parts.registry.present) {
      const { problem, seen, key } = file;
      const isOwn = problem?.code === 'log.time-again' || problem?.code === 'log.new-channel';
      const isAccepted = problem?.code === 'log.columns-changed' && options.columnsChange === 'accept';
      if (!(isOwn || isAccepted) || problem.at === undefined || seen === null) continue;
      const state = `${problem.at.byte} of ${seen.sizeBytes}`;
      if (this.#tried.get(key) === state) continue;
      this.#tried.set(key, state);
      const rest = this.#ownRest(file);
      if (rest === null) continue;
      await this.#parts.commit([]);
      if (isAccepted) await options.beforeNewColumns();
      this.#begin(file, problem.at.byte, rest);
      await this.#commit(file);
      isAny = true;
    }
    return isAny;
  }

  /** What follows in a file, where that is certain without a person; null: it is not. */
  #ownRest(file: WatchedFile): Rest | null {
    if (file.problem?.code === 'log.new-channel') {
      const rest = addChannels(file, this.#parts.options);
      return typeof rest === 'string' ? null : rest;
    }
    const found = this.#restOf(file);
    if (file.problem?.code === 'log.columns-changed') {
      return typeof found !== 'string' && 'layout' in found.rest ? found.rest : null;
    }
    if (typeof found === 'string' || !('layout' in found.rest) || found.rest.startFrom !== 'header') return null;
    const { layout } = layoutBefore(file, file.problem?.at?.byte ?? 0);
    return layout !== null && isSameTable(layout, found.rest.layout) ? found.rest : null;
  }

  #begin(file: WatchedFile, byte: number, rest: Rest): void {
    const { notes, openings } = this.#parts;
    notes.decided(file);
    openings.beginEra(file, byte, rest);
    openings.giveNames([file]);
    notes.columnsLeftOut(file);
  }

  async #commit(file: WatchedFile): Promise<void> {
    await this.#parts.commit([...this.#parts.openings.unstored(file), takePosition(file)]);
  }

  #restOf(file: WatchedFile): ReturnType<typeof recogniseRest> {
    const { options } = this.#parts;
    return recogniseRest(file, options, options.dialect);
  }

  #recognise(file: WatchedFile): Exclude<ReturnType<typeof recogniseRest>, string> {
    const found = this.#restOf(file);
    if (typeof found !== 'string') return found;
    throw new AgentError({
      code: 'log.file-held',
      message: `${file.path} cannot be read now.`,
      hint: 'Another program may hold it, or it is gone. Try again.',
      retry: 'later',
    });
  }

  #find(path: string): WatchedFile {
    const file = this.#parts.registry.present.find((one) => one.path === path && isHeld(one));
    if (file === undefined) throw notHeld(path);
    return file;
  }

  #columns(file: WatchedFile, { columns }: Layout, kinds: readonly ColumnKind[]): HeldColumn[] {
    return columns.map(({ header, name, unit }, index) => {
      const isCarried = isStreamed(kinds[index]) || kinds[index] === 'open';
      return { header, name, unit, channel: isCarried ? this.#parts.openings.channelOf(file, name) : null };
    });
  }
}

function isHeld({ problem, isLeftOut }: WatchedFile): boolean {
  return isLeftOut || (problem !== null && !isNoLog(problem.code));
}

function tell({ path, problem, isLeftOut }: WatchedFile): HeldFile {
  const { code, message, hint } = problem ?? LEFT_OUT;
  return {
    file: path,
    code,
    message,
    hint,
    byte: problem?.at?.byte ?? null,
    line: problem?.at?.line ?? null,
    isLeftOut,
  };
}

function isSameTable(former: Layout, rest: Layout): boolean {
  const told = ({ columns }: Layout) => JSON.stringify(columns.map(({ header, unit }) => [header, unit]));
  return told(former) === told(rest);
}

/** Let new columns carry on known ones: each takes the name of a column that was there, with the same unit. */
function renamed(rest: Rest, names: Readonly<Record<string, string>>, former: readonly LayoutColumn[]): Rest {
  const columns = rest.layout.columns.map((column) => {
    const wanted = Object.hasOwn(names, column.name) ? names[column.name] : undefined;
    if (wanted === undefined) return column;
    const known = former.find(({ name }) => name === wanted);
    if (known === undefined) throw refused(`There was no column "${wanted}" before.`);
    if (known.unit !== column.unit) {
      throw refused(`"${wanted}" was in "${known.unit}", "${column.name}" is in "${column.unit}".`);
    }
    return { ...column, name: wanted };
  });
  const unknown = Object.keys(names).find((name) => !rest.layout.columns.some((column) => column.name === name));
  if (unknown !== undefined) throw refused(`There is no column "${unknown}" now.`);
  const given = columns.map(({ name }) => name);
  const twice = given.find((name, index) => given.indexOf(name) !== index);
  if (twice !== undefined) throw refused(`Two columns would be "${twice}".`);
  return { ...rest, layout: { ...rest.layout, columns } };
}

function refused(message: string): AgentError {
  const hint = 'Choose a column of the former side with the same unit, or take the new columns as they are.';
  return new AgentError({ code: 'log.rename-refused', message, hint, retry: 'after-human' });
}

function notHeld(path: string): AgentError {
  return new AgentError({
    code: 'log.not-held',
    message: `${path} does not wait for an answer.`,
    hint: 'It was answered already, reads on, or is gone. Look at the list again.',
    retry: 'after-human',
  });
}
