// 4.12: growth instruments.
import type { Instrument } from '../../interface/resources.ts';
import type { ServiceDatabase } from '../storage/sqlite/database.ts';
import type { Handlers } from './handlers.ts';
import type { ServiceParts } from './service-parts.ts';

/**
 * Find or add a make: the label of an instrument stands for its manufacturer and model.
 *
 * @returns its number.
 */
function ensureMake(db: ServiceDatabase, label: string, type: string): number {
  db.prepare('INSERT INTO instrument_make (label, type) VALUES (?, ?) ON CONFLICT DO NOTHING').run(label, type);
  const find = db.prepare<[string, string], number>('SELECT id FROM instrument_make WHERE label = ? AND type = ?');
  return find.pluck().get(label, type) ?? 0;
}

export interface NewInstrument {
  readonly organizationId: number;
  readonly userId: number;
  readonly userUuid: string;
  readonly name: string;
  readonly label: string;
  readonly type: string;
  readonly metadata: Instrument['source_metadata'];
  /** Absent: the next free number. */
  readonly synthSourceId?: number | null;
  readonly nowMs: number;
}

/**
 * Add an instrument; call it within a transaction.
 *
 * @returns it, as the service answers it.
 */
export function addInstrument(db: ServiceDatabase, instrument: NewInstrument): Instrument {
  const { organizationId, userId, userUuid, name, label, type, metadata, synthSourceId = null, nowMs } = instrument;
  const added = db
    .prepare(`INSERT INTO instrument (synth_source_id, organization_id, user_id, body) VALUES (?, ?, ?, '{}')`)
    .run(synthSourceId, organizationId, userId);
  const body: Instrument = {
    synth_source_id: Number(added.lastInsertRowid),
    source_name: name,
    source_label: label,
    source_makes_id: ensureMake(db, label, type),
    synth_source_type: type,
    source_metadata: { manufacture_year: null, serial_identifier: null, inputs: null, ...metadata },
    user_id: userUuid,
    last_updated: new Date(nowMs).toISOString(),
  };
  db.prepare('UPDATE instrument SET body = ? WHERE synth_source_id = ?').run(
    JSON.stringify(body),
    body.synth_source_id,
  );
  return body;
}

/** Serve the making of instruments. */
export function serveInstruments({ db, write, nowMs }: ServiceParts): Pick<Handlers, 'createInstrument'> {
  return {
    createInstrument: ({ name, label, type, serial_id }, caller) =>
      write(() => {
        const metadata = { serial_identifier: serial_id ?? null };
        return addInstrument(db, { ...caller, name, label, type, metadata, nowMs: nowMs() });
      }),
  };
}
