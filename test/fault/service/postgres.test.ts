// The embedded service on PostgreSQL: a database that is not there, goes away, or is shared; what a lab's other programs see in it.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createServiceClient } from '../../../src-main/delivery/client/client.ts';
import { LOOPBACK } from '../../../src-main/local-service/door.ts';
import { openService } from '../../../src-main/local-service/open-service.ts';
import { migrate } from '../../../src-main/local-service/storage/postgres/postgres-engine.ts';
import { STEPS } from '../../../src-main/local-service/storage/postgres/schema.ts';
import { runHere } from '../../support/command.ts';
import { type Cluster, findPostgres, makeCluster } from '../../support/postgres/cluster.ts';
import { inDatabase, makeDatabase } from '../../support/postgres/database.ts';

const KEY = 'a-key-of-this-lab';

describe.skipIf(findPostgres() === null)('the embedded service on PostgreSQL', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = makeCluster();
    await cluster.start();
  });
  afterAll(() => cluster.remove());

  const database = () => makeDatabase(cluster.url('postgres'));

  async function open(url: string, key: string | null = KEY) {
    const faults: unknown[] = [];
    const service = await openService({
      ...{
        folder: '',
        database: url,
        door: LOOPBACK,
        port: 0,
        key,
        hasEndings: true,
        hasMetrics: false,
      },
      onFault: (fault) => void faults.push(fault),
    });
    const client = createServiceClient({ baseUrl: service.url, apiKey: () => service.apiKey });
    onTestFinished(async () => {
      await client.close();
      await service.close();
    });
    return { service, client, faults };
  }

  const send = (service: { url: string; apiKey: string }, path: string, body?: unknown) =>
    fetch(service.url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'X-API-KEY': service.apiKey, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  it('says what is wrong with a database that cannot be opened, and no password', async () => {
    const url = new URL(cluster.url('nowhere'));
    url.password = 'secret';
    const missing = await runHere(['service', '--database', url.href, '--port', '0']);
    expect(missing.code).not.toBe(0);
    expect(missing.err).toMatch(/nowhere cannot be opened.*does not exist.*CREATE DATABASE/s);
    expect(missing.err).not.toContain('secret');
    const down = await runHere(['service', '--database', 'postgres://epistream@127.0.0.1:1/lab', '--port', '0']);
    expect(down.err).toMatch(/127\.0\.0\.1:1\/lab cannot be opened.*Check that PostgreSQL runs/s);
    const wrong = await runHere(['service', '--database', 'mysql://db/lab']);
    expect(wrong.err).toMatch(/--database is not the address of a PostgreSQL database/);
    const both = await runHere(['service', '--database', cluster.url('postgres'), '--data', 'here']);
    expect(both.err).toMatch(/--data or --database, not both/);
  });

  it('is brought forward over two steps with all that it holds, and a step that fails not at all', async () => {
    const url = await database();
    await open(url);
    const before = await inDatabase(url, 'SELECT * FROM organization');
    const later = [
      ...STEPS,
      "ALTER TABLE organization ADD COLUMN town text NOT NULL DEFAULT ''; UPDATE organization SET town = name || ' town'",
      'CREATE TABLE town (name text NOT NULL); INSERT INTO town SELECT town FROM organization',
    ];
    const bring = async (steps: readonly string[]) => {
      const client = new pg.Client(url);
      await client.connect();
      try {
        await migrate(client, url, steps);
      } finally {
        await client.end();
      }
    };
    await expect(bring([...later, 'INSERT INTO nowhere VALUES (1)'])).rejects.toThrow('nowhere');
    expect(await inDatabase(url, 'SELECT * FROM organization')).toEqual(before);
    await bring(later);
    await bring(later);
    expect(await inDatabase(url, 'SELECT version FROM epistream_version')).toEqual([{ version: 3 }]);
    expect(await inDatabase(url, 'SELECT name FROM town')).toEqual(
      before.map(({ name }) => ({ name: `${name} town` })),
    );
  });

  it('refuses a database that a later version wrote, or one before 0.1.0, and one that would lose commits', async () => {
    const url = await database();
    await open(url);
    await inDatabase(url, 'UPDATE epistream_version SET version = version + 1');
    await expect(open(url)).rejects.toMatchObject({ code: 'service.database-newer' });
    const outdated = await database();
    await inDatabase(outdated, 'CREATE TABLE schema_version (version integer NOT NULL)');
    await expect(open(outdated)).rejects.toMatchObject({
      code: 'service.database-outdated',
      message: expect.stringContaining(new URL(outdated).pathname),
      hint: expect.stringMatching(/give another database\. Nothing was changed\.$/),
    });
    expect(await inDatabase(outdated, "SELECT to_regclass('epistream_version') AS made")).toEqual([{ made: null }]);
    const unsafe = await database();
    const name = new URL(unsafe).pathname.slice(1);
    await inDatabase(unsafe, `ALTER DATABASE ${name} SET synchronous_commit = off`);
    await expect(open(unsafe)).rejects.toMatchObject({ code: 'service.database-unsafe' });
  });

  it('makes its tables once when several start together, and its first key once', async () => {
    const url = await database();
    const services = await Promise.all([1, 2, 3].map(() => open(url, null)));
    expect(services.map(({ service }) => service.apiKey).filter(Boolean)).toHaveLength(1);
    expect(services.flatMap(({ faults }) => faults)).toEqual([]);
    expect(await inDatabase(url, 'SELECT count(*)::int AS n FROM epistream_version')).toEqual([{ n: 1 }]);
  });

  it('is one service in as many processes as run: streams, keys and links go from one to the other', async () => {
    const url = await database();
    const [one, other] = [await open(url), await open(url)];
    const { data_id } = await one.client.initializeStream({ points_per_chunk: 2 });
    const chunk = (k: number) => ({
      ...{ data_id, chunk_index: k },
      channels: { cell: { timestamps: [k, k + 0.5], values: [k, k] } },
    });
    // The same chunk to both at the same time, as after an answer that was lost: it is stored once.
    for (let k = 0; k < 20; k++) {
      const told = await Promise.all([one, other].map(({ client }) => client.ingestChunk(chunk(k))));
      expect(told.map(([receipt]) => receipt?.total_points)).toEqual([2 * (k + 1), 2 * (k + 1)]);
    }
    const { url: link } = await one.client.readRawData({ data_id, return_as: 'url-download' });
    const text = await (await fetch(link.replace(one.service.url, other.service.url))).text();
    expect(text.trimEnd().split('\r\n')).toHaveLength(41);
  });

  it('takes what a whole lab begins at once, and makes no sample twice', async () => {
    const url = await database();
    const services = [(await open(url)).service, (await open(url)).service, (await open(url)).service];
    const begin = async (n: number) => {
      const body = { data_item_name: `s ${n}`, fps_capture_rate: 10, create_physical_sample_name: `wafer ${n % 5}` };
      return (await send(services[n % 3] ?? { url: '', apiKey: '' }, '/rheed/stream/', body)).status;
    };
    const statuses = await Promise.all(Array.from({ length: 45 }, (_, n) => begin(n)));
    expect(statuses).toEqual(statuses.map(() => 200));
    expect(await inDatabase(url, 'SELECT count(*)::int AS n FROM sample')).toEqual([{ n: 5 }]);
  });

  it('answers 503 with Retry-After while the database is gone, tells it once, and goes on when it is back', async () => {
    const { service, client, faults } = await open(await database());
    const { data_id } = await client.initializeStream({ points_per_chunk: 1 });
    const body = { data_id, chunk_index: 0, channels: { cell: { timestamps: [1], values: [1] } } };
    cluster.kill();
    const refused = await send(service, '/metrology/stream/chunk/multi', body);
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, '2']);
    expect((await send(service, '/health')).status).toBe(503);
    await expect.poll(() => faults.length).toBe(1);
    expect(faults).toMatchObject([{ code: 'service.database-gone' }]);
    await cluster.start();
    await expect.poll(async () => (await send(service, '/health')).status).toBe(200);
    const [receipt] = await client.ingestChunk(body);
    expect(receipt?.total_points).toBe(1);
    expect(faults).toHaveLength(1);
  });

  it('does not promise that nothing was stored when the connection broke in a commit', async () => {
    const url = await database();
    const { service, client } = await open(url);
    const { data_id } = await client.initializeStream({ points_per_chunk: 1 });
    await inDatabase(
      url,
      `CREATE FUNCTION stand() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(600); RETURN NEW; END $$;
       CREATE TRIGGER stand BEFORE INSERT ON chunk FOR EACH ROW EXECUTE FUNCTION stand();
       CREATE CONSTRAINT TRIGGER stand AFTER INSERT ON stream DEFERRABLE INITIALLY DEFERRED
         FOR EACH ROW EXECUTE FUNCTION stand()`,
    );
    const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event = 'PgSleep'`;
    const body = { data_id, chunk_index: 0, channels: { cell: { timestamps: [1], values: [1] } } };
    for (const [path, given] of [
      ['/metrology/stream/chunk/multi', body],
      ['/tool-state/stream/initialize', { points_per_chunk: 1 }],
    ] as const) {
      const asked = send(service, path, given);
      await expect.poll(async () => (await inDatabase(url, end)).length).toBe(1);
      const answer = await asked;
      expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, null]);
    }
  });

  it('sends nothing more over a connection whose database said that it ends', async () => {
    const url = await database();
    const { service, client } = await open(url);
    const { data_id } = await client.initializeStream({ points_per_chunk: 1 });
    await inDatabase(
      url,
      `CREATE FUNCTION ending() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'ends' USING ERRCODE = '57P01'; END $$;
       CREATE TRIGGER ending BEFORE INSERT ON chunk FOR EACH ROW EXECUTE FUNCTION ending()`,
    );
    const connections = async () => {
      const sql = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'epistream-service'`;
      return (await inDatabase(url, sql)).map(({ pid }) => pid);
    };
    const before = await connections();
    const body = { data_id, chunk_index: 0, channels: { cell: { timestamps: [1], values: [1] } } };
    expect((await send(service, '/metrology/stream/chunk/multi', body)).status).toBe(503);
    // Others may be opened meanwhile.
    const left = async () => (await connections()).filter((pid) => before.includes(pid)).length;
    await expect.poll(left).toBe(before.length - 1);
  });

  it('finds keywords without the extension too, and says that it is slow', async () => {
    const url = await database();
    // A role that may make tables, but neither schemas nor extensions: a careful administrator makes the schema for it.
    await inDatabase(url, 'CREATE ROLE guest LOGIN; GRANT ALL ON SCHEMA public TO guest');
    const guest = new URL(url);
    guest.username = 'guest';
    const refused = await open(guest.href).catch((fault: unknown) => fault);
    expect(refused).toMatchObject({ code: 'service.database-unreachable', hint: expect.stringContaining('owner') });
    await inDatabase(url, 'CREATE SCHEMA grafana AUTHORIZATION guest');
    const { client, faults } = await open(guest.href);
    expect(faults).toMatchObject([{ code: 'service.search-slow' }]);
    await client.initializeStream({ points_per_chunk: 1, stream_name: 'MBE-1 Über 4711' });
    expect(await client.listDataEntries({ keywords: ['über', '47'] })).toHaveLength(1);
    expect(await client.listDataEntries({ keywords: ['711', 'ub'] })).toHaveLength(1);
    expect(await client.listDataEntries({ keywords: ['-'] })).toEqual([]);
  });

  it('shows Grafana a row a chunk, to a role that may do nothing else', async () => {
    const url = await database();
    const { client } = await open(url);
    const { data_id } = await client.initializeStream({ points_per_chunk: 3, stream_name: 'MBE-1' });
    const channels = { cell: { timestamps: [10, 11, 12], values: [1, 2, 6], units: 'C' } };
    await client.ingestChunk({ data_id, chunk_index: 0, channels });
    await inDatabase(
      url,
      `DO $$ BEGIN CREATE ROLE viewer LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
       GRANT USAGE ON SCHEMA grafana TO viewer; GRANT SELECT ON ALL TABLES IN SCHEMA grafana TO viewer`,
    );
    const viewer = new URL(url);
    viewer.username = 'viewer';
    const sql = `SELECT extract(epoch FROM time)::int AS at, metric, value, vmin, vmax, points, stream FROM grafana.series`;
    expect(await inDatabase(viewer.href, sql)).toEqual([
      { at: 10, metric: 'cell', value: 3, vmin: 1, vmax: 6, points: 3, stream: 'MBE-1' },
    ]);
    await expect(inDatabase(viewer.href, 'SELECT * FROM chunk')).rejects.toThrow(/permission denied/);
  });
});
