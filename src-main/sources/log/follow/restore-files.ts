// What a source has committed of its files, taken up again: by a run that reads on, and by who only looks.
import type { FileRegistry } from '../files/file-registry.ts';
import { isFilePosition, restoreFile, StoredFile } from '../files/watched-file.ts';
import { readMark } from './folder-mark.ts';
import type { Openings } from './openings.ts';

/** Put the files of committed positions into a registry; each is linked to its layout. */
export function restoreFiles(
  positions: ReadonlyMap<string, string>,
  registry: FileRegistry,
  openings: Pick<Openings, 'link'>,
): void {
  registry.restoreFloor(readMark(positions)?.floor ?? 0);
  for (const [key, value] of positions) {
    if (!isFilePosition(key)) continue;
    const file = restoreFile(key, StoredFile.parse(JSON.parse(value)));
    openings.link(file);
    registry.restore(file);
  }
}
