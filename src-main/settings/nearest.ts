/** Steps (insert, drop, change a character) from one word to the other. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}

/** Case, hyphens, underscores and blanks are what people most often get wrong. */
const plain = (word: string) => word.toLowerCase().replace(/[-_ ]/g, '');

/**
 * Find the word that was probably meant.
 *
 * @param word - a word as written (only its first 64 characters count).
 * @param known - the words that are known.
 * @returns the nearest of them, or undefined when none is near (more than a third of its letters differ).
 */
export function findNearest(word: string, known: readonly string[]): string | undefined {
  const meant = plain(word.slice(0, 64));
  let best: { word: string; steps: number } | undefined;
  for (const candidate of known) {
    const steps = distance(meant, plain(candidate));
    if (steps <= Math.max(1, Math.floor(candidate.length / 3)) && steps < (best?.steps ?? Number.POSITIVE_INFINITY)) {
      best = { word: candidate, steps };
    }
  }
  return best?.word;
}
