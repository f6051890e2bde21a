// The agent without its sources as a process that can be killed: recorder, store with its thread, uploader, client. It
// captures rows of which each tells which one it is, and prints how many are stored. One argument, JSON: EngineJob. The word
// `finish` on its input makes it deliver everything and end with 0.
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { makeNonce } from '../../../src-main/agent/pipeline/nonce.ts';
import { createServiceClient } from '../../../src-main/delivery/client/client.ts';
import { Uploader } from '../../../src-main/delivery/upload/uploader.ts';
import { Recorder } from '../../../src-main/queue/recorder/recorder.ts';
import { openStore } from '../../../src-main/queue/store/store.ts';
import { Chance } from '../../simulation/random.ts';
import { fastClock } from '../fast-clock.ts';

export interface EngineJob {
  readonly folder: string;
  readonly url: string;
  readonly key: string;
  readonly seed: number;
  /** How much faster its time runs. */
  readonly speed: number;
  readonly resend: 'verify' | 'repeat';
}

export const ENGINE_CHANNELS = ['a', 'b'] as const;
const SOURCE = 'rows';

const { folder, url, key, seed, speed, resend } = JSON.parse(process.argv[2] ?? '{}') as EngineJob;
const chance = new Chance(seed);
const clock = fastClock(speed);
const store = await openStore(join(folder, 'queue.db'));
const timeouts = { headersMs: 3000, bodyMs: 3000, totalMs: 4000 };
const client = createServiceClient({ baseUrl: url, apiKey: () => key, timeouts });
const uploader = new Uploader({
  queue: store,
  service: client,
  serviceAddress: 'rig',
  finalizePath: null,
  clock,
  random: Math.random,
  policy: { resend, holdOffMs: 15_000 },
  onChange: () => {},
  onLine: () => {},
  onDelivered: () => {},
  onFailure: () => {},
});
const recorder = await Recorder.open({
  store,
  clock,
  timeZone: 'UTC',
  toolName: 'Rig',
  synthSourceId: null,
  ruleOf: () => ({ pointsPerChunk: 5, rollover: 'growth', closeAfterQuietMs: null }),
  makeNonce,
  onCommitted: (ids) => void uploader.notify(ids),
  onStoreState: () => {},
});
await uploader.start();

/** A stream that waits for a person waits for ever here. */
function failWhenHeld(): void {
  for (const { state } of uploader.views().values()) {
    if (state.kind !== 'blocked') continue;
    writeSync(2, `${state.reason.code} ${state.reason.message}\n`);
    process.exit(1);
  }
}

let isFinishing = false;
createInterface({ input: process.stdin }).once('line', () => {
  isFinishing = true;
});

let row = Number((await store.positions(SOURCE)).get('row') ?? 0);
writeSync(1, `${row}\n`);
while (!isFinishing) {
  failWhenHeld();
  const rows = chance.between(1, 12);
  const first = row;
  row += rows;
  const timesMs = Float64Array.from({ length: rows }, (_, i) => (first + i) * 10);
  const values = Float64Array.from({ length: 2 * rows }, (_, at) => first + Math.floor(at / 2));
  await recorder.capture(SOURCE, {
    blocks: [{ channels: ENGINE_CHANNELS, timesMs, values }],
    positions: [{ key: 'row', value: String(row) }],
    rowsRead: rows,
    refusals: [],
    refusedCount: 0,
    origin: 'live',
  });
  writeSync(1, `${row}\n`);
  if (chance.happens(0.08)) await recorder.closeStreams();
  await new Promise((resolve) => setTimeout(resolve, 5));
}
await recorder.closeStreams();
while ((await store.tally(1)).streams.some(({ isDelivered }) => !isDelivered)) {
  failWhenHeld();
  await new Promise((resolve) => setTimeout(resolve, 20));
}
const { streamsTotal } = await store.tally(1);
await uploader.stop();
await store.close();
await client.close();
writeSync(1, `streams ${streamsTotal}\n`);
process.exit(0);
