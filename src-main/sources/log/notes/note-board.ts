// Remarks about many files under few codes: a remark replaces the former one of its code, so each must tell all.
import type { SourceNote } from '../../source.ts';

const SETTLED = 'Settled.';

/** Subjects named in one remark; the rest is counted. */
const NAMED_MAX = 5;

interface Board {
  readonly level: SourceNote['level'];
  readonly hint: string;
  readonly say: (subjects: string) => string;
  readonly subjects: Set<string>;
}

/** Gathers subjects (files, columns) under a code and says each change as one note. */
export class NoteBoard {
  readonly #note: (note: SourceNote) => void;
  readonly #boards = new Map<string, Board>();
  readonly #changed = new Set<string>();

  constructor(note: (note: SourceNote) => void) {
    this.#note = note;
  }

  /**
   * Add a subject to the remark of a code.
   *
   * @param say - the sentence made around the list of subjects.
   */
  add(
    level: SourceNote['level'],
    code: string,
    say: (subjects: string) => string,
    hint: string,
    subject: string,
  ): void {
    const board = this.#boards.get(code) ?? { level, hint, say, subjects: new Set<string>() };
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

  /** Hand over what changed since the last time. */
  publish(): void {
    for (const code of this.#changed) {
      const board = this.#boards.get(code);
      if (board === undefined) continue;
      const { level, hint, say, subjects } = board;
      if (subjects.size === 0) this.#note({ level: 'info', code, message: SETTLED, hint: '' });
      else this.#note({ level, code, message: say(listSome([...subjects])), hint });
    }
    this.#changed.clear();
  }
}

/** Name the first few of a list and count the rest. */
function listSome(all: readonly string[], most = NAMED_MAX): string {
  const named = all.slice(0, most).join(', ');
  return all.length <= most ? named : `${named} and ${all.length - most} more`;
}
