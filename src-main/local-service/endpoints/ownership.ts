// Everything belongs to an organization. These look an id up among the caller's own; foreign and unknown are told alike.

import { notFound } from '../requests/problem.ts';
import type { Caller } from '../storage/identity.ts';
import type { ServiceDatabase } from '../storage/sqlite/database.ts';

export interface Ownership {
  /** Number of a catalogue entry by its UUID; Problem 404. */
  entry(dataId: string, caller: Caller): number;
  /** Number of a physical sample by its UUID; null for none given; Problem 404. */
  sample(sampleUuid: string | null | undefined, caller: Caller): number | null;
  /** Number of a project by its UUID; null for none given; Problem 404. */
  project(projectUuid: string | null | undefined, caller: Caller): number | null;
  /** Whether a growth instrument is the caller's organization's. */
  hasInstrument(synthSourceId: number, caller: Caller): boolean;
}

/** Prepare the look-ups. */
export function createOwnership(db: ServiceDatabase): Ownership {
  const entry = db
    .prepare<[string, number], number>('SELECT id FROM entry WHERE data_id = ? AND organization_id = ?')
    .pluck();
  const number = (table: 'sample' | 'project', what: string) => {
    const find = db
      .prepare<[string, number], number>(`SELECT id FROM ${table} WHERE ${table}_uuid = ? AND organization_id = ?`)
      .pluck();
    return (uuid: string | null | undefined, { organizationId }: Caller) => {
      if (uuid === null || uuid === undefined) return null;
      const id = find.get(uuid, organizationId);
      if (id === undefined) throw notFound(what, uuid);
      return id;
    };
  };
  const instrument = db
    .prepare<[number, number], number>('SELECT 1 FROM instrument WHERE synth_source_id = ? AND organization_id = ?')
    .pluck();
  return {
    entry(dataId, { organizationId }) {
      const found = entry.get(dataId, organizationId);
      if (found === undefined) throw notFound('data entry', dataId);
      return found;
    },
    sample: number('sample', 'physical sample'),
    project: number('project', 'project'),
    hasInstrument: (synthSourceId, { organizationId }) => instrument.get(synthSourceId, organizationId) !== undefined,
  };
}
