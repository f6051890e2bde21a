// The service of a soak, a process of its own: `service-process.ts FOLDER KEY CHANNEL`. It is the embedded one with its test
// bench, which keeps everything, and stores a chunk that comes twice twice. Orders come as messages; to each it says what it
// did. Besides, it tells the stamp of the newest point of CHANNEL that it holds, whenever that changes.

import { join } from 'node:path';
import Database from 'better-sqlite3';
import { type BenchService, startBenchService } from '../support/bench/bench-service.ts';
import type { BenchRule } from '../support/bench/bench-settings.ts';

/** `rules`: which requests fail from now on, and how; none: it is sound. */
export type ServiceOrder =
  | { readonly do: 'start' }
  | { readonly do: 'stop' }
  | { readonly do: 'rules'; readonly rules: readonly BenchRule[]; readonly seed: number };

/** `hits`: requests that failed on order since the last answer. */
export type ServiceWord =
  | { readonly kind: 'done'; readonly url: string; readonly hits: number }
  | { readonly kind: 'newest'; readonly newestMs: number };

const LOOK_MS = 50;
const [folder = '', key = '', channel = ''] = process.argv.slice(2);
const say = (word: ServiceWord) => process.send?.(word);
/** Chunks that come again are not recognised: what is sent twice is there twice. */
const strict = { repeat: 'append' } as const;
/** On any free port; after it was stopped on the same one. */
const start = (port: number): Promise<BenchService> => startBenchService({ folder, key, port, bench: strict });
let service = await start(0);
const { url } = service;

async function takeHits(): Promise<number> {
  const { hits } = await service.runBench({ kind: 'report' });
  return hits.reduce((sum, one) => sum + one, 0);
}

async function obey(order: ServiceOrder): Promise<void> {
  const hits = order.do === 'rules' ? await takeHits() : 0;
  if (order.do === 'start') service = await start(Number(new URL(url).port));
  if (order.do === 'stop') await service.stop();
  if (order.do === 'rules') await service.setBench({ ...strict, rules: [...order.rules], seed: order.seed });
  say({ kind: 'done', url, hits });
}

process.on('message', (order: ServiceOrder) => {
  obey(order).catch((fault: unknown) => {
    console.error(fault);
    process.exit(1);
  });
});
process.on('disconnect', () => process.exit());

say({ kind: 'done', url, hits: 0 });
const db = new Database(join(folder, 'service.db'), { readonly: true });
const findNewest = db.prepare<[number, string], { id: number | null; time: number | null }>(
  `SELECT max(chunk.id) AS id, max(chunk.max_time) AS time FROM chunk JOIN channel ON channel.id = channel_id
     WHERE chunk.id > ? AND channel.name = ?`,
);
let lastId = 0;
setInterval(() => {
  const { id, time } = findNewest.get(lastId, channel) ?? { id: null, time: null };
  if (id === null || time === null) return;
  lastId = id;
  say({ kind: 'newest', newestMs: time * 1000 });
}, LOOK_MS);
