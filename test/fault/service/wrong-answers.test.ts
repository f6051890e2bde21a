// Part E, rows 79 and 88: a service that appends a repeated chunk counts wrongly, or asks to wait after it had the whole request.
import { test } from 'vitest';
import { createServiceClient } from '../../../src-main/delivery/client/client.ts';
import type { BenchFault } from '../../support/bench/bench-settings.ts';
import { Engine } from '../../support/rigs/engine.ts';
import { openServiceRig } from '../../support/rigs/service-rig.ts';
import { amount } from '../../support/run/effort.ts';

/** Answers of each kind. */
const ANSWERS = amount(6, 40, 200);
/** Rows of a chunk. */
const ROWS = 5;
const waits = (status: number, isStored: boolean): BenchFault => ({
  ...{ kind: 'answer', status, headers: { 'retry-after': '1' }, body: '{}', isStored },
});

test.each<[string, BenchFault]>([
  ['79: totals that are one too many', { kind: 'wrong-count', by: 1 }],
  ['79: totals that are one too few', { kind: 'wrong-count', by: -1 }],
  ['79: totals that are far off', { kind: 'wrong-count', by: 100_000 }],
  ['88: 503 with Retry-After, and it was stored', waits(503, true)],
  ['88: 503 with Retry-After, and it was not stored', waits(503, false)],
  ['88: 429 with Retry-After, and it was stored', waits(429, true)],
])('%s, every other time: nothing is lost, nothing doubled', async (_, fault) => {
  const { service } = await openServiceRig({ bench: { repeat: 'append' } });
  const client = createServiceClient({ baseUrl: service.url, apiKey: () => service.apiKey });
  const engine = await Engine.open({ client, pointsPerChunk: ROWS });
  await service.setBench({ repeat: 'append', seed: 7, rules: [{ fault, endpoint: 'ingestChunk', chance: 0.5 }] });
  for (let hits = 0; hits < ANSWERS; ) {
    await engine.capture(ROWS);
    await engine.until('settled', async () => (await engine.store.tally(1)).waitingPoints === 0);
    hits = ((await service.runBench({ kind: 'report' })) as { hits: readonly number[] }).hits[0] ?? 0;
  }
  await service.setBench({ repeat: 'append' });
  await engine.deliverAll();
  await engine.expectDelivered();
  await client.close();
});
