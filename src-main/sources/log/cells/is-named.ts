import { compileGlob, type Glob } from '../../../model/glob.ts';

/** Those of the dialects, which are asked of every file. */
const compiled = new Map<string, Glob>();
const KEPT_MAX = 1000;

/**
 * Tell whether a glob of a dialect means the name of a file. Takes the path, of which the folders do not count, and the
 * glob; letters of either case are the same.
 */
export function isNamed(path: string, glob: string): boolean {
  let ready = compiled.get(glob);
  if (ready === undefined) {
    const made = compileGlob(glob, true);
    // The schema has refused such a glob; here it just means no file.
    if (!made.isValid) return false;
    ready = made;
    if (compiled.size >= KEPT_MAX) compiled.clear();
    compiled.set(glob, ready);
  }
  return ready.matches(path.slice(path.lastIndexOf('/') + 1));
}
