// Whether a folder stood still between two listings of a look. Only then is what the look concludes true.
import type { Entry, Listing } from './folder-scan.ts';
import type { Between } from './look-plan.ts';
import { formerPaths } from './rotated-names.ts';

/** True when two listings show one folder that stood still: the same names lead to the same objects, none of them shorter. */
export function isStill(one: Listing, other: Listing): boolean {
  if (one.files.size !== other.files.size || one.identity !== other.identity) return false;
  for (const [path, { id, sizeBytes }] of one.files) {
    const again = other.files.get(path);
    if (again === undefined || again.id !== id || again.sizeBytes < sizeBytes) return false;
  }
  return one.hidden.join('\n') === other.hidden.join('\n');
}

/** What a listing and a collection of what lies between show. */
export function shownOf({ files }: Listing, between: readonly Between[]): Entry[] {
  return [...files.values(), ...between.map(({ entry }) => entry)];
}

/** True when a file beside its log, under a name that a rotation gives, has another size than before: it is copied there, perhaps. */
export function isCopying(one: readonly Entry[], other: readonly Entry[]): boolean {
  const sizes = new Map(one.map(({ path, sizeBytes }) => [path, sizeBytes]));
  const changed = other.filter(({ path, sizeBytes }) => sizeBytes !== (sizes.get(path) ?? sizeBytes));
  return changed.some(({ path }) => formerPaths(path).some((log) => sizes.has(log)));
}

/** True when two collections of what lies between hold the same objects under the same names. */
export function areAlike(one: readonly Between[], other: readonly Between[]): boolean {
  const names = (between: readonly Between[]) => between.map(({ entry: { path, id } }) => `${path}\n${id}`).join('\n');
  return names(one) === names(other);
}
