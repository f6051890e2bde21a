// What a writer does to a folder of logs, in steps so small that the reader can look between any two of them.
import { Chance } from './random.ts';
import type { SimulatedFiles } from './simulated-files.ts';

const HEADER = 'time,v\n';
const KEEP = 5;

/** How a tool gets rid of what it has written. */
export type Style = 'rename-chain' | 'copytruncate' | 'dated' | 'any';

export type Deed =
  | { readonly do: 'append'; readonly lines: number }
  | { readonly do: 'half' | 'rotate' | 'save-as' | 'recreate' | 'copy' | 'restore' | 'kill' | 'pause' }
  | { readonly do: 'fail'; readonly code: string };

/** A deed, and how many calls of the reader pass before each of its steps; the last number holds for all that follow. */
export type Planned = Deed & { readonly after: readonly number[] };

export interface Schedule {
  readonly style: Style;
  readonly match: string;
  /** The clock of the file system moves in steps of so many milliseconds. */
  readonly tickMs: number;
  readonly deeds: readonly Planned[];
  /** The file system gives a file another number each time. */
  readonly isRenumbering?: boolean;
}

const HARMLESS = ['append', 'append', 'append', 'half', 'rotate', 'rotate', 'kill', 'pause', 'fail'] as const;
const ANY = [...HARMLESS, 'save-as', 'recreate', 'copy', 'restore'] as const;

/** Draw a schedule. **Takes**: a seed. */
export function drawSchedule(seed: number): Schedule {
  const chance = new Chance(seed);
  const style = chance.pick(['rename-chain', 'copytruncate', 'dated', 'any'] as const);
  const kinds = style === 'any' ? ANY : HARMLESS;
  const match = chance.pick(['log.csv', '*.csv', '*']);
  const tickMs = chance.pick([0.001, 4, 2000]);
  const length = chance.between(3, 14);
  const deeds = Array.from({ length }, (): Planned => {
    const kind = chance.pick(kinds);
    const far = chance.pick([3, 12, 60]);
    const after = Array.from({ length: 9 }, () => chance.between(0, far));
    if (kind === 'append') return { do: kind, lines: chance.between(1, 4), after };
    if (kind === 'fail') return { do: kind, code: chance.pick(['EMFILE', 'EIO', 'EACCES']), after };
    return { do: kind, after };
  });
  return { style, match, tickMs, deeds };
}

/** Numbers of the whole lines of a text. */
export function linesOf(text: string): number[] {
  return [...text.matchAll(/^\d+\.5,(\d+)\n/gm)].map(([, line]) => Number(line));
}

/** One writer: makes steps of deeds, and keeps account of what it wrote. */
export class FollowWriter {
  readonly #files: SimulatedFiles;
  readonly #style: Style;
  readonly #nowMs: () => number;
  /** When each line was finished, by its number. */
  readonly written = new Map<number, number>();
  /** Lines that a restored copy repeats or takes away: nothing tells such a copy from a new run that begins alike. */
  readonly restored = new Set<number>();
  #half = '';
  #rotations = 0;

  constructor(files: SimulatedFiles, style: Style, nowMs: () => number) {
    this.#files = files;
    this.#style = style;
    this.#nowMs = nowMs;
  }

  /** Lines that stand whole in files now. */
  get standing(): Set<number> {
    return new Set(this.#files.names.flatMap((name) => linesOf(this.#files.text(name))));
  }

  /** The line that is not finished, or 0. */
  get unfinished(): number {
    return this.#half === '' ? 0 : this.written.size;
  }

  #line(): string {
    const number = this.written.size + 1;
    this.written.set(number, this.#nowMs());
    return `${1_790_000_000 + number}.5,${number}\n`;
  }

  #isIn(name: string, line: number): boolean {
    return this.#files.has(name) && linesOf(this.#files.text(name)).includes(line);
  }

  #append(text: string): void {
    this.#files.append('log.csv', text);
  }

  #end(): string {
    const rest = this.#half;
    if (rest !== '') this.written.set(this.written.size, this.#nowMs());
    this.#half = '';
    return rest;
  }

  /** The steps of a deed, each to be made at once. */
  stepsOf(deed: Deed): (() => void)[] {
    const files = this.#files;
    const header = () => {
      if (!files.has('log.csv') || files.text('log.csv') === '') this.#append(HEADER);
    };
    const finish = () => {
      if (this.#half !== '') this.#append(this.#end());
    };
    const ifThere = (step: () => void) => () => {
      if (files.has('log.csv')) step();
    };
    if (deed.do === 'append') {
      const line = () => this.#append(this.#end() + this.#line());
      return [header, ...Array.from({ length: deed.lines }, () => line)];
    }
    if (deed.do === 'half') {
      const half = () => {
        const line = this.#line();
        const cut = 1 + (line.length % 7);
        this.#append(this.#end() + line.slice(0, cut));
        this.#half = line.slice(cut);
      };
      return [header, half];
    }
    if (deed.do === 'rotate') return [finish, ...this.#rotation().map(ifThere), header];
    if (deed.do === 'save-as') {
      const save = () => {
        files.append('.next', `${files.text('log.csv')}${this.#line()}`);
      };
      const put = () => {
        // Only now does it stand in the log.
        for (const line of linesOf(files.text('.next')))
          if (!this.#isIn('log.csv', line)) this.written.set(line, this.#nowMs());
        files.rename('.next', 'log.csv');
      };
      return [header, finish, save, put];
    }
    if (deed.do === 'recreate')
      return [finish, () => files.remove('log.csv'), header, () => this.#append(this.#line())];
    if (deed.do === 'copy') return [finish, ...this.#copy('copy of log.csv').map(ifThere)];
    if (deed.do === 'restore') {
      const restore = () => {
        if (!files.has('copy of log.csv')) return;
        for (const line of linesOf(files.text('copy of log.csv'))) this.restored.add(line);
        for (const line of files.has('log.csv') ? linesOf(files.text('log.csv')) : []) this.restored.add(line);
        files.rename('copy of log.csv', 'log.csv');
      };
      return [finish, restore, header];
    }
    return [() => undefined];
  }

  #copy(to: string): (() => void)[] {
    const piece = (part: number) => () => {
      const text = this.#files.text('log.csv');
      const half = Math.floor(text.length / 2);
      if (part === 0) this.#files.remove(to);
      this.#files.append(to, part === 0 ? text.slice(0, half) : text.slice(half));
    };
    return [piece(0), piece(1)];
  }

  #rotation(): (() => void)[] {
    const files = this.#files;
    this.#rotations += 1;
    const style =
      this.#style === 'any' ? (['rename-chain', 'copytruncate'] as const)[this.#rotations % 2] : this.#style;
    if (style === 'dated') {
      const stamp = 20_261_100 + this.#rotations;
      return [() => files.rename('log.csv', `log.csv-${stamp}`)];
    }
    const shift = (number: number) => () => {
      if (files.has(`log.csv.${number}`)) files.rename(`log.csv.${number}`, `log.csv.${number + 1}`);
    };
    const shifts = Array.from({ length: KEEP }, (_, n) => shift(KEEP - n));
    if (style === 'rename-chain') return [...shifts, () => files.rename('log.csv', 'log.csv.1')];
    return [...shifts, ...this.#copy('log.csv.1'), () => files.truncate('log.csv')];
  }
}
