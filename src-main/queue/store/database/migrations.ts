// Brings a queue file forward by numbered steps. `user_version` holds the number of the last step that was applied; a step and
// its number are one transaction, so a kill in between leaves the previous version intact.
//
// `application_id` says whose file it is. Programs before 0.1.0 wrote "EPIS" and numbers of their own, from 1 to 14, so a
// number alone would not tell their files; a queue from 0.1.0 on says "EPQU", and its numbers begin at 1. A file of theirs is
// refused by its first bytes, before any connection to it could change it.
import SQLite, { type Database } from 'better-sqlite3';
import { AgentError } from '../../../model/agent-error.ts';
import { readApplicationId } from '../../../platform/application-id.ts';

/** "EPQU". */
const APPLICATION_ID = 0x45505155;
/** "EPIS". */
const OUTDATED_ID = 0x45504953;

/** Versions far beyond the next ones are no version: the header is damaged. */
const VERSION_MAX = 1000;

function readSchema(database: Database): Map<string, string> {
  const rows = database.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema').raw().all() as string[][];
  return new Map(rows.map(([type, name, table, sql]) => [`${type} ${name}`, `${table} ${sql}`]));
}

function outdated(path: string): AgentError {
  return new AgentError({
    code: 'store.outdated',
    message: `The queue ${path} was written by an Epistream before 0.1.0, and this one cannot read it.`,
    hint: 'Start the Epistream that wrote it and let it finish its upload, or start with a new data folder (--data). Nothing was changed.',
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
 * Refuse a queue that a program before 0.1.0 wrote.
 *
 * @param path - the file's path; it need not be there.
 * @throws `store.outdated`; the file was only read.
 */
export function refuseOutdated(path: string): void {
  if (readApplicationId(path) === OUTDATED_ID) throw outdated(path);
}

/**
 * Make what checks a queue file and brings it forward.
 *
 * @param steps - SQL of each step; step n makes version n of version n - 1.
 */
export function createMigrations(steps: readonly string[]) {
  const schemas = new Map<number, ReadonlyMap<string, string>>();

  /** The schema that a file of this version has, object by object. */
  function expectedSchema(version: number): ReadonlyMap<string, string> {
    const known = schemas.get(version);
    if (known) return known;
    const memory = new SQLite(':memory:');
    for (const step of steps.slice(0, version)) memory.exec(step);
    const schema = readSchema(memory);
    memory.close();
    schemas.set(version, schema);
    return schema;
  }

  function newer(version: number): AgentError {
    return new AgentError({
      code: 'store.newer',
      message: `The queue was written by a newer Epistream (queue version ${version}, this program knows ${steps.length}).`,
      hint: 'Start the newer version. Nothing was changed.',
      retry: 'after-human',
    });
  }

  /**
   * Look whether a file is a queue of this program and holds nothing else: no trigger, view or table that it did not make.
   *
   * @param database - an open database; nothing is written.
   * @returns its version, 0 for an empty file.
   * @throws `store.outdated`, `store.newer`, `store.foreign`.
   */
  function check(database: Database): number {
    const version = database.pragma('user_version', { simple: true }) as number;
    const applicationId = database.pragma('application_id', { simple: true }) as number;
    // One that was killed before its first checkpoint says so in its write-ahead log alone.
    if (applicationId === OUTDATED_ID) throw outdated(database.name);
    const found = readSchema(database);
    if (applicationId === APPLICATION_ID && version > steps.length && version <= VERSION_MAX) throw newer(version);
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

  return {
    check,

    /**
     * Bring a queue file to the last version.
     *
     * @returns the version it now has.
     * @throws those of `check`, before anything was touched.
     */
    migrate(database: Database): number {
      const version = check(database);
      for (let step = version; step < steps.length; step++) {
        database.transaction(() => {
          database.exec(steps[step] as string);
          database.pragma(`application_id = ${APPLICATION_ID}`);
          database.pragma(`user_version = ${step + 1}`);
        })();
      }
      return steps.length;
    },
  };
}
