// A value too large to cross from one thread to another at once: the receiving thread would stand still while it is rebuilt.
// It is taken apart into pieces of bounded size and put together piece by piece, with other work between them.

/** Values in a piece at most, containers and leaves alike; rebuilding them takes some milliseconds. */
const PIECE_MAX = 10_000;

type Path = readonly (string | number)[];

/** Some children of one container, which stands at `path` in the whole: of a list from an index on, or of an object. */
export type Piece = { readonly path: Path } & (
  | { readonly from: number; readonly items: readonly unknown[] }
  | { readonly entries: readonly (readonly [string, unknown])[] }
);

/** Where runs of children begin, so that none holds more than fits a piece; a child alone may. */
function cutRuns(count: number, pieceMax: number, sizeOf: (at: number) => number): number[] {
  const begins: number[] = [];
  let room = 0;
  for (let at = 0; at < count; at++) {
    const size = sizeOf(at);
    if (size > room) {
      begins.push(at);
      room = pieceMax;
    }
    room -= size;
  }
  return begins;
}

/**
 * Take a value apart, in place: containers that hold too much are emptied, and their children go into pieces. Takes what
 * JSON.parse gave, nested no deeper than recursion goes, and how much a piece may hold.
 *
 * @returns the pieces in the order in which they are put back; none when all of it is small enough.
 */
export function takeApart(root: unknown, pieceMax = PIECE_MAX): Piece[] {
  const groups: Piece[][] = [];
  const path: (string | number)[] = [];
  const sizeWithin = (key: string | number, child: unknown): number => {
    if (typeof child !== 'object' || child === null) return 1;
    path.push(key);
    const size = reduce(child);
    path.pop();
    return size;
  };
  const ofList = (list: unknown[]): number => {
    /** Left out while all are leaves, of which there may be millions. */
    let sizes: Uint32Array | null = null;
    let size = 1;
    for (const [at, child] of list.entries()) {
      const own = sizeWithin(at, child);
      if (own > 1) sizes ??= new Uint32Array(list.length).fill(1);
      if (sizes) sizes[at] = own;
      size += own;
    }
    if (size <= pieceMax) return size;
    const begins = cutRuns(list.length, pieceMax, (at) => sizes?.[at] ?? 1);
    const own = [...path];
    groups.push(begins.map((from, n) => ({ path: own, from, items: list.slice(from, begins[n + 1]) })));
    list.length = 0;
    return 1;
  };
  const ofObject = (object: Record<string, unknown>): number => {
    const entries = Object.entries(object);
    const sizes = entries.map(([key, child]) => sizeWithin(key, child));
    const size = sizes.reduce((sum, one) => sum + one, 1);
    if (size <= pieceMax) return size;
    const begins = cutRuns(entries.length, pieceMax, (at) => sizes[at] ?? 1);
    const own = [...path];
    groups.push(begins.map((from, n) => ({ path: own, entries: entries.slice(from, begins[n + 1]) })));
    for (const [key] of entries) delete object[key];
    return 1;
  };
  /** Values that are left of it, itself included. */
  const reduce = (value: object): number =>
    Array.isArray(value) ? ofList(value) : ofObject(value as Record<string, unknown>);
  if (typeof root === 'object' && root !== null) reduce(root);
  // Inner ones were found first, and stand in what the outer ones bring.
  return groups.reverse().flat();
}

/** Put a piece back. Takes the whole, as far as it is put together, and the next piece. */
export function putBack(root: unknown, piece: Piece): void {
  let at = root as Record<string | number, unknown>;
  for (const key of piece.path) at = at[key] as typeof at;
  if ('items' in piece) for (const [n, item] of piece.items.entries()) at[piece.from + n] = item;
  else {
    // As JSON.parse does: a name such as `__proto__` stays a plain name.
    const plain = { writable: true, enumerable: true, configurable: true };
    for (const [key, value] of piece.entries) Object.defineProperty(at, key, { ...plain, value });
  }
}
