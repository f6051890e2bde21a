// Heads among the rows of a LabVIEW measurement file: each begins a segment that counts from its own start. A head can be cut
// anywhere by the end of a block, so what is known so far is carried to the next one, and is kept with the position.
// Bound: a head of HEAD_LINES_MAX lines.
import { z } from 'zod';
import { ZoneClock } from '../time/zone-clock.ts';
import { type Layout, TimeGroup } from './layout.ts';
import { columnsOf, fieldsOf, groupsOf, isHeadEnd, LABVIEW_ZERO_MS, unitsOf } from './lvm-heads.ts';
import type { GroupState } from './plain-groups.ts';

const HEAD_LINES_MAX = 200;

const Carry = z.object({
  groups: z.array(TimeGroup),
  /** The zone by which their starts were read. */
  zone: z.string(),
  row: z.int(),
  /** Lines of a head that is not at its end. */
  head: z.array(z.string()),
  isSpecial: z.boolean(),
  /** The last time of each group, Unix ms. */
  last: z.array(z.number().nullable()),
});

/** Follows the segments of one file. */
export class LvmSegments implements GroupState {
  groups: readonly TimeGroup[];
  /** Rows of the segment so far. */
  row = 0;
  last: number[] = [];
  /** LabVIEW writes rows in order: a time that goes back is that of another packet, of which no head tells the start. */
  readonly backMs = 0;
  readonly #layout: Layout;
  readonly #zone: ZoneClock;
  #head: string[] = [];
  /** Inside of a block of something else than rows. */
  #isSpecial = false;

  constructor(layout: Layout, carry: string) {
    this.#layout = layout;
    this.#zone = new ZoneClock(layout.zone);
    this.groups = layout.groups ?? [];
    if (carry === '') return;
    const { groups, zone, row, head, isSpecial, last } = Carry.parse(JSON.parse(carry));
    const former = new ZoneClock(zone);
    const move = (zeroMs: number) => this.#zone.toInstant(former.toLocal(zeroMs), Number.NaN);
    const isMoved = zone !== layout.zone;
    this.groups = groups.map((one) => (isMoved && !isAbsolute(one) ? { ...one, zeroMs: move(one.zeroMs) } : one));
    this.row = row;
    this.last = isMoved ? [] : last.map((ms) => ms ?? Number.NaN);
    this.#head = head;
    this.#isSpecial = isSpecial;
  }

  get carry(): string {
    const carry: z.infer<typeof Carry> = {
      groups: [...this.groups],
      zone: this.#layout.zone,
      row: this.row,
      head: this.#head,
      isSpecial: this.#isSpecial,
      last: this.last,
    };
    return JSON.stringify(carry);
  }

  /**
   * Take a line that may belong to a head.
   *
   * @returns `head`; `changed` for one that cannot be read on by this layout; null: it is a row.
   */
  take(line: string): 'head' | 'changed' | null {
    if (this.#isSpecial || line.startsWith('***Start_Special***')) {
      this.#isSpecial = !line.startsWith('***End_Special***');
      return 'head';
    }
    if (this.#head.length === 0) {
      if (!/^(?:Channels|LabVIEW Measurement)(?:[\t,]|$)/.test(line)) return null;
      this.#head = [line];
      return 'head';
    }
    const isBehind = this.#head.some((one) => one.startsWith('Channels')) && isHeadEnd(this.#head.at(-1) ?? '');
    const head = [...this.#head, line];
    // The next reader of this line finds all as it was.
    if (isBehind ? !this.#begin(head) : head.length > HEAD_LINES_MAX) return 'changed';
    this.#head = isBehind ? [] : head;
    return 'head';
  }

  /** Begin the segment of a head that is at its end. Returns false when its columns are others. */
  #begin(head: readonly string[]): boolean {
    const { delimiter, decimal, columns, heads } = this.#layout;
    const names = columnsOf(head.at(-1) ?? '', delimiter);
    const fields = fieldsOf(head, delimiter);
    const wanted = columns.map(({ header }) => header);
    const isSame = JSON.stringify([names, unitsOf(fields, names)]) === JSON.stringify([wanted, heads?.units]);
    if (!isSame) return false;
    const firstX = this.groups.some(({ time }) => time === null) ? null : '0';
    // Absolute times need no start.
    const isOwn = this.groups.some(isAbsolute);
    const groups = isOwn ? this.groups : groupsOf(fields, fields, names, firstX, decimal, this.#zone);
    if (typeof groups === 'string') return false;
    this.groups = groups;
    this.last = [];
    this.row = 0;
    return true;
  }
}

function isAbsolute({ zeroMs }: TimeGroup): boolean {
  return zeroMs === LABVIEW_ZERO_MS;
}
