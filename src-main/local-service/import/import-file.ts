// Data that the interface only reads come in by file: all of a file or nothing of it. What is there already, by its UUID,
// is left as it is, so that importing a file again does no harm.
import { readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { addAudit, hereActor } from '../storage/audit.ts';
import { DEFAULT_ORGANIZATION, DEFAULT_USER, ensureOrganization, ensureUser } from '../storage/identity.ts';
import { openEngine } from '../storage/open-engine.ts';
import { first, type Script } from '../storage/script.ts';
import { type ImportedFile, importEntry } from './import-entries.ts';
import { importLinks, importTools } from './import-links.ts';
import { ImportStop } from './import-place.ts';
import { importError, readImport } from './read-import.ts';

/** How much came in, and how much was there already. */
export interface ImportReport {
  readonly added: number;
  readonly kept: number;
}

/** Ends the rehearsal of an import. */
class DryRun extends Error {}

/**
 * Import a file into the service; a running one shows its content at once.
 *
 * @param storagePlace - the service's folder, or the address of its database.
 * @param file - the path of a JSON file.
 * @param options - whose data it becomes (default: the first user's).
 * @returns how much was added and how much was there already.
 * @throws AgentError `service.import-missing`, `service.import-unfit` with line and field of each fault; nothing of the file
 *   was taken then.
 */
export async function importFile(
  storagePlace: string,
  file: string,
  { organization = DEFAULT_ORGANIZATION, user = DEFAULT_USER }: { organization?: string; user?: string } = {},
): Promise<ImportReport> {
  const { text, content } = readImport(file);
  const engine = await openEngine(storagePlace);
  try {
    const source = resolve(dirname(file));
    const readBytes = (name: string, path: PropertyKey[]) => {
      // An import file may come from elsewhere: it must not put this PC's other files where an organization can read them.
      const way = relative(source, resolve(source, name));
      if (isAbsolute(way) || isAbsolute(name) || /^\.\.([\\/]|$)/.test(way)) {
        throw new ImportStop(path, 'the file must lie in the folder of the import file, or below it');
      }
      try {
        return readFileSync(join(source, way));
      } catch (fault) {
        throw new ImportStop(path, `the file cannot be read: ${(fault as Error).message}`);
      }
    };
    const imported: ImportedFile[] = [];
    const counts = { added: 0, kept: 0 };
    const takeAll = function* (): Script<void> {
      counts.added = 0;
      counts.kept = 0;
      imported.length = 0;
      const actor = hereActor();
      const { value: organizationId } = yield* ensureOrganization(organization, actor);
      const { value: userId } = yield* ensureUser(organizationId, user, actor);
      const found = yield* first<{ user_uuid: string }>('SELECT user_uuid FROM "user" WHERE id = ?', userId);
      const place = { engine, organizationId, userId, userUuid: found?.user_uuid ?? '', counts };
      yield* importLinks(place, content);
      yield* importTools(place, content);
      for (const [at, entry] of content.data_entries.entries()) {
        imported.push(...(yield* importEntry(place, entry, at, readBytes)));
      }
    };
    try {
      // Once to find every fault and file, taken back; then the bytes, and the rows in one short transaction: a running
      // service is not held up by the copying, and a crash leaves a file that nothing names, never a row without its file.
      await engine.write(function* () {
        yield* takeAll();
        throw new DryRun();
      });
    } catch (fault) {
      if (fault instanceof ImportStop) throw importError(file, text, [fault.fault]);
      if (!(fault instanceof DryRun)) throw fault;
    }
    for (const { fileUuid, bytes } of imported) await engine.bytes.add(fileUuid, bytes);
    await engine.write(function* () {
      yield* takeAll();
      const told = `${file}: ${counts.added} added, ${counts.kept} there already`;
      if (counts.added > 0) yield* addAudit(hereActor(), 'file imported', told);
    });
    return counts;
  } finally {
    await engine.close();
  }
}
