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

/** What the lines at a place of a file are read by. */
interface ReadBy {
  readonly layoutKey: string | null;
  readonly layout: Layout | null;
  readonly parser: LineParser | null;
  readonly kinds: readonly ColumnKind[];
  readonly carry: string;
}

/** What of a file its eras concern. */
interface InEras extends ReadBy {
  readonly byte: number;
  readonly dataByte: number;
  readonly eras: readonly Era[];
}

/**
 * Tell the era in which a file stands.
 *
 * @returns what its lines are read by there, where the header of that era ends, and the byte at which the next one begins
 *   (Infinity: none).
 */
export function eraAt(file: InEras): { readonly by: ReadBy; readonly headerEndByte: number; readonly endByte: number } {
  const { byte, dataByte, eras, layoutKey, layout, parser, kinds, carry } = file;
  const index = eras.findLastIndex(({ fromByte }) => fromByte <= byte);
  const by = { layoutKey, layout, parser, kinds, carry };
  const era = eras[index];
  if (era === undefined) return { by, headerEndByte: dataByte, endByte: Number.POSITIVE_INFINITY };
  const bounds = { headerEndByte: era.dataByte, endByte: eras[index + 1]?.fromByte ?? Number.POSITIVE_INFINITY };
  if (era.layoutKey === layoutKey) return { by, ...bounds };
  // What was known of the lines before concerns those of the former era.
  const kept = byte === era.fromByte ? '' : carry;
  return {
    by: { layoutKey: era.layoutKey, layout: era.layout, parser: era.parser, kinds: era.kinds, carry: kept },
    ...bounds,
  };
}
