// Everything belongs to an organization. These look an id up among the caller's own; foreign and unknown are told alike.
import { notFound } from '../requests/problem.ts';
import type { Actor } from './audit.ts';
import type { Caller } from './identity.ts';
import { first, type Script } from './script.ts';

/** Whose things are looked at. */
export type Owner = Pick<Caller, 'organizationId' | 'userId'>;

/** Who changes something that is written into the audit. */
export type Editor = Owner & Actor;

const columns = {
  entry: ['data_id', 'data entry'],
  sample: ['sample_uuid', 'physical sample'],
  project: ['project_uuid', 'project'],
  tag: ['tag_uuid', 'tag'],
} as const;

/**
 * Find what the caller's organization has.
 *
 * @returns its number.
 * @throws Problem 404.
 */
export function* ownId(table: keyof typeof columns, uuid: string, { organizationId }: Owner): Script<number> {
  const [column, what] = columns[table];
  const sql = `SELECT id FROM ${table} WHERE ${column} = ? AND organization_id = ?`;
  const found = yield* first<{ id: number }>(sql, uuid, organizationId);
  if (!found) throw notFound(what, uuid);
  return found.id;
}

/** The same for what may be left out: null for none given. */
export function* ownIdIf(
  table: 'sample' | 'project',
  uuid: string | null | undefined,
  owner: Owner,
): Script<number | null> {
  return uuid === null || uuid === undefined ? null : yield* ownId(table, uuid, owner);
}
