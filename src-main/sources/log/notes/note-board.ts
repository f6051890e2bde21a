// Remarks about many files under few codes: a remark replaces the former one of its code, so each must tell all.
import type { SourceNote } from '../../source.ts';

const SETTLED = 'Settled.';

/** Subjects named in one remark; the rest is counted. */
const NAMED_MAX = 5;

/** A remark about a list of subjects. */
export interface Remark {
  readonly level: SourceNote['level'];
  readonly hint: string;
  /** The sentence made around the list. */
  say(subjects: string): string;
}

/** Gathers subjects (files, columns) under a code and says each change as one note. */
export class NoteBoard {
  readonly #note: (note: SourceNote) => void;
  readonly #boards = new Map<string, { readonly remark: Remark; readonly subjects: Set<string> }>();
  readonly #changed = new Set<string>();

  constructor(note: (note: SourceNote) => void) {
    this.#note = note;
  }

  /** Add a subject to the remark of a code; as long as it has any, the remark that was added first is said. */
  add(code: string, remark: Remark, subject: string): void {
    const board = this.#boards.get(code) ?? { remark, subjects: new Set<string>() };
    this.#boards.set(code, board);
    if (board.subjects.has(subject)) return;
    board.subjects.add(subject);
    this.#changed.add(code);
  }

  /** Say one thing under a code instead of what was said or waits to be; null: it no longer holds. */
  replace(code: string, note: SourceNote | null): void {
    this.#boards.delete(code);
    this.#changed.delete(code);
    this.#note(note ?? { level: 'info', code, message: SETTLED, hint: '' });
  }

  /** Take a subject back, when it no longer holds. The last one leaves the remark as an all-clear. */
  remove(code: string, subject: string): void {
    const board = this.#boards.get(code);
    if (board?.subjects.delete(subject)) this.#changed.add(code);
  }

  /** Take back every subject of a code that is not among those that hold now. */
  keepOnly(code: string, subjects: readonly string[]): void {
    for (const subject of this.#boards.get(code)?.subjects ?? []) {
      if (!subjects.includes(subject)) this.remove(code, subject);
    }
  }

  /** Hand over what changed since the last time. */
  publish(): void {
    for (const code of this.#changed) {
      const board = this.#boards.get(code);
      if (board === undefined) continue;
      const { remark, subjects } = board;
      if (subjects.size === 0) this.#note({ level: 'info', code, message: SETTLED, hint: '' });
      else this.#note({ level: remark.level, code, message: remark.say(listSome([...subjects])), hint: remark.hint });
    }
    this.#changed.clear();
  }
}

/** Name the first few of a list and count the rest. */
function listSome(all: readonly string[]): string {
  const named = all.slice(0, NAMED_MAX).join(', ');
  return all.length <= NAMED_MAX ? named : `${named} and ${all.length - NAMED_MAX} more`;
}
