// Requests that nobody means, made from the published document, against the service on each engine:
// npm run test:long -- test/long/service/fuzz.test.ts
import { describe, expect, test } from 'vitest';
import { createServiceClient } from '../../../src-main/delivery/client/client.ts';
import { fuzz } from '../../support/fuzz/fuzz.ts';
import { findPostgres, makeCluster } from '../../support/postgres/cluster.ts';
import { makeDatabase } from '../../support/postgres/database.ts';
import { startAgent } from '../../support/processes/agent-process.ts';
import { amount } from '../../support/run/effort.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const KEY = 'a-key-of-this-lab';
const REQUESTS = amount(500, 1_000, 20_000);
const SEED = Number(process.env.EPISTREAM_SEED ?? 20_261_125);

/** Fuzz a service that is started with these words; its demo data give the ids. Returns nothing: it expects. */
async function expectSound(engine: string, words: readonly string[]): Promise<void> {
  const importing = ['--import', 'resources/demo/demo.json'];
  const service = startAgent(['service', ...words, '--port', '0', '--metrics', ...importing], {
    EPISTREAM_API_KEY: KEY,
  });
  const [, url = ''] = await service.waitFor(/Service at (\S+),/);
  await service.waitFor(/Imported/);
  const fuzzed = await fuzz(url, KEY, REQUESTS, SEED);
  const { requests, answers, slowestMs, late, faults } = fuzzed;
  console.log(
    `${engine}: ${requests} requests, ${JSON.stringify(answers)}, ${faults.length} faults, slowest ${slowestMs} ms, ${late} late once`,
  );
  expect(faults.slice(0, 20)).toEqual([]);
  // Requests that fit are among them, or nothing was tried.
  expect((answers['2xx'] ?? 0) / requests).toBeGreaterThan(0.15);
  const client = createServiceClient({ baseUrl: url, apiKey: () => KEY });
  expect((await client.listDataEntries({ limit: 1 })).length).toBe(1);
  await client.close();
}

test(`${REQUESTS} requests on SQLite: no fault of the service, none that hangs`, () =>
  expectSound('SQLite', ['--data', tempFolder('fuzz')]));

describe.skipIf(findPostgres() === null)('on PostgreSQL', () => {
  test(`${REQUESTS} requests: no fault of the service, none that hangs`, async () => {
    const cluster = makeCluster();
    await cluster.start();
    try {
      await expectSound('PostgreSQL', ['--database', await makeDatabase(cluster.url('postgres'))]);
    } finally {
      await cluster.remove();
    }
  });
});
