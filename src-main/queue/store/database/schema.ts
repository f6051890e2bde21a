// The tables of the queue. They are numbered from 1: version 1 is the queue of 0.1.0, and a later program adds a step to
// `STEPS` for each change, forward only (migrations.ts).
import { createMigrations } from './migrations.ts';

const FIRST = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
-- The name by which its ledger knows the queue is drawn once. Streams up to doubt were there when something of it was lost.
INSERT INTO meta VALUES ('last_sequence', 0), ('last_lane', 0), ('opened', 0), ('acknowledged_bytes', 0), ('doubt', 0),
  ('queue_id', lower(hex(randomblob(16))));

-- new_since_ms: readings before it may stand at the service already (null: all are new, or it was looked up); points_held,
-- held_in: how many did, and in which entries (JSON); held_answer: what a person said where the same values stand under
-- another name; may_hold_more: the entry may hold more than this queue knows.
-- finalize: whether it is to be ended on the service: null: no; due, done, or "refused: " and the service's words.
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
  growth TEXT,
  physical_sample_id TEXT,
  project_id TEXT,
  initialize_sent INTEGER NOT NULL DEFAULT 0,
  data_id TEXT,
  processed_data_id TEXT,
  service TEXT,
  rows_read INTEGER NOT NULL DEFAULT 0,
  cells_refused INTEGER NOT NULL DEFAULT 0,
  points INTEGER NOT NULL DEFAULT 0,
  points_acknowledged INTEGER NOT NULL DEFAULT 0,
  points_refused INTEGER NOT NULL DEFAULT 0,
  points_resent INTEGER NOT NULL DEFAULT 0,
  points_held INTEGER NOT NULL DEFAULT 0,
  chunks_sealed INTEGER NOT NULL DEFAULT 0,
  chunks_waiting INTEGER NOT NULL DEFAULT 0,
  first_reading_ms REAL,
  last_reading_ms REAL,
  last_acknowledged_ms REAL,
  new_since_ms REAL,
  held_in TEXT,
  held_answer TEXT,
  may_hold_more INTEGER NOT NULL DEFAULT 0,
  finalize TEXT
);
CREATE INDEX stream_unfinished ON stream (id) WHERE delivered_ms IS NULL;
CREATE INDEX stream_to_finalize ON stream (id) WHERE finalize = 'due';
CREATE INDEX stream_of_growth ON stream (growth) WHERE growth IS NOT NULL;

CREATE TABLE channel (
  id INTEGER PRIMARY KEY,
  stream INTEGER NOT NULL REFERENCES stream,
  name TEXT NOT NULL,
  unit TEXT NOT NULL,
  acknowledged INTEGER NOT NULL DEFAULT 0,
  UNIQUE (stream, name)
);

-- first_ms: oldest stamp of its open readings; null when it has none.
CREATE TABLE lane (
  id INTEGER PRIMARY KEY,
  stream INTEGER NOT NULL REFERENCES stream,
  channels TEXT NOT NULL,
  next_index INTEGER NOT NULL,
  first_ms REAL
);
CREATE INDEX lane_of_stream ON lane (stream, first_ms);

CREATE TABLE open_readings (
  id INTEGER PRIMARY KEY,
  lane INTEGER NOT NULL,
  rows INTEGER NOT NULL,
  crc INTEGER NOT NULL,
  data BLOB NOT NULL
);
CREATE INDEX open_readings_of_lane ON open_readings (lane);

-- turn: behind which chunk a refused one is sent again (null: it was never refused); resent_in: which stream took a copy of
-- its points.
CREATE TABLE chunk (
  id INTEGER PRIMARY KEY,
  stream INTEGER NOT NULL REFERENCES stream,
  chunk_index INTEGER NOT NULL,
  channels TEXT NOT NULL,
  place INTEGER,
  turn REAL,
  rows INTEGER NOT NULL,
  first_ms REAL NOT NULL,
  last_ms REAL NOT NULL,
  state TEXT NOT NULL DEFAULT 'sealed' CHECK (state IN ('sealed', 'acknowledged', 'refused', 'damaged')),
  settled_ms REAL,
  refused_words TEXT,
  resent_in INTEGER,
  sha256 BLOB NOT NULL,
  data BLOB NOT NULL
);
CREATE INDEX chunk_waiting ON chunk (stream, coalesce(turn, place, id), coalesce(place, id), id) WHERE state = 'sealed';
CREATE INDEX chunk_oldest_waiting ON chunk (stream, first_ms) WHERE state = 'sealed';
CREATE INDEX chunk_done ON chunk (settled_ms) WHERE state = 'acknowledged';
CREATE INDEX chunk_refused ON chunk (stream, coalesce(place, id), id) WHERE state = 'refused';
CREATE INDEX chunk_span ON chunk (stream, last_ms);
CREATE INDEX chunk_of_stream ON chunk (stream, coalesce(place, id));

CREATE TABLE source_position (source TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (source, key)) WITHOUT ROWID;

-- What receipts are made of: refused cells, the bytes that were read, and what a full read-back said.
CREATE TABLE refusal (
  id INTEGER PRIMARY KEY, source TEXT NOT NULL, stream INTEGER, at_ms REAL NOT NULL, place TEXT NOT NULL, line INTEGER,
  byte INTEGER, channel TEXT NOT NULL, text TEXT NOT NULL, reason TEXT NOT NULL
);
CREATE INDEX refusal_of_stream ON refusal (stream, id) WHERE stream IS NOT NULL;
CREATE TABLE source_span (
  stream INTEGER NOT NULL REFERENCES stream, file TEXT NOT NULL, from_byte INTEGER NOT NULL, to_byte INTEGER NOT NULL,
  place TEXT NOT NULL, sha256 TEXT NOT NULL, PRIMARY KEY (stream, file, from_byte)
) WITHOUT ROWID;
CREATE TABLE confirmation (
  stream INTEGER PRIMARY KEY REFERENCES stream, at_ms REAL NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('confirmed', 'counted', 'differs')),
  points_compared INTEGER NOT NULL, points_expected INTEGER NOT NULL, notes TEXT NOT NULL
);

CREATE TABLE gap (id INTEGER PRIMARY KEY, source TEXT NOT NULL, from_ms REAL NOT NULL, to_ms REAL NOT NULL, cause TEXT NOT NULL);
CREATE TABLE event (
  id INTEGER PRIMARY KEY, at_ms REAL NOT NULL, level TEXT NOT NULL, code TEXT NOT NULL, message TEXT NOT NULL, hint TEXT NOT NULL,
  about TEXT NOT NULL DEFAULT ''
);
CREATE TABLE mark (
  id INTEGER PRIMARY KEY, source TEXT NOT NULL, at_ms REAL NOT NULL, text TEXT NOT NULL, place TEXT NOT NULL, line INTEGER,
  byte INTEGER
);
CREATE INDEX mark_time ON mark (at_ms, id);
CREATE INDEX mark_of_source ON mark (source, at_ms, id);

CREATE TABLE growth (id INTEGER PRIMARY KEY, nonce TEXT NOT NULL UNIQUE, started_ms REAL NOT NULL, ended_ms REAL, data TEXT NOT NULL);
CREATE TABLE rheed_session (
  id INTEGER PRIMARY KEY, nonce TEXT NOT NULL UNIQUE, source TEXT NOT NULL, started_ms REAL NOT NULL,
  is_done INTEGER NOT NULL, data TEXT NOT NULL
);
CREATE INDEX rheed_session_waiting ON rheed_session (id) WHERE is_done = 0;
`;

export const STEPS: readonly string[] = [FIRST];

export const queueMigrations = createMigrations(STEPS);
