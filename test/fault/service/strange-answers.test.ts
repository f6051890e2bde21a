// Part E, rows 96, 103, 104: answers that are bombs, a service with its own mind about the size of chunks, and answers whose
// fields are not what the interface says.
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createServiceClient } from '../../../src-main/delivery/client/client.ts';
import type { BenchSettings } from '../../support/bench/bench-settings.ts';
import { type Answered, type Asked, CHUNK_PATH, openMiddleman } from '../../support/faults/middleman.ts';
import { readDelivered } from '../../support/rigs/delivered.ts';
import { Engine, type EngineOptions } from '../../support/rigs/engine.ts';
import { openServiceRig } from '../../support/rigs/service-rig.ts';

async function rig(bench: BenchSettings = { repeat: 'append' }, options: Partial<EngineOptions> = {}) {
  const { service, client } = await openServiceRig({ bench });
  const middleman = await openMiddleman(service.url);
  const timeouts = { headersMs: 3000, bodyMs: 3000, totalMs: 4000 };
  const through = createServiceClient({ baseUrl: middleman.url, apiKey: () => service.apiKey, timeouts });
  const engine = await Engine.open({ client: through, ...options });
  return { service, client, middleman, engine };
}

/** Blanks that a client which unpacks them would hold all at once, bytes. */
const BOMB_BYTES = 100 * 1024 * 1024;
/** More than this on top, and it was unpacked, bytes. */
const ROOM_BYTES = 50 * 1024 * 1024;

test('96: an answer of 100 KB that unpacks to 100 MB is not unpacked, and is settled like any other lost answer', async () => {
  const { middleman, engine } = await rig();
  const packed = gzipSync(Buffer.alloc(BOMB_BYTES, ' '), { level: 9 });
  expect(packed.length).toBeLessThan(150_000);
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  const seen: string[] = [];
  middleman.meet = ({ method, path }) => {
    const kind = path === CHUNK_PATH ? 'chunk' : path.includes('/timeseries/') ? 'read' : null;
    if (kind === null || seen.filter((one) => one === kind).length >= 3) return 'pass';
    seen.push(kind);
    return { do: 'answer', by: () => ({ status: method === 'GET' ? 200 : 201, headers, body: packed }) };
  };
  const before = process.memoryUsage().rss;
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 5);
  await engine.capture(20);
  await engine.deliverAll();
  clearInterval(timer);
  expect(seen.toSorted()).toEqual(['chunk', 'chunk', 'chunk', 'read', 'read', 'read']);
  expect(most - before).toBeLessThan(ROOM_BYTES);
  middleman.meet = () => 'pass';
  await engine.expectDelivered();
});

test('103: a service that refuses a short last chunk: kept, said in its words, and put right as a stream of that size', async () => {
  const { engine, client } = await rig({ shortChunk: 'refuse' });
  await engine.capture(12);
  await engine.deliverAll();
  const [stream] = await engine.streams();
  expect(stream).toMatchObject({ pointsStored: 36, pointsAcknowledged: 30, pointsRefused: 6 });
  const refused = await engine.store.refusedChunks(1);
  expect(refused.map(({ channel, index, rows }) => [channel, index, rows])).toEqual([
    ['a', 2, 2],
    ['b', 2, 2],
    ['c', 2, 2],
  ]);
  for (const { words } of refused) expect(words).toMatch(/422.*points/);

  const ids = engine.recorder.takeIds(3);
  const selection = { streamId: 1, chunkIds: null, channel: null };
  const correction = { pointsPerChunk: 2, unit: null, rename: null };
  const resent = await engine.store.sendAsNew(selection, correction, ids, 'again', engine.clock.nowMs());
  expect(resent).toMatchObject({ points: 6, left: 0 });
  await engine.uploader.notify([ids.stream]);
  await engine.until('delivered', async () => (await engine.streams()).every(({ isDelivered }) => isDelivered));
  for (const points of (await readDelivered(client)).values()) {
    expect(points.map(({ value }) => value).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, n) => n));
  }
});

test('103: a service that takes longer chunks than it was told gets none', async () => {
  const { middleman, engine } = await rig({ longChunk: 'accept' });
  for (const rows of [3, 17, 1, 9]) await engine.capture(rows);
  await engine.deliverAll();
  await engine.expectDelivered();
  const sizes = middleman.asked
    .filter(({ path }) => path === CHUNK_PATH)
    .map(({ body }) => (JSON.parse(body) as { channels: { a: { values: number[] } } }).channels.a.values.length);
  expect(sizes).toEqual([5, 5, 5, 5, 5, 5]);
});

/** What is done to one place of an answer. */
const EDITS = ['null', 'as text', 'as number', 'unknown field', 'nested', 'gone', 'empty'] as const;
type Edit = { readonly edit: (typeof EDITS)[number]; readonly pick: number };

type Holder = Record<string, unknown> | unknown[];

/** Every place of a JSON value: who holds it, and under which name. */
function placesOf(holder: Holder): { holder: Holder; name: string }[] {
  return Object.entries(holder).flatMap(([name, value]) => [
    { holder, name },
    ...(typeof value === 'object' && value !== null ? placesOf(value as Holder) : []),
  ]);
}

function change({ edit, pick }: Edit, root: { value: unknown }): void {
  const places = placesOf(root);
  const place = places[pick % places.length];
  if (!place) return;
  const holder = place.holder as Record<string, unknown>;
  const old = holder[place.name];
  switch (edit) {
    case 'null':
      holder[place.name] = null;
      return;
    case 'as text':
      holder[place.name] = typeof old === 'object' ? JSON.stringify(old) : String(old);
      return;
    case 'as number':
      holder[place.name] = Number.parseFloat(String(old)) || 0;
      return;
    case 'unknown field':
      if (typeof old === 'object' && old !== null && !Array.isArray(old)) Object.assign(old, { new_in_v2: { a: [1] } });
      return;
    case 'nested':
      holder[place.name] = [old];
      return;
    case 'gone':
      if (Array.isArray(place.holder)) place.holder.splice(Number(place.name), 1);
      else delete holder[place.name];
      return;
    case 'empty':
      holder[place.name] = Array.isArray(old) ? [] : {};
  }
}

function edited(real: Answered, edits: readonly Edit[]): Answered {
  const root = { value: JSON.parse(real.body.toString()) as unknown };
  for (const edit of edits) change(edit, root);
  return { ...real, body: JSON.stringify(root.value) ?? 'null' };
}

test('104: an id that the service gave and does not know itself: the entry is found again by its name', async () => {
  const { middleman, engine } = await rig();
  let left = 1;
  middleman.meet = ({ path }) => {
    if (left <= 0 || !path.includes('/initialize')) return 'pass';
    left -= 1;
    return { do: 'answer', by: (real) => ({ ...real, body: JSON.stringify({ data_id: '{}' }) }) };
  };
  await engine.capture(12);
  expect(await engine.untilBlocked()).toBe('service.target-gone');
  expect(await engine.streams()).toMatchObject([{ dataId: '{}' }]);
  engine.uploader.release();
  await engine.deliverAll();
  await engine.expectDelivered();
});

test('104: fields unknown, null, of another type or missing, in any answer: no crash, and in the end each point once', async () => {
  const { client, middleman, engine } = await rig();
  const isOf = (kind: string) => (asked: Asked) =>
    kind === 'any' ||
    asked.path.includes({ chunk: '/chunk/', read: '/timeseries/', find: '/data_entries/' }[kind] ?? '/initialize');
  const edit = fc.record({ edit: fc.constantFrom(...EDITS), pick: fc.nat(200) });
  const kind = fc.constantFrom('any', 'chunk', 'read', 'find', 'initialize');
  await fc.assert(
    fc.asyncProperty(kind, fc.array(edit, { minLength: 1, maxLength: 3 }), fc.nat(1), async (of, edits, lostFirst) => {
      let [left, toLose] = [3, lostFirst];
      middleman.meet = (asked) => {
        // Reads and searches come only where an answer was lost.
        if (toLose > 0 && asked.method === 'POST') {
          toLose -= 1;
          return { do: 'lose-answer', how: 'reset' };
        }
        if (left <= 0 || !isOf(of)(asked)) return 'pass';
        left -= 1;
        return { do: 'answer', by: (real) => edited(real, edits) };
      };
      await engine.capture(5);
      await engine.recorder.closeStreams();
      await engine.until(`delivered after ${of} ${JSON.stringify(edits)}`, async () => {
        // What was held for a person: they looked, and let it go on.
        engine.uploader.release();
        return (await engine.store.tally(1)).waitingPoints === 0;
      });
    }),
    { numRuns: 15, endOnFailure: true },
  );
  middleman.meet = () => 'pass';
  await engine.deliverAll();
  for (const points of (await readDelivered(client)).values()) {
    expect(points.toSorted((p, q) => p.timeMs - q.timeMs)).toEqual(
      Array.from({ length: engine.captured }, (_, n) => ({ timeMs: n * 10, value: n })),
    );
  }
});
