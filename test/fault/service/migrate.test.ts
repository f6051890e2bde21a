// A lab outgrows the folder of its service: all of it comes over to PostgreSQL, also when the way is broken off.
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createServiceClient } from '../../../src-main/delivery/client/client.ts';
import { addKey } from '../../../src-main/local-service/admin.ts';
import { importFile } from '../../../src-main/local-service/import/import-file.ts';
import { startLocalService } from '../../../src-main/local-service/local-service.ts';
import { openEngine } from '../../../src-main/local-service/storage/open-engine.ts';
import { runHere } from '../../support/command.ts';
import { type Cluster, findPostgres, makeCluster } from '../../support/postgres/cluster.ts';
import { inDatabase, makeDatabase } from '../../support/postgres/database.ts';
import { startAgent } from '../../support/processes/agent-process.ts';
import { fillService } from '../../support/rigs/fill-service.ts';
import { demoFile } from '../../support/rigs/service-world.ts';
import { memoryFolder } from '../../support/temp-folder.ts';

const KEY = 'a-key-of-this-lab';
const POINTS = 200_000;

/** All that a caller can read of a service, as text. */
async function allOf(options: { folder: string; database?: string }): Promise<string[]> {
  const service = await startLocalService({ ...options, key: KEY });
  const client = createServiceClient({ baseUrl: service.url, apiKey: () => KEY });
  const read = async (path: string) => (await fetch(`${service.url}${path}`, { headers: { 'X-API-KEY': KEY } })).text();
  try {
    const entries = await client.listDataEntries({});
    const lasting = entries.map((entry) => ({ ...entry, last_accessed_datetime: null }));
    const texts = [JSON.stringify(lasting), JSON.stringify(await client.listTargetMaterials({}))];
    for (const { data_id, char_source_type } of entries.slice(-20).concat(entries[0] ?? [])) {
      texts.push(`${char_source_type} ${await read(`/metrology/${data_id}/timeseries/?return_null_if_missing=true`)}`);
      texts.push(await read(`/data_entries/raw_data/${data_id}?return_as=bytes`));
      texts.push(await read(`/sims/${data_id}`), await read(`/xps/${data_id}`));
    }
    return texts;
  } finally {
    await client.close();
    await service.stop();
  }
}

describe.skipIf(findPostgres() === null)('service migrate', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = makeCluster();
    await cluster.start();
  });
  afterAll(() => cluster.remove());
  const database = () => makeDatabase(cluster.url('postgres'));

  it('brings everything over, bit for bit, when it was killed in the middle and called again', async () => {
    const folder = memoryFolder('service');
    await addKey(folder, { key: KEY });
    await importFile(folder, demoFile);
    await fillService(folder, 100, POINTS);
    const before = await allOf({ folder });
    const url = await database();
    await (await openEngine(url)).close();
    // The database stands still in the middle of the chunks, until the migration is dead.
    await inDatabase(
      url,
      `CREATE FUNCTION stand() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         IF (SELECT count(*) FROM chunk) > ${POINTS / 1000 / 2} THEN PERFORM pg_sleep(600); END IF;
         RETURN NEW;
       END $$;
       CREATE TRIGGER stand BEFORE INSERT ON chunk FOR EACH ROW EXECUTE FUNCTION stand()`,
    );
    const migration = startAgent(['service', 'migrate', '--from', folder, '--to', url]);
    const asleep = async () => {
      const sql = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`;
      return (await inDatabase(url, sql)).length;
    };
    await expect.poll(asleep).toBe(1);
    migration.child.kill('SIGKILL');
    await migration.ended;
    await inDatabase(url, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'`);
    await inDatabase(url, 'DROP FUNCTION stand CASCADE');
    const [{ n } = { n: 0 }] = await inDatabase(url, 'SELECT count(*)::int AS n FROM chunk');
    expect(n).toBeGreaterThan(0);
    expect(n).toBeLessThan(POINTS / 1000);

    const again = await runHere(['service', 'migrate', '--from', folder, '--to', url]);
    expect(again.err).toBe('');
    expect(again.out).toMatch(/^chunk\t\d+\t[0-9a-f]{64}$/m);
    expect(again.out).toMatch(/is in postgres:.*and equal/);
    expect(await allOf({ folder: '', database: url })).toEqual(before);
    // What comes next does not meet a number that was brought over.
    const service = await startLocalService({ folder: '', database: url, key: KEY });
    onTestFinished(() => service.stop());
    const client = createServiceClient({ baseUrl: service.url, apiKey: () => KEY });
    onTestFinished(() => client.close());
    const { data_id } = await client.initializeStream({ points_per_chunk: 1 });
    const [receipt] = await client.ingestChunk({
      ...{ data_id, chunk_index: 0 },
      channels: { cell: { timestamps: [1], values: [1] } },
    });
    expect(receipt?.total_points).toBe(1);
  });

  it('refuses a database that holds other data, and tells one that differs afterwards', async () => {
    const folder = memoryFolder('service');
    await addKey(folder, { key: KEY });
    await fillService(folder, 3, 20_000);
    const used = await database();
    await addKey(used, {});
    const refused = await runHere(['service', 'migrate', '--from', folder, '--to', used]);
    expect(refused.err).toMatch(/holds other data already/);
    const url = await database();
    for (let turn = 0; turn < 2; turn++) {
      expect((await runHere(['service', 'migrate', '--from', folder, '--to', url])).code).toBe(0);
    }
    // The second one had nothing to bring.
    expect(await inDatabase(url, `SELECT subject FROM audit WHERE action = 'data brought over'`)).toHaveLength(1);
    await inDatabase(url, 'UPDATE chunk SET max_time = max_time + 1 WHERE chunk_index = 1');
    const differs = await runHere(['service', 'migrate', '--from', folder, '--to', url]);
    expect(differs.err).toMatch(/differs from its source: the table chunk/);
    const nothing = await runHere(['service', 'migrate', '--from', memoryFolder('none'), '--to', url]);
    expect(nothing.err).toMatch(/holds no service\.db/);
  });
});
