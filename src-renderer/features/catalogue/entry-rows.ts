// The rows of the list: entries one by one, or those that one growth made together under its name.
import { offsetMs } from '../../format/time-zone.ts';
import type { Entry } from '../../state/catalogue.ts';

export const orders = ['uploaded', 'started', 'name', 'tool', 'sample'] as const;
export type Order = (typeof orders)[number];

/** What is kept of the entries that are here: the service has no such filters. */
export interface Choice {
  /** First and last day, `2026-11-20`; empty: any. */
  readonly from: string;
  readonly to: string;
  readonly tool: string;
  readonly sample: string;
  readonly order: Order;
}

export type Row =
  | { readonly kind: 'entry'; readonly entry: Entry; readonly isInGrowth: boolean }
  | { readonly kind: 'growth'; readonly key: string; readonly entries: readonly Entry[] };

/** Entries of a growth begin within this of its first, milliseconds: another one of the same name is another growth. */
const GROWTH_MS = 36 * 3_600_000;

/** When it began where its name says so, else when it was uploaded, as a wall time of the page's zone that can be compared; empty: unknown. */
export function startOf({ made, uploadedMs }: Entry): string {
  if (made) return made.start;
  if (uploadedMs === null) return '';
  return new Date(uploadedMs + offsetMs(uploadedMs)).toISOString().slice(0, 19).replace('T', ' ');
}

const holds = (text: string | null, part: string) =>
  part === '' || (text ?? '').toLowerCase().includes(part.trim().toLowerCase());

/** Take the entries of some days, a tool and a sample. */
function chooseEntries(entries: readonly Entry[], { from, to, tool, sample }: Choice): Entry[] {
  return entries.filter((entry) => {
    const day = startOf(entry).slice(0, 10);
    if (from !== '' && day < from) return false;
    if (to !== '' && day > to) return false;
    return holds(entry.made?.tool ?? null, tool) && holds(entry.sampleName, sample);
  });
}

const keys: Readonly<Record<Exclude<Order, 'uploaded'>, (entry: Entry) => string>> = {
  started: startOf,
  name: ({ made, name }) => (made && made.words !== '' ? made.words : name),
  tool: ({ made }) => made?.tool ?? '',
  sample: ({ sampleName }) => sampleName ?? '',
};

/** Put entries in order: as the service gives them, the newest first, or by the alphabet; what says nothing comes last. */
function inOrder(entries: readonly Entry[], order: Order): readonly Entry[] {
  if (order === 'uploaded') return entries;
  const keyOf = keys[order];
  const sign = order === 'started' ? -1 : 1;
  const compare = (one: string, other: string) => {
    if (one === '' || other === '') return Number(one === '') - Number(other === '');
    return sign * one.localeCompare(other, 'en', { numeric: true });
  };
  return [...entries].sort((one, other) => compare(keyOf(one), keyOf(other)));
}

/**
 * Form the rows.
 *
 * @param entries - in the order of the service.
 * @returns entries of a growth stand together at the place of the first of them, under a row of their own where there are
 *   two or more.
 */
export function rowsOf(entries: readonly Entry[], choice: Choice): Row[] {
  const ordered = inOrder(chooseEntries(entries, choice), choice.order);
  const groups: { key: string; startMs: number; entries: Entry[] }[] = [];
  const known = new Map<string, typeof groups>();
  for (const entry of ordered) {
    const { made, dataId } = entry;
    const name = made && made.words !== '' ? JSON.stringify([made.tool, made.words]) : '';
    const startMs = Date.parse(`${startOf(entry).replace(' ', 'T')}Z`);
    const alike = name === '' ? [] : (known.get(name) ?? []);
    const own = alike.find((group) => Math.abs(group.startMs - startMs) <= GROWTH_MS);
    if (own) {
      own.entries.push(entry);
      continue;
    }
    const group = { key: name === '' ? dataId : `${name} ${dataId}`, startMs, entries: [entry] };
    groups.push(group);
    if (name !== '') known.set(name, [...alike, group]);
  }
  return groups.flatMap(({ key, entries: own }): Row[] => {
    const isGrowth = own.length > 1;
    const rows = own.map((entry): Row => ({ kind: 'entry', entry, isInGrowth: isGrowth }));
    return isGrowth ? [{ kind: 'growth', key, entries: own }, ...rows] : rows;
  });
}
