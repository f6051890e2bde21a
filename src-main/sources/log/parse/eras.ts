// A file whose columns change on its way is read in eras: from the byte at which a new header begins another layout holds.
// An era is made by a person's answer, or by a run in the file that tells its own start; it is committed with the file, so
// that a restart, and a later reader of an earlier piece of the file, goes by the same.
import { z } from 'zod';
import { type ColumnKind, type Layout, packKinds, unpackKinds } from './layout.ts';
import type { LineParser } from './parsed-block.ts';

export interface Era {
  /** Byte of the file from which it holds. */
  readonly fromByte: number;
  /** Byte at which its first line of data begins. */
  readonly dataByte: number;
  readonly layoutKey: string;
  /** Column kinds as it begins. */
  readonly kinds: readonly ColumnKind[];
  /** Null until they are linked. */
  readonly layout: Layout | null;
  readonly parser: LineParser | null;
}

/** What a position says of an era, as JSON. */
export const StoredEra = z.object({ from: z.int(), data: z.int(), layout: z.string(), kinds: z.string() });
export type StoredEra = z.infer<typeof StoredEra>;

/** Write an era for the position. */
export function packEra({ fromByte, dataByte, layoutKey, kinds }: Era): StoredEra {
  return { from: fromByte, data: dataByte, layout: layoutKey, kinds: packKinds(kinds) };
}

/** Read what `packEra` wrote; the layout is linked by the caller. */
export function unpackEra({ from, data, layout, kinds }: StoredEra): Era {
  return {
    fromByte: from,
    dataByte: data,
    layoutKey: layout,
    kinds: unpackKinds(kinds),
    layout: null,
    parser: null,
  };
}

/** What of a file its eras concern. */
interface InEras {
  readonly byte: number;
  readonly dataByte: number;
  readonly eras: readonly Era[];
  layoutKey: string | null;
  layout: Layout | null;
  parser: LineParser | null;
  kinds: readonly ColumnKind[];
  carry: string;
}

/**
 * Give a file the layout of the era in which it stands.
 *
 * @returns where the header of that era ends, and the byte at which the next one begins (Infinity: none).
 */
export function enterEra(file: InEras): { headerEndByte: number; endByte: number } {
  const index = file.eras.findLastIndex(({ fromByte }) => fromByte <= file.byte);
  const era = file.eras[index];
  if (era === undefined) return { headerEndByte: file.dataByte, endByte: Number.POSITIVE_INFINITY };
  if (era.layoutKey !== file.layoutKey) {
    const { layoutKey, layout, parser, kinds } = era;
    Object.assign(file, { layoutKey, layout, parser, kinds });
    // What was known of the lines before concerns those of the former era.
    if (file.byte === era.fromByte) file.carry = '';
  }
  return { headerEndByte: era.dataByte, endByte: file.eras[index + 1]?.fromByte ?? Number.POSITIVE_INFINITY };
}
