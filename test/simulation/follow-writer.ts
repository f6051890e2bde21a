// One writer: makes steps of deeds, so small that the reader can look between any two of them, and keeps account of what it
// wrote.
import type { Deed, Schedule, Style } from './follow-schedule.ts';
import type { SimulatedFiles } from './simulated-files.ts';

export const LIVE = 'log.csv';
export const COPY = 'copy of log.csv';
/** Rotations between two looks of a reader that is held up. */
const OFTEN = 4;
const KEPT = 5;
/** The names of the columns: in less than the 8 bytes by which files that begin alike are found, and in more. */
const HEADERS = { short: 'time,v\n', long: 'time,value\n' };

/** Numbers of the whole lines of a text. */
export function linesOf(text: string): number[] {
  return [...text.matchAll(/^\d+\.5,(\d+)\n/gm)].map(([, line]) => Number(line));
}

export class FollowWriter {
  readonly #files: SimulatedFiles;
  readonly style: Style;
  readonly #keep: number;
  readonly #header: string;
  readonly #nowMs: () => number;
  /** When each line was finished, by its number. */
  readonly written = new Map<number, number>();
  /** Lines that stood in a log or in the copy that was put back over it, and when that was last. */
  readonly restored = new Map<number, number>();
  /** Of these, lines that had been rotated away or destroyed: they did not stand in the log any more. */
  readonly returned = new Set<number>();
  /** Lines that were written between a copy and the truncation that it was made for. */
  readonly behindCopy = new Set<number>();
  /** When copies were put back over the log. */
  readonly restoresMs: number[] = [];
  /** When the log was rotated, replaced or copied: beginning and end of each time. */
  readonly changesMs: { fromMs: number; toMs: number }[] = [];
  #half = '';
  #rotations = 0;

  constructor(files: SimulatedFiles, { style, keep, names }: Schedule, nowMs: () => number) {
    this.#files = files;
    this.style = style;
    this.#keep = keep ?? KEPT;
    this.#header = HEADERS[names ?? 'short'];
    this.#nowMs = nowMs;
  }

  /** Lines that stand whole in files now. */
  get standing(): Set<number> {
    return new Set(this.#files.standing.flatMap(({ text }) => linesOf(text)));
  }

  /** The line that is not finished, or 0. */
  get unfinished(): number {
    return this.#half === '' ? 0 : this.written.size;
  }

  #line(): string {
    const number = this.written.size + 1;
    this.written.set(number, this.#nowMs());
    return `${1_795_132_800 + number}.5,${number}\n`;
  }

  #append(text: string): void {
    this.#files.append(LIVE, text);
  }

  #end(): string {
    const rest = this.#half;
    if (rest !== '') this.written.set(this.written.size, this.#nowMs());
    this.#half = '';
    return rest;
  }

  /** The steps of a deed, each to be made at once. */
  stepsOf(deed: Deed): (() => void)[] {
    const steps = this.#stepsOf(deed);
    if (deed.do === 'append' || deed.do === 'half') return steps;
    const change = { fromMs: this.#nowMs(), toMs: Number.POSITIVE_INFINITY };
    this.changesMs.push(change);
    if (deed.do === 'rotate-often') this.changesMs.push(change);
    const end = () => {
      change.toMs = this.#nowMs();
    };
    return steps.map((step, n) => (n < steps.length - 1 ? step : () => [step(), end()]));
  }

  #stepsOf(deed: Deed): (() => void)[] {
    const files = this.#files;
    const header = () => {
      if (files.text(LIVE) === '') this.#append(this.#header);
    };
    const finish = () => {
      if (this.#half !== '') this.#append(this.#end());
    };
    switch (deed.do) {
      case 'append':
        return [header, ...Array.from({ length: deed.lines }, () => () => this.#append(this.#end() + this.#line()))];
      case 'half':
        return [header, () => this.#writeHalf()];
      case 'rotate':
      case 'rotate-busy':
        return [finish, ...this.#rotation(deed.do === 'rotate-busy'), header];
      case 'rotate-often':
        return [finish, ...Array.from({ length: OFTEN }, () => this.#whole(header)), header];
      case 'save-as':
        return [header, finish, () => files.append('.next', files.text(LIVE) + this.#line()), () => this.#putNext()];
      case 'recreate':
        return [finish, () => files.remove(LIVE), header, () => this.#append(this.#line())];
      case 'copy':
        return [finish, ...this.#copy(COPY)];
      case 'rewrite':
        return [header, finish, ...this.#rewrite()];
      case 'hold':
        return [
          () => files.hold(LIVE),
          finish,
          ...this.#rotation(false),
          header,
          () => this.#append(this.#line()),
          () => files.free(),
        ];
      case 'restart':
        return [finish, () => files.has(LIVE) && files.truncate(LIVE), header, () => this.#append(this.#line())];
      case 'restore':
        return [finish, () => this.#restore(), header];
      default:
        return [() => undefined];
    }
  }

  /** A line and a rotation, all at once. */
  #whole(header: () => void): () => void {
    return () => {
      header();
      this.#append(this.#line());
      for (const step of this.#rotation(false)) step();
    };
  }

  #writeHalf(): void {
    // The line before is written now that it is finished.
    const rest = this.#end();
    const line = this.#line();
    const cut = 1 + (line.length % 7);
    this.#append(rest + line.slice(0, cut));
    this.#half = line.slice(cut);
  }

  /** As an editor saves: the log is cut, and written again in two pieces with a line more. */
  #rewrite(): (() => void)[] {
    const files = this.#files;
    let text = '';
    const half = () => Math.floor(text.length / 2);
    return [
      () => {
        text = files.text(LIVE);
        files.truncate(LIVE);
      },
      () => this.#append(text.slice(0, half())),
      () => this.#append(text.slice(half()) + this.#line()),
    ];
  }

  /** Only now does what was saved stand in the log. */
  #putNext(): void {
    const there = linesOf(this.#files.text(LIVE));
    for (const line of linesOf(this.#files.text('.next'))) {
      if (!there.includes(line)) this.written.set(line, this.#nowMs());
    }
    this.#files.rename('.next', LIVE);
  }

  #restore(): void {
    if (!this.#files.has(COPY)) return;
    const nowMs = this.#nowMs();
    for (const name of [COPY, LIVE]) {
      for (const line of linesOf(this.#files.text(name))) this.restored.set(line, nowMs);
    }
    const there = linesOf(this.#files.text(LIVE));
    for (const line of linesOf(this.#files.text(COPY))) if (!there.includes(line)) this.returned.add(line);
    this.restoresMs.push(nowMs);
    this.#files.rename(COPY, LIVE);
  }

  /** A copy takes two steps. */
  #copy(to: string): (() => void)[] {
    const part = (isFirst: boolean) => () => {
      if (!this.#files.has(LIVE)) return;
      const text = this.#files.text(LIVE);
      const half = Math.floor(text.length / 2);
      if (isFirst) this.#files.remove(to);
      this.#files.append(to, isFirst ? text.slice(0, half) : text.slice(half));
    };
    return [part(true), part(false)];
  }

  /** A busy tool writes on while it is done: what it has open is the file, not its name. */
  #rotation(isBusy: boolean): (() => void)[] {
    const files = this.#files;
    this.#rotations += 1;
    const ifThere = (step: () => void) => () => {
      if (files.has(LIVE)) step();
    };
    const style = this.style === 'any' ? (['rename-chain', 'copytruncate'] as const)[this.#rotations % 2] : this.style;
    const away = (name: string) => {
      let isAway = false;
      const move = ifThere(() => {
        files.rename(LIVE, name);
        isAway = true;
      });
      const late = () => {
        if (isAway && files.has(name)) files.append(name, this.#line());
      };
      return isBusy ? [move, late] : [move];
    };
    if (style === 'dated') return away(`${LIVE}-${20_261_100 + this.#rotations}`);
    const shift = (number: number) => () => {
      if (files.has(`${LIVE}.${number}`)) files.rename(`${LIVE}.${number}`, `${LIVE}.${number + 1}`);
    };
    const shifts = Array.from({ length: this.#keep }, (_, n) => shift(this.#keep - n));
    if (style === 'rename-chain') return [...shifts, ...away(`${LIVE}.1`)];
    const behind = ifThere(() => {
      this.behindCopy.add(this.written.size + 1);
      this.#append(this.#line());
    });
    const cut = ifThere(() => files.truncate(LIVE));
    return [...shifts, ...this.#copy(`${LIVE}.1`), ...(isBusy ? [behind] : []), cut];
  }
}
