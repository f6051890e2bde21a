// What a later program may do to the queue: two steps behind those of today.
import { createMigrations } from '../../../src-main/queue/store/database/migrations.ts';
import { STEPS } from '../../../src-main/queue/store/database/schema.ts';

/** A column that follows from old ones, and then a table of its own in place of the column. */
export const LATER_STEPS = [
  `ALTER TABLE stream ADD COLUMN note TEXT NOT NULL DEFAULT '';
   UPDATE stream SET note = name || ' of ' || source;`,
  `CREATE TABLE note (stream INTEGER PRIMARY KEY REFERENCES stream, text TEXT NOT NULL);
   INSERT INTO note SELECT id, note FROM stream;
   ALTER TABLE stream DROP COLUMN note;`,
] as const;

/** The programs with the first of these steps, and with both. */
export const nextMigrations = createMigrations([...STEPS, LATER_STEPS[0]]);
export const laterMigrations = createMigrations([...STEPS, ...LATER_STEPS]);
