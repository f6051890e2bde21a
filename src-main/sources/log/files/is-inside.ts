import path, { type PlatformPath } from 'node:path';

/**
 * Tell whether a place lies in a folder. Takes two absolute paths, links resolved, and the writing of paths of their system.
 *
 * @returns true for the folder itself and all below it; never for another drive or share.
 */
export function isInside(folder: string, place: string, paths: PlatformPath = path): boolean {
  const way = paths.relative(folder, place);
  return way !== '..' && !way.startsWith(`..${paths.sep}`) && !paths.isAbsolute(way);
}
