// The tables of the embedded service. They are numbered from 1: version 1 is the service of 0.1.0, and a later program adds a
// step for each change, forward only.

export const STEPS: readonly string[] = [
  `
  CREATE TABLE organization (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE user (
    id INTEGER PRIMARY KEY, organization_id INTEGER NOT NULL REFERENCES organization, user_uuid TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL, UNIQUE (organization_id, name)
  ) STRICT;
  -- Of a key only its SHA-256 and its last four characters are kept.
  CREATE TABLE api_key (
    id INTEGER PRIMARY KEY, user_id INTEGER NOT NULL REFERENCES user, hash BLOB NOT NULL UNIQUE, ending TEXT NOT NULL,
    created_ms REAL NOT NULL, revoked_ms REAL, expires_ms REAL, used_ms REAL, role TEXT NOT NULL DEFAULT 'full'
  ) STRICT;
  CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

  CREATE TABLE sample (
    id INTEGER PRIMARY KEY, organization_id INTEGER NOT NULL, user_id INTEGER NOT NULL, sample_uuid TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL
  ) STRICT;
  CREATE INDEX sample_by_name ON sample (organization_id, name);
  CREATE TABLE project (
    id INTEGER PRIMARY KEY, organization_id INTEGER NOT NULL, user_id INTEGER NOT NULL, project_uuid TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL, notes TEXT
  ) STRICT;
  CREATE TABLE project_sample (
    project_id INTEGER NOT NULL REFERENCES project, sample_id INTEGER NOT NULL REFERENCES sample,
    PRIMARY KEY (project_id, sample_id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE tag (
    id INTEGER PRIMARY KEY, organization_id INTEGER NOT NULL, tag_uuid TEXT NOT NULL UNIQUE, name TEXT NOT NULL
  ) STRICT;
  CREATE TABLE instrument (
    synth_source_id INTEGER PRIMARY KEY, organization_id INTEGER NOT NULL, user_id INTEGER NOT NULL, body TEXT NOT NULL
  ) STRICT;
  CREATE TABLE instrument_make (id INTEGER PRIMARY KEY, label TEXT NOT NULL, type TEXT NOT NULL, UNIQUE (label, type)) STRICT;
  -- A target material; its layers hold what differs between them.
  CREATE TABLE target_sample (
    id INTEGER PRIMARY KEY, organization_id INTEGER NOT NULL, user_id INTEGER NOT NULL, name TEXT NOT NULL, body TEXT NOT NULL,
    UNIQUE (organization_id, name)
  ) STRICT;
  CREATE TABLE target_layer (
    id INTEGER PRIMARY KEY, sample_id INTEGER NOT NULL REFERENCES target_sample, layer_id INTEGER NOT NULL,
    body TEXT NOT NULL, updated_ms REAL NOT NULL, UNIQUE (sample_id, layer_id)
  ) STRICT;

  -- The catalogue. Every index ends with the row's number, so that each filter also gives the newest first.
  CREATE TABLE entry (
    id INTEGER PRIMARY KEY AUTOINCREMENT, organization_id INTEGER NOT NULL, user_id INTEGER NOT NULL,
    data_id TEXT NOT NULL UNIQUE, raw_name TEXT NOT NULL, char_source_type TEXT NOT NULL, pipeline_status TEXT NOT NULL,
    upload_ms REAL NOT NULL, accessed_ms REAL NOT NULL, sample_id INTEGER REFERENCES sample, extra TEXT
  ) STRICT;
  CREATE INDEX entry_by_organization ON entry (organization_id);
  CREATE INDEX entry_by_user ON entry (user_id);
  CREATE INDEX entry_by_type ON entry (organization_id, char_source_type);
  CREATE INDEX entry_by_type_and_status ON entry (organization_id, char_source_type, pipeline_status);
  CREATE INDEX entry_by_status ON entry (organization_id, pipeline_status);
  CREATE INDEX entry_by_running ON entry (id) WHERE pipeline_status = 'running';
  CREATE INDEX entry_by_sample ON entry (sample_id);
  CREATE TABLE entry_tag (
    entry_id INTEGER NOT NULL REFERENCES entry, tag_id INTEGER NOT NULL REFERENCES tag, PRIMARY KEY (entry_id, tag_id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE entry_project (
    entry_id INTEGER NOT NULL REFERENCES entry, project_id INTEGER NOT NULL REFERENCES project,
    PRIMARY KEY (entry_id, project_id)
  ) STRICT, WITHOUT ROWID;
  -- Keywords: any three letters in a row, and beginnings of words for shorter ones. Only the indexes are stored.
  CREATE VIRTUAL TABLE search_part USING fts5 (words, content = '', contentless_delete = 1, tokenize = 'trigram');
  CREATE VIRTUAL TABLE search_word USING fts5 (words, content = '', contentless_delete = 1, prefix = '1 2');

  -- A stream, its channels, their chunks. A chunk is one row, packed.
  CREATE TABLE stream (
    entry_id INTEGER PRIMARY KEY REFERENCES entry, processed_data_id TEXT NOT NULL UNIQUE,
    points_per_chunk INTEGER NOT NULL, synth_source_id INTEGER, start_time REAL, last_chunk_ms REAL, finalized_ms REAL,
    agent TEXT
  ) STRICT;
  CREATE TABLE channel (
    id INTEGER PRIMARY KEY, entry_id INTEGER NOT NULL REFERENCES stream, name TEXT NOT NULL, units TEXT,
    points INTEGER NOT NULL, UNIQUE (entry_id, name)
  ) STRICT;
  CREATE TABLE chunk (
    id INTEGER PRIMARY KEY, channel_id INTEGER NOT NULL REFERENCES channel,
    chunk_index INTEGER NOT NULL, points INTEGER NOT NULL, min_time REAL NOT NULL, max_time REAL NOT NULL,
    value_min REAL NOT NULL, value_max REAL NOT NULL, value_sum REAL NOT NULL, codec INTEGER NOT NULL, data BLOB NOT NULL,
    UNIQUE (channel_id, chunk_index)
  ) STRICT;
  CREATE INDEX chunk_by_end ON chunk (channel_id, max_time);

  CREATE TABLE rheed (entry_id INTEGER PRIMARY KEY REFERENCES entry, settings TEXT NOT NULL, ended_ms REAL) STRICT;
  -- What was measured and analysed elsewhere: RHEED metadata, optical frames, XPS, SIMS (one row a species), as JSON.
  CREATE TABLE result (
    entry_id INTEGER NOT NULL REFERENCES entry, kind TEXT NOT NULL, name TEXT NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (entry_id, kind, name)
  ) STRICT, WITHOUT ROWID;
  -- A raw file has its entry's UUID, a frame of a video one of its own; the bytes lie in the folder files/.
  CREATE TABLE file (
    file_uuid TEXT PRIMARY KEY, entry_id INTEGER NOT NULL REFERENCES entry, file_name TEXT NOT NULL,
    size_bytes INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX file_by_entry ON file (entry_id);

  -- Who changed what a lab relies on.
  CREATE TABLE audit (
    id INTEGER PRIMARY KEY, at_ms REAL NOT NULL, who TEXT NOT NULL, came_from TEXT NOT NULL, action TEXT NOT NULL,
    subject TEXT NOT NULL
  ) STRICT;
  `,
];
