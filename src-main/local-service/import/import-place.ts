// What the parts of an import share: whose data it becomes, and how a fault of the content takes back everything.
import type { Engine } from '../storage/engine.ts';
import { first, type Script } from '../storage/script.ts';

export interface Fault {
  path: readonly PropertyKey[];
  message: string;
}

/** A fault of the content, found while it comes in; it takes back everything. */
export class ImportStop extends Error {
  readonly fault: Fault;
  constructor(path: readonly PropertyKey[], message: string) {
    super(message);
    this.fault = { path, message };
  }
}

export interface Place {
  readonly engine: Engine;
  readonly organizationId: number;
  readonly userId: number;
  readonly userUuid: string;
  readonly counts: { added: number; kept: number };
}

/** Find a row of this organization by its UUID. A UUID that another organization has is a fault. */
export function* findOwn(
  { organizationId, counts }: Place,
  table: 'sample' | 'project' | 'tag' | 'entry',
  uuid: string,
  path: PropertyKey[],
): Script<number | null> {
  const column = table === 'entry' ? 'data_id' : `${table}_uuid`;
  const sql = `SELECT id, organization_id FROM ${table} WHERE ${column} = ?`;
  const found = yield* first<{ id: number; organization_id: number }>(sql, uuid);
  if (!found) counts.added += 1;
  else if (found.organization_id !== organizationId)
    throw new ImportStop(path, `${uuid} belongs to another organization`);
  else counts.kept += 1;
  return found?.id ?? null;
}

/** Look up what an entry or project refers to. */
export function* linkTo(
  { organizationId }: Place,
  table: 'sample' | 'project' | 'tag',
  uuid: string,
  path: PropertyKey[],
): Script<number> {
  const sql = `SELECT id FROM ${table} WHERE ${table}_uuid = ? AND organization_id = ?`;
  const found = yield* first<{ id: number }>(sql, uuid, organizationId);
  if (found) return found.id;
  throw new ImportStop(path, `there is no ${table} ${uuid}, neither in this file nor in the service`);
}
