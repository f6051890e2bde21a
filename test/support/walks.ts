// How far a test walks at random: as far as it says, except in "npm run mutation", which runs it for each change of the
// code. There all walks are a few, the same for each change, and the first fault is enough.

/** **Takes**: the walks of an ordinary run. **Gives**: the parameters of `fc.assert`. */
export function walks(usual: number): { numRuns: number; seed?: number; endOnFailure?: boolean } {
  const asked = Number(process.env.EPISTREAM_TEST_WALKS ?? 0);
  return asked > 0 && asked < usual ? { numRuns: asked, seed: 20_261_122, endOnFailure: true } : { numRuns: usual };
}
