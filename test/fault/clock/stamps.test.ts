// Part D, row 71: stamps closer than a millisecond, and equal ones. The service rounds to the millisecond, so nothing may
// be decided by a stamp alone: not what an unknown outcome meant, and not what a read-back shows.
import { describe, expect, test } from 'vitest';
import { createServiceClient } from '../../../src-main/delivery/client/client.ts';
import { confirmStream } from '../../../src-main/delivery/receipt/confirm-stream.ts';
import { readDelivered } from '../../support/rigs/delivered.ts';
import { Engine } from '../../support/rigs/engine.ts';
import { openServiceRig } from '../../support/rigs/service-rig.ts';

const ROWS = 120;
const START_MS = 1_800_000_000_000;

/** Ten readings a millisecond; then ten with the same stamp; values repeat as well. */
const kinds: [string, (n: number) => number, (n: number) => number][] = [
  ['ten in a millisecond', (n) => START_MS + n / 10, (n) => n],
  ['ten in a millisecond, all alike', (n) => START_MS + n / 10, () => 1.5],
  ['equal stamps', (n) => START_MS + Math.floor(n / 10), (n) => n % 3],
  ['one stamp, one value', () => START_MS, () => 7],
];

describe.each(['replace', 'append'] as const)('71: where a repeated chunk means %s', (repeat) => {
  test.each(kinds)('%s: nothing lost, nothing doubled, confirmed point by point', async (_, makeStamp, makeValue) => {
    const { service } = await openServiceRig({ bench: {} });
    const timeouts = { headersMs: 3000, bodyMs: 3000, totalMs: 4000 };
    const client = createServiceClient({ baseUrl: service.url, apiKey: () => service.apiKey, timeouts });
    const engine = await Engine.open({ client, pointsPerChunk: 7 });
    await service.setBench({
      repeat,
      rules: [
        { fault: { kind: 'lost-after', how: 'reset' }, endpoint: 'ingestChunk', skip: 2, times: 1 },
        { fault: { kind: 'lost-before', how: 'reset' }, endpoint: 'ingestChunk', skip: 1, times: 1 },
        { fault: { kind: 'partial', channels: 1 }, endpoint: 'ingestChunk', skip: 1, times: 1 },
      ],
    });
    for (let from = 0; from < ROWS; from += 12) {
      const timesMs = Float64Array.from({ length: 12 }, (_, i) => makeStamp(from + i));
      const values = Float64Array.from({ length: 24 }, (_, i) => makeValue(from + Math.floor(i / 2)));
      await engine.recorder.capture('rig', {
        blocks: [{ channels: ['a', 'b'], timesMs, values }],
        positions: [],
        rowsRead: 12,
        refusals: [],
        refusedCount: 0,
        origin: 'live',
      });
    }
    await engine.deliverAll();
    await service.setBench({});
    const truth = Array.from({ length: ROWS }, (_, n) => makeValue(n));
    const delivered = await readDelivered(client);
    for (const name of ['a', 'b']) expect(delivered.get(name)?.map(({ value }) => value)).toEqual(truth);
    for (const { id } of await engine.streams()) {
      const parts = { store: engine.store, service: client, clock: engine.clock };
      expect(await confirmStream(id, parts, new AbortController().signal)).toMatchObject({
        outcome: 'confirmed',
        pointsCompared: 2 * ROWS,
        notes: [],
      });
    }
    await client.close();
  });
});
