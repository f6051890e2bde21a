// Draws a plain table by a seed: its separator, stamps, channels and values. Each kind of log writes one in a form of its own.
import { LogText, ZONE } from '../truth.ts';
import { wallClock, writeStamp } from '../write-stamp.ts';

/** A small generator: what a log holds depends on its seed alone. */
export class Draw {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed ^ 0x5bd1e995) & 0x7fffffff;
    this.share();
  }

  /** From 0 up to 1. */
  share(): number {
    this.#state = (Math.imul(this.#state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (this.#state >>> 8) / (0x7fffffff >>> 8);
  }

  /** A whole number, both ends included. */
  int(min: number, max: number): number {
    return min + Math.min(max - min, Math.floor(this.share() * (max - min + 1)));
  }

  one<T>(list: readonly T[]): T {
    return list[this.int(0, list.length - 1)] as T;
  }

  chance(share: number): boolean {
    return this.share() < share;
  }

  /** Some of a list, in its order of drawing, none twice. */
  some<T>(list: readonly T[], count: number): T[] {
    const left = [...list];
    return Array.from({ length: Math.min(count, left.length) }, () =>
      left.splice(this.int(0, left.length - 1), 1),
    ).flat();
  }
}

export interface Quantity {
  readonly name: string;
  readonly unit: string;
  readonly style: 'fixed' | 'scientific';
  readonly scale: number;
}

export const QUANTITIES: readonly Quantity[] = [
  { name: 'T_sub', unit: '°C', style: 'fixed', scale: 800 },
  { name: 'p_main', unit: 'mbar', style: 'scientific', scale: 1e-7 },
  { name: 'Ga flux', unit: 'nA', style: 'fixed', scale: 90 },
  { name: 'Power', unit: 'W', style: 'fixed', scale: 300 },
  { name: 'Flow', unit: 'sccm', style: 'fixed', scale: 50 },
  { name: 'IG2', unit: 'Torr', style: 'scientific', scale: 1e-9 },
  { name: 'Bias', unit: 'V', style: 'fixed', scale: 400 },
  { name: 'Shroud', unit: 'K', style: 'fixed', scale: 300 },
];

/** How a stamp is written: all can be told apart from one another. */
const FORMS = ['iso', 'isoBlank', 'slashes', 'german', 'words', 'columns', 'columnsGerman'];

/** A table as it is drawn, before it is written in the form of a kind. */
export class Table {
  readonly separator: string;
  readonly mark: '.' | ',';
  readonly form: string;
  readonly startMs: number;
  readonly stepMs: number;
  readonly count: number;
  readonly quantities: readonly Quantity[];
  readonly end: string;
  readonly #texts: string[][];

  constructor(draw: Draw, own: { forms?: readonly string[]; separators?: readonly string[]; least?: number } = {}) {
    this.separator = draw.one(own.separators ?? [',', ';', '\t']);
    this.mark = this.separator === ',' || draw.chance(0.7) ? '.' : ',';
    this.form = draw.one(own.forms ?? FORMS);
    // Not in the months in which the clocks change.
    const [year, month, day] = [draw.int(2012, 2025), draw.one([0, 1, 3, 4, 5, 6, 7, 8]), draw.int(1, 27)];
    this.startMs = Date.UTC(year, month, day) + draw.int(0, 86_399) * 1000;
    this.stepMs = draw.one([1000, 2000, 10_000, 60_000]);
    const least = own.least ?? 8;
    this.count = draw.int(least, Math.max(60, least + 300));
    this.quantities = draw.some(QUANTITIES, draw.int(1, 4));
    this.end = draw.one(['\n', '\r\n']);
    this.#texts = Array.from({ length: this.count }, () => this.quantities.map((one) => valueText(one, draw)));
  }

  timeMs(row: number): number {
    return this.startMs + row * this.stepMs;
  }

  /** The cells of the stamp of a row, on the wall of the tool. */
  stamp(row: number): string[] {
    return writeStamp(this.form, wallClock(this.timeMs(row), ZONE), 0);
  }

  /** Empty cells in place of the stamp. */
  get lead(): string[] {
    return this.stamp(0).map(() => '');
  }

  get names(): string[] {
    return this.quantities.map(({ name }) => name);
  }

  get units(): string[] {
    return this.quantities.map(({ unit }) => unit);
  }

  /** The name above the stamp. */
  timeNames(name: string): string[] {
    return this.lead.length === 2 ? ['Date', name] : [name];
  }

  /** Names that tell their unit. */
  get namesWithUnits(): string[] {
    return this.quantities.map(({ name, unit }) => `${name} [${unit}]`);
  }

  cells(row: number): string[] {
    return (this.#texts[row] ?? []).map((text) => text.replace('.', this.mark));
  }

  values(row: number): number[] {
    return (this.#texts[row] ?? []).map(Number);
  }

  join(...cells: readonly string[]): string {
    return cells.join(this.separator);
  }

  /** An empty log with a channel for each quantity. */
  log(...more: readonly (readonly string[])[]): LogText {
    return new LogText(...this.quantities.map(({ name, unit }) => [`${name}|${unit}`]), ...more);
  }

  /** Add its rows, or some of them. */
  rowsTo(log: LogText, from = 0, to = this.count): LogText {
    for (let row = from; row < to; row++)
      log.row(this.join(...this.stamp(row), ...this.cells(row)), this.timeMs(row), ...this.values(row));
    return log;
  }
}

/** A number that is written in one way only: three digits behind a mark could be thousands. */
export function valueText({ style, scale }: Quantity, draw: Draw): string {
  const value = draw.share() * scale;
  return style === 'fixed' ? value.toFixed(2) : value.toExponential(3);
}
