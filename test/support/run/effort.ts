// How much a test that can go on for as long as one likes does: rounds of kills, steps of a walk, minutes of a soak. Three
// amounts, chosen by the command and never by the speed of the machine:
//
//   npm test            little: enough to fail when the promise is broken
//   npm run test:long   much; EPISTREAM_LONG=bounded, as CI runs it, ends within minutes
//   npm run mutation    six cases of each property, the same for each change of the code; the first fault is enough

/**
 * @param little - the amounts of `npm test`.
 * @param bounded - of a bounded long run.
 * @param much - of a full one.
 * @returns the one of this run.
 */
export function amount<T>(little: T, bounded: T, much: T): T {
  const long = process.env.EPISTREAM_LONG;
  return long === undefined ? little : long === 'bounded' ? bounded : much;
}

/** Where `npm test` begins to draw: a run that fails is the same run the next time. */
const SEED = 20_261_122;

/**
 * How many cases a property tries: in `npm test` the same few each time, in a long run others each time.
 *
 * @param usual - `npm test` tries a fifth of so many, a bounded long run half, a full one ten times as many.
 * @returns the parameters of `fc.assert`.
 */
export function walks(usual: number): { numRuns: number; seed?: number; endOnFailure?: boolean } {
  const asked = Number(process.env.EPISTREAM_TEST_WALKS ?? 0);
  if (asked > 0 && asked <= usual) return { numRuns: asked, seed: SEED, endOnFailure: true };
  return amount<{ numRuns: number; seed?: number }>(
    { numRuns: Math.ceil(usual / 5), seed: SEED },
    { numRuns: Math.ceil(usual / 2) },
    { numRuns: 10 * usual },
  );
}

/**
 * A sample of a table that goes through all its kinds: in `npm test` every `oneOf`-th row, in a bounded long run those that
 * follow them, in a full one all.
 *
 * @param table - its rows, kind by kind.
 */
export function sampleOf<T>(table: readonly T[], oneOf: number): T[] {
  const first = amount(0, 1 % oneOf, null);
  return table.filter((_, at) => first === null || at % oneOf === first);
}
