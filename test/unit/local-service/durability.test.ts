import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { migrate, openDatabase } from '../../../src-main/local-service/storage/sqlite/database.ts';
import { STEPS } from '../../../src-main/local-service/storage/sqlite/schema.ts';
import { createWriter } from '../../../src-main/local-service/storage/sqlite/writer.ts';
import { openServiceRig } from '../../support/rigs/service-rig.ts';
import { tempFolder } from '../../support/temp-folder.ts';

describe("the service's database", () => {
  it('has every commit on disk, also after the first write', () => {
    const db = openDatabase(tempFolder('service'));
    db.prepare('INSERT INTO organization (name) VALUES (?)').run('first write');
    expect(db.pragma('synchronous', { simple: true })).toBe(2);
    expect(db.pragma('journal_mode', { simple: true })).toBe('wal');
    expect(db.pragma('foreign_keys', { simple: true })).toBe(1);
    db.close();
  });

  it('is brought forward over two steps with all that it holds, a step that fails not at all, and refused by the program of before', () => {
    const folder = tempFolder('service');
    const path = join(folder, 'service.db');
    const db = openDatabase(folder);
    db.prepare("INSERT INTO organization (name) VALUES ('Lab')").run();
    const later = [
      ...STEPS,
      "ALTER TABLE organization ADD COLUMN town TEXT NOT NULL DEFAULT ''; UPDATE organization SET town = name || ' town';",
      'CREATE TABLE town (name TEXT NOT NULL) STRICT; INSERT INTO town SELECT town FROM organization;',
    ];
    expect(() => migrate(db, [...later.slice(0, 2), `${later[2]} INSERT INTO nowhere VALUES (1);`])).toThrow('nowhere');
    expect(db.pragma('user_version', { simple: true })).toBe(2);
    migrate(db, later);
    migrate(db, later);
    expect(db.pragma('user_version', { simple: true })).toBe(3);
    expect(db.prepare('SELECT o.name, t.name AS town FROM organization o, town t').all()).toEqual([
      { name: 'Lab', town: 'Lab town' },
    ]);
    db.close();
    expect(() => openDatabase(folder)).toThrow(
      expect.objectContaining({
        code: 'service.database-newer',
        message: `${path} was written by a newer version (3, this one knows 1).`,
      }),
    );
    const still = new Database(path);
    expect(still.pragma('user_version', { simple: true })).toBe(3);
    still.close();
  });

  it('is refused where an Epistream before 0.1.0 wrote it, and nothing of its folder is changed', () => {
    const folder = tempFolder('service');
    const path = join(folder, 'service.db');
    // Its file had no application id, and five versions; commits of a process that was killed stand in its log.
    const old = new Database(path);
    old.pragma('journal_mode = WAL');
    old.exec(
      'CREATE TABLE organization (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT; PRAGMA user_version = 5',
    );
    old.pragma('wal_checkpoint(TRUNCATE)');
    old.exec("INSERT INTO organization (name) VALUES ('Lab')");
    const kept = new Map([path, `${path}-wal`].map((file) => [file, readFileSync(file)]));
    old.close();
    for (const [file, bytes] of kept) writeFileSync(file, bytes);
    expect(() => openDatabase(folder)).toThrow(
      expect.objectContaining({
        code: 'service.database-outdated',
        message: expect.stringContaining(`${path} was written by an Epistream before 0.1.0`),
        hint: expect.stringMatching(/give another folder\. Nothing was changed\.$/),
      }),
    );
    expect(readdirSync(folder).sort()).toEqual(['service.db', 'service.db-wal']);
    for (const [file, bytes] of kept) expect(readFileSync(file).equals(bytes)).toBe(true);
  });

  it('is made where a kill left an empty file with its journal, and refused where that file holds tables', () => {
    const open = (sql: string) => {
      const folder = tempFolder('service');
      const path = join(folder, 'service.db');
      const left = new Database(path);
      left.exec(sql);
      left.close();
      writeFileSync(`${path}-journal`, '');
      return openDatabase(folder);
    };
    const made = open('CREATE TABLE a (b); DROP TABLE a');
    expect(made.pragma('application_id', { simple: true })).toBe(0x45505356);
    made.close();
    expect(() => open('CREATE TABLE a (b)')).toThrow(expect.objectContaining({ code: 'service.database-outdated' }));
  });

  it('keeps what it has answered when it is killed', async () => {
    const folder = tempFolder('service');
    const script = `
      import { startLocalService } from ${JSON.stringify(join(import.meta.dirname, '../../../src-main/local-service/local-service.ts'))};
      import { createServiceClient } from ${JSON.stringify(join(import.meta.dirname, '../../../src-main/delivery/client/client.ts'))};
      const service = await startLocalService({ folder: ${JSON.stringify(folder)}, key: 'a-key-of-my-own' });
      const client = createServiceClient({ baseUrl: service.url, apiKey: () => service.apiKey });
      const { data_id } = await client.initializeStream({ points_per_chunk: 1 });
      for (let k = 0; ; k++) {
        await client.ingestChunk({ data_id, chunk_index: k, channels: { cell: { timestamps: [k], values: [k] } } });
        process.stdout.write(data_id + ' ' + (k + 1) + '\\n');
      }`;
    for (const afterMs of [400, 900]) {
      const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let said = '';
      child.stdout.on('data', (part) => {
        said += part;
      });
      await expect.poll(() => said.split('\n').length, { timeout: 60_000 }).toBeGreaterThan(3);
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await gone;
      const [dataId = '', count] = said.slice(0, said.lastIndexOf('\n')).split('\n').at(-1)?.split(' ') ?? [];
      const { client } = await openServiceRig({ folder, key: 'a-key-of-my-own' });
      const values = (await client.readTimeSeries({ data_id: dataId }))?.properties.cell?.values ?? [];
      expect(values.length).toBeGreaterThanOrEqual(Number(count));
      expect(values).toEqual(values.map((_, at) => at));
    }
  });
});

describe('createWriter', () => {
  it('commits what came together at once, and takes back only what was refused', async () => {
    const db = openDatabase(tempFolder('service'));
    const write = createWriter(db);
    const add = (name: string, isBad = false) =>
      write(() => {
        db.prepare('INSERT INTO organization (name) VALUES (?)').run(name);
        if (isBad) throw new Error('refused');
        return name;
      });
    const outcomes = await Promise.allSettled([add('a'), add('b', true), add('c')]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(db.prepare('SELECT name FROM organization ORDER BY name').pluck().all()).toEqual(['a', 'c']);
    expect(await add('d')).toBe('d');
    db.close();
  });

  it('answers nobody before the commit', async () => {
    const folder = tempFolder('service');
    const db = openDatabase(folder);
    const other = new Database(join(folder, 'service.db'), { readonly: true });
    const write = createWriter(db);
    await write(() => db.prepare('INSERT INTO organization (name) VALUES (?)').run('a'));
    expect(other.prepare('SELECT count(*) FROM organization').pluck().get()).toBe(1);
    other.close();
    db.close();
  });
});
