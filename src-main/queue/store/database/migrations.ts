// Numbered steps, forward only. `user_version` holds the number of the last step that was applied; a step and its number
// are one transaction, so a kill in between leaves the former version whole.
import SQLite, { type Database } from 'better-sqlite3';
import { AgentError } from '../../../model/agent-error.ts';
import { EVENT_ABOUT_STEP } from '../tables/event-queries.ts';
import { GROWTHS_STEP } from '../tables/growths.ts';
import { MARKS_STEP } from '../tables/marks-table.ts';
import { RHEED_SESSIONS_STEP } from '../tables/rheed-sessions.ts';

/** Marks the file as Epistream's: "EPIS". */
const APPLICATION_ID = 0x45504953;

const FIRST = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
INSERT INTO meta VALUES ('last_sequence', 0), ('last_lane', 0), ('opened', 0), ('acknowledged_bytes', 0);

CREATE TABLE stream (
  id INTEGER PRIMARY KEY,
  source TEXT NOT NULL,
  period TEXT NOT NULL,
  nonce TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  opened_ms REAL NOT NULL,
  closed_ms REAL,
  delivered_ms REAL,
  points_per_chunk INTEGER,
  synth_source_id INTEGER,
  initialize_sent INTEGER NOT NULL DEFAULT 0,
  data_id TEXT,
  processed_data_id TEXT,
  service TEXT,
  rows_read INTEGER NOT NULL DEFAULT 0,
  cells_refused INTEGER NOT NULL DEFAULT 0,
  points INTEGER NOT NULL DEFAULT 0,
  points_acknowledged INTEGER NOT NULL DEFAULT 0,
  points_refused INTEGER NOT NULL DEFAULT 0,
  chunks_sealed INTEGER NOT NULL DEFAULT 0,
  chunks_waiting INTEGER NOT NULL DEFAULT 0,
  last_reading_ms REAL,
  last_acknowledged_ms REAL
);
CREATE INDEX stream_unfinished ON stream (id) WHERE delivered_ms IS NULL;

CREATE TABLE channel (
  id INTEGER PRIMARY KEY,
  stream INTEGER NOT NULL REFERENCES stream,
  name TEXT NOT NULL,
  unit TEXT NOT NULL,
  acknowledged INTEGER NOT NULL DEFAULT 0,
  UNIQUE (stream, name)
);

CREATE TABLE lane (
  id INTEGER PRIMARY KEY,
  stream INTEGER NOT NULL REFERENCES stream,
  channels TEXT NOT NULL,
  next_index INTEGER NOT NULL
);
CREATE INDEX lane_of_stream ON lane (stream);

CREATE TABLE open_readings (
  id INTEGER PRIMARY KEY,
  lane INTEGER NOT NULL,
  rows INTEGER NOT NULL,
  data BLOB NOT NULL
);
CREATE INDEX open_readings_of_lane ON open_readings (lane);

CREATE TABLE chunk (
  id INTEGER PRIMARY KEY,
  stream INTEGER NOT NULL REFERENCES stream,
  chunk_index INTEGER NOT NULL,
  channels TEXT NOT NULL,
  place INTEGER,
  rows INTEGER NOT NULL,
  first_ms REAL NOT NULL,
  last_ms REAL NOT NULL,
  state TEXT NOT NULL DEFAULT 'sealed' CHECK (state IN ('sealed', 'acknowledged', 'refused')),
  settled_ms REAL,
  refused_words TEXT,
  sha256 BLOB NOT NULL,
  data BLOB NOT NULL
);
CREATE INDEX chunk_waiting ON chunk (stream, coalesce(place, id), id) WHERE state = 'sealed';
CREATE INDEX chunk_done ON chunk (settled_ms) WHERE state = 'acknowledged';
CREATE INDEX chunk_span ON chunk (stream, last_ms);

CREATE TABLE source_position (source TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (source, key)) WITHOUT ROWID;

CREATE TABLE refusal (
  id INTEGER PRIMARY KEY, source TEXT NOT NULL, at_ms REAL NOT NULL, place TEXT NOT NULL, line INTEGER, byte INTEGER,
  channel TEXT NOT NULL, text TEXT NOT NULL, reason TEXT NOT NULL
);
CREATE TABLE gap (id INTEGER PRIMARY KEY, source TEXT NOT NULL, from_ms REAL NOT NULL, to_ms REAL NOT NULL, cause TEXT NOT NULL);
CREATE TABLE event (
  id INTEGER PRIMARY KEY, at_ms REAL NOT NULL, level TEXT NOT NULL, code TEXT NOT NULL, message TEXT NOT NULL, hint TEXT NOT NULL
);
`;

/** What receipts are made of: the bytes that were read, refused cells by stream, and what a full read-back said. */
const RECEIPTS = `
ALTER TABLE stream ADD COLUMN first_reading_ms REAL;
ALTER TABLE refusal ADD COLUMN stream INTEGER;
CREATE INDEX refusal_of_stream ON refusal (stream, id) WHERE stream IS NOT NULL;
CREATE INDEX chunk_of_stream ON chunk (stream, coalesce(place, id));
CREATE TABLE source_span (
  stream INTEGER NOT NULL REFERENCES stream, file TEXT NOT NULL, from_byte INTEGER NOT NULL, to_byte INTEGER NOT NULL,
  place TEXT NOT NULL, sha256 TEXT NOT NULL, PRIMARY KEY (stream, file, from_byte)
) WITHOUT ROWID;
CREATE TABLE confirmation (
  stream INTEGER PRIMARY KEY REFERENCES stream, at_ms REAL NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('confirmed', 'counted', 'differs')),
  points_compared INTEGER NOT NULL, points_expected INTEGER NOT NULL, notes TEXT NOT NULL
);
`;

/** Open readings get a checksum of their own (null: written before), and the queue a name that its ledger knows it by. */
const CHECKS = `
ALTER TABLE open_readings ADD COLUMN crc INTEGER;
INSERT INTO meta VALUES ('queue_id', lower(hex(randomblob(16))));
`;

/** Whether a stream is to be ended on the service: null: no; `due`, `done`, or `refused: ` and the service's words. */
const FINALIZE = `
ALTER TABLE stream ADD COLUMN finalize TEXT;
CREATE INDEX stream_to_finalize ON stream (id) WHERE finalize = 'due';
`;

/**
 * Refused chunks can be sent again: `turn` says behind which (null: it never was refused), `resent_in` which stream took a
 * copy of its points. The columns stand behind the bytes of a chunk; a null is told by the head of the row.
 */
const RESENDING = `
ALTER TABLE chunk ADD COLUMN turn REAL;
ALTER TABLE chunk ADD COLUMN resent_in INTEGER;
ALTER TABLE stream ADD COLUMN points_resent INTEGER NOT NULL DEFAULT 0;
DROP INDEX chunk_waiting;
CREATE INDEX chunk_waiting ON chunk (stream, coalesce(turn, place, id), coalesce(place, id), id) WHERE state = 'sealed';
CREATE INDEX chunk_refused ON chunk (stream, coalesce(place, id), id) WHERE state = 'refused';
`;

/** Whether chunks of a stream were sent before they were full: 0 never, 1 yes, 2 one may still be on its way. */
const AHEAD = 'ALTER TABLE stream ADD COLUMN ahead INTEGER NOT NULL DEFAULT 0;';

/**
 * Oldest stamp of what waits, found without looking at all of it. A lane's `first_ms` is that of its open readings, null
 * when it has none; for readings that an earlier version stored it is not known, and told as older than any.
 */
const OLDEST_WAITING = `
ALTER TABLE lane ADD COLUMN first_ms REAL;
UPDATE lane SET first_ms = -9e15 WHERE id IN (SELECT lane FROM open_readings);
DROP INDEX lane_of_stream;
CREATE INDEX lane_of_stream ON lane (stream, first_ms);
CREATE INDEX chunk_oldest_waiting ON chunk (stream, first_ms) WHERE state = 'sealed';
`;

/**
 * Points that stood at the service already are not sent again. `new_since_ms`: readings before it may stand there (null: all
 * are new, or it was looked up); `points_held`, `held_in`: how many did, and in which entries (JSON); `may_hold_more`: the
 * entry may hold more than this queue knows; `held_answer`: what a person said where the same values stand under another
 * name. Streams up to `doubt` were there when something of the queue was lost.
 */
const HELD = `
ALTER TABLE stream ADD COLUMN new_since_ms REAL;
ALTER TABLE stream ADD COLUMN points_held INTEGER NOT NULL DEFAULT 0;
ALTER TABLE stream ADD COLUMN held_in TEXT;
ALTER TABLE stream ADD COLUMN held_answer TEXT;
ALTER TABLE stream ADD COLUMN may_hold_more INTEGER NOT NULL DEFAULT 0;
INSERT INTO meta VALUES ('doubt', 0);
`;

/** Chunks that wait for the second time, found without looking at all that waits. */
const AGAIN = "CREATE INDEX chunk_again ON chunk (stream) WHERE state = 'sealed' AND turn IS NOT NULL;";

/**
 * Chunks that went out side by side and are not settled: the service may have them. The column stands behind the bytes of a
 * chunk; 0 and 1 are told by the head of the row, so that the note leaves the row as long as it was.
 */
const BURST = `
ALTER TABLE chunk ADD COLUMN burst INTEGER NOT NULL DEFAULT 0;
CREATE INDEX chunk_burst ON chunk (stream) WHERE state = 'sealed' AND burst = 1;
`;

const STEPS: readonly string[] = [
  FIRST,
  RECEIPTS,
  CHECKS,
  FINALIZE,
  RESENDING,
  AHEAD,
  OLDEST_WAITING,
  MARKS_STEP,
  AGAIN,
  RHEED_SESSIONS_STEP,
  GROWTHS_STEP,
  EVENT_ABOUT_STEP,
  HELD,
  BURST,
];

/** Versions far beyond the next ones are no version: the header is damaged. */
const VERSION_MAX = 1000;

const schemas = new Map<number, ReadonlyMap<string, string>>();

function readSchema(database: Database): Map<string, string> {
  const rows = database.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema').raw().all() as string[][];
  return new Map(rows.map(([type, name, table, sql]) => [`${type} ${name}`, `${table} ${sql}`]));
}

/** The schema that a file of this version has, object by object. */
function expectedSchema(version: number): ReadonlyMap<string, string> {
  const known = schemas.get(version);
  if (known) return known;
  const memory = new SQLite(':memory:');
  for (const step of STEPS.slice(0, version)) memory.exec(step);
  const schema = readSchema(memory);
  memory.close();
  schemas.set(version, schema);
  return schema;
}

function newer(version: number): AgentError {
  return new AgentError({
    code: 'store.newer',
    message: `The queue was written by a newer Epistream (queue version ${version}, this program knows ${STEPS.length}).`,
    hint: 'Start the newer version. Nothing was changed.',
    retry: 'after-human',
  });
}

function foreign(database: Database, why: string, isHostile = false): AgentError {
  return new AgentError({
    code: 'store.foreign',
    message: `${database.name} is no queue of Epistream: ${why}.`,
    hint: 'Choose another data folder. Nothing was changed.',
    retry: 'after-human',
    context: { isHostile },
  });
}

/**
 * Look whether a file is a queue of this program and holds nothing else: no trigger, view or table that it did not make.
 *
 * @param database - an open database; nothing is written.
 * @returns its version, 0 for an empty file.
 * @throws `store.newer`, `store.foreign`.
 */
export function checkSchema(database: Database): number {
  const version = database.pragma('user_version', { simple: true }) as number;
  const applicationId = database.pragma('application_id', { simple: true }) as number;
  const found = readSchema(database);
  if (applicationId === APPLICATION_ID && version > STEPS.length && version <= VERSION_MAX) throw newer(version);
  if (version === 0 && found.size === 0) return 0;
  if (applicationId !== APPLICATION_ID) throw foreign(database, 'it is a database of another program');
  const active = [...found.keys()].find((object) => /^(trigger|view) /.test(object));
  if (active) throw foreign(database, `it holds a ${active}`, true);
  const expected = expectedSchema(version);
  for (const [object, text] of found) {
    if (expected.get(object) !== text) throw foreign(database, `Epistream did not make its ${object}`);
  }
  if (found.size !== expected.size) throw foreign(database, 'some of its tables are missing');
  return version;
}

/**
 * Bring the queue file to this program's version.
 *
 * @returns the version it now has.
 * @throws those of `checkSchema`, before anything was touched.
 */
export function migrate(database: Database): number {
  const version = checkSchema(database);
  for (let step = version; step < STEPS.length; step++) {
    database.transaction(() => {
      database.exec(STEPS[step] as string);
      database.pragma(`application_id = ${APPLICATION_ID}`);
      database.pragma(`user_version = ${step + 1}`);
    })();
  }
  return STEPS.length;
}
