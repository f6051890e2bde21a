// The line between the service and its database on another PC: by TLS with the lab's own authority, or not at all.
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { commandError } from '../../../src-main/commands/shared/refusal.ts';
import { createServiceClient } from '../../../src-main/delivery/client/client.ts';
import { LOOPBACK } from '../../../src-main/local-service/door.ts';
import { startLocalService } from '../../../src-main/local-service/local-service.ts';
import { openService } from '../../../src-main/local-service/open-service.ts';
import { runHere } from '../../support/command.ts';
import { SmallCa } from '../../support/faults/small-ca.ts';
import { freePort } from '../../support/free-port.ts';
import { type Cluster, findPostgres, makeCluster } from '../../support/postgres/cluster.ts';
import { inDatabase, makeDatabase } from '../../support/postgres/database.ts';

const DAY_MS = 86_400_000;

let port: number;
/** One for the tests of this file, made by the first of them. */
let cluster: Cluster | null = null;
afterAll(() => cluster?.remove());

/** The cluster under a certificate for a name: the authority that signed it, and the addresses of a database of its own. */
async function openTls(name = 'localhost') {
  const ca = new SmallCa('Growth Lab');
  const nowMs = Date.now();
  const certificate = ca.sign(nowMs - DAY_MS, nowMs + DAY_MS, name);
  if (cluster === null) {
    port = await freePort();
    cluster = makeCluster(undefined, { port, ...certificate });
    await cluster.start();
  } else await cluster.certify(certificate);
  const bySocket = await makeDatabase(cluster.url('postgres'));
  const byTls = (options: Record<string, string>, host = 'localhost') =>
    `postgres://postgres@${host}:${port}${new URL(bySocket).pathname}?${new URLSearchParams(options)}`;
  return { ca, bySocket, byTls };
}

const say = async (database: string) => (await runHere(['service', '--database', database, '--port', '0'])).err;

/** What a service says that cannot open its database, as the command prints it. */
async function open(database: string): Promise<string> {
  const options = { door: LOOPBACK, port: 0, key: null, hasEndings: true, hasMetrics: false, onFault: () => {} };
  const opened = await openService({ folder: '', database, ...options }).catch(commandError);
  if ('close' in opened) {
    await opened.close();
    return 'opened';
  }
  return `${opened.message}\n  hint: ${opened.hint}\n  code: ${opened.code}`;
}

describe.skipIf(findPostgres() === null)('the line to a database', () => {
  it('is TLS by the authority of the lab, for every connection', async () => {
    const { ca, bySocket, byTls } = await openTls();
    const database = byTls({ sslmode: 'verify-full', sslrootcert: ca.file });
    const service = await startLocalService({ folder: '', database, key: 'a-key-of-this-lab' });
    const client = createServiceClient({ baseUrl: service.url, apiKey: () => 'a-key-of-this-lab' });
    onTestFinished(async () => {
      await client.close();
      await service.stop();
    });
    const { data_id } = await client.initializeStream({ points_per_chunk: 1 });
    const channels = { cell: { timestamps: [1], values: [2] } };
    await client.ingestChunk({ data_id, chunk_index: 0, channels });
    expect((await client.readTimeSeries({ data_id }))?.properties.cell?.values).toEqual([2]);
    const sql = `SELECT DISTINCT s.ssl FROM pg_stat_ssl s JOIN pg_stat_activity a USING (pid)
      WHERE a.application_name = 'epistream-service'`;
    expect(await inDatabase(bySocket, sql)).toEqual([{ ssl: true }]);
  });

  it('is refused with another authority, with none named, and with a file that is not there', async () => {
    const { byTls } = await openTls();
    const { file: sslrootcert } = new SmallCa('Another Lab');
    for (const options of [{ sslmode: 'verify-full', sslrootcert }, { sslmode: 'verify-full' }]) {
      const said = await open(byTls(options));
      expect(said).toMatch(/localhost:\d+\/t_\w+ cannot be opened: .*certificate/);
      expect(said).toMatch(
        /hint: Its certificate is not signed by an authority that is known here: name .*sslrootcert=/,
      );
      expect(said).toContain('service.database-unreachable');
    }
    const said = await open(byTls({ sslmode: 'verify-full', sslrootcert: '/no-such-file.pem' }));
    expect(said).toMatch(/cannot be opened: .*no-such-file\.pem/);
    expect(said).toMatch(/hint: Check the files that the address names/);
  });

  it('is refused with a hint where the database has no TLS', async () => {
    const { bySocket } = await openTls();
    const said = await open(`${bySocket}&sslmode=verify-full`);
    expect(said).toMatch(/cannot be opened: .*SSL/);
    expect(said).toMatch(/hint: .*ssl = on/);
  });

  it('is refused where the certificate is for another name', async () => {
    const { ca, byTls } = await openTls('db.lab.example');
    for (const host of ['localhost', '127.0.0.1']) {
      const said = await open(byTls({ sslmode: 'verify-full', sslrootcert: ca.file }, host));
      expect(said).toMatch(/hint: Its certificate is for another name/);
    }
  });

  it('is refused for an address where the certificate is for a name of this PC', async () => {
    const { ca, byTls } = await openTls('localhost');
    const said = await open(byTls({ sslmode: 'verify-full', sslrootcert: ca.file }, '127.0.0.1'));
    expect(said).toMatch(/hint: Its certificate is for another name/);
  });
});

describe('an address of a database', () => {
  const plain = 'postgres://epistream@127.0.0.1:1/lab';

  it.each(['sslmod=verify-full', 'SSLMODE=verify-full', 'ssl=yes', 'connect_timeout=3'])(
    'is refused with %s, which would not be applied',
    async (search) => {
      const said = await say(`${plain}?${search}`);
      expect(said).toContain(`the parameter "${search.split('=')[0]}", which is not known here`);
      expect(said).toMatch(/hint: .*sslmode=verify-full&sslrootcert=/);
      expect(said).toContain('service.database-address');
    },
  );

  it('is refused with a parameter without a value', async () => {
    expect(await say(`${plain}?sslmode=`)).toContain(
      'The parameter sslmode in the address of the database has no value',
    );
  });

  it.each([plain.replace('postgres', 'POSTGRES'), ` ${plain}`])(
    'is no folder when it is written "%s"',
    async (text) => {
      expect(await say(text)).toContain('is not the address of a PostgreSQL database');
    },
  );
});
