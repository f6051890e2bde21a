// Growth instruments, kept as the service answers them.
import type { Instrument } from '../../interface/resources.ts';
import { first, run, type Script } from './script.ts';

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
 * Find or add a make: the label of an instrument stands for its manufacturer and model.
 *
 * @returns its number.
 */
function* ensureMake(label: string, type: string): Script<number> {
  yield* run('INSERT INTO instrument_make (label, type) VALUES (?, ?) ON CONFLICT DO NOTHING', label, type);
  const sql = 'SELECT id FROM instrument_make WHERE label = ? AND type = ?';
  return (yield* first<{ id: number }>(sql, label, type))?.id ?? 0;
}

/** Add an instrument. Returns it, as the service answers it. */
export function* addInstrument(instrument: NewInstrument): Script<Instrument> {
  const { organizationId, userId, userUuid, name, label, type, metadata, nowMs } = instrument;
  const free = yield* first<{ next: number }>('SELECT coalesce(max(synth_source_id), 0) + 1 AS next FROM instrument');
  const body: Instrument = {
    synth_source_id: instrument.synthSourceId ?? free?.next ?? 1,
    source_name: name,
    source_label: label,
    source_makes_id: yield* ensureMake(label, type),
    synth_source_type: type,
    source_metadata: { manufacture_year: null, serial_identifier: null, inputs: null, ...metadata },
    user_id: userUuid,
    last_updated: new Date(nowMs).toISOString(),
  };
  yield* run(
    'INSERT INTO instrument (synth_source_id, organization_id, user_id, body) VALUES (?, ?, ?, ?)',
    body.synth_source_id,
    organizationId,
    userId,
    JSON.stringify(body),
  );
  return body;
}
