// Queues of the real recorder, damaged at random: each point that is lost lies in a gap that covers it, none is doubled, and
// all that is left is unaltered. The wall clock shows the time of the rows, or years later, as with old data.
import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { readLedger } from '../../../../../src-main/queue/store/database/ledger.ts';
import { openQueue, type Queue } from '../../../../../src-main/queue/store/queue.ts';
import { salvageQueue } from '../../../../../src-main/queue/store/repair/salvage.ts';
import { Chance } from '../../../../simulation/random.ts';
import { amount } from '../../../../support/run/effort.ts';
import { tempFolder } from '../../../../support/temp-folder.ts';
import { CHANNELS, timeOf } from '../../../../torture/truth.ts';
import { writeRows } from '../../../../torture/write-rows.ts';

const YEARS_MS = 7 * 365 * 86_400_000;
const NOW_MS = timeOf(0) + YEARS_MS + 1;
/** Queues of each kind. */
const RUNS = amount(6, 12, 60);

/** Points that wait or were acknowledged and are still there: `channel value` and stamp. */
function points(queue: Queue, isWaiting: boolean): Map<string, number> {
  const found = new Map<string, number>();
  for (const { id } of queue.listStreams(Number.MAX_SAFE_INTEGER, 1000)) {
    const names = new Map((queue.streamFacts(id)?.channels ?? []).map((channel) => [channel.id, channel.name]));
    for (let after: number | null = 0; after !== null; ) {
      const page = queue.storedPage(id, after, 100_000);
      for (const { state, channelIds, rows, timesMs, values } of page.blocks) {
        if (isWaiting && state === 'acknowledged') continue;
        for (const [c, channelId] of channelIds.entries()) {
          for (let i = 0; i < rows; i++) {
            const point = `${names.get(channelId)} ${values[c * rows + i]}`;
            expect(found.has(point), `${point} is there twice`).toBe(false);
            found.set(point, timesMs[i] as number);
          }
        }
      }
      after = page.next;
    }
  }
  return found;
}

/** Rows of the tables that hold readings are removed or altered, one to six of them. */
function damageRows(path: string, chance: Chance): void {
  const raw = new SQLite(path);
  for (let times = chance.between(1, 6); times > 0; times--) {
    const table = chance.happens(0.5) ? 'chunk' : 'open_readings';
    const ids = raw.prepare(`SELECT id FROM ${table}`).pluck().all() as number[];
    // The first of a stream is as likely as all others: it has no neighbour before it.
    const firsts = raw
      .prepare(`SELECT min(id) FROM chunk WHERE state = 'sealed' GROUP BY stream`)
      .pluck()
      .all() as number[];
    const some = table === 'chunk' && firsts.length > 0 && chance.happens(0.5) ? firsts : ids;
    const id = some[chance.between(0, Math.max(0, some.length - 1))];
    if (id === undefined) continue;
    if (chance.happens(0.5)) raw.prepare(`DELETE FROM ${table} WHERE id = ?`).run(id);
    else raw.prepare(`UPDATE ${table} SET data = zeroblob(40) WHERE id = ?`).run(id);
  }
  raw.close();
}

/** One to three pages are overwritten. */
function damagePages(path: string, chance: Chance): void {
  const file = openSync(path, 'r+');
  const pages = Math.floor(statSync(path).size / 4096);
  for (let times = chance.between(1, 3); times > 0; times--) {
    writeSync(file, Buffer.alloc(4096, chance.between(0, 255)), 0, 4096, 4096 * chance.between(1, pages - 1));
  }
  closeSync(file);
}

async function run(seed: number, damage: (path: string, chance: Chance) => void): Promise<number> {
  const chance = new Chance(seed);
  const path = join(tempFolder('lost'), 'queue.db');
  const wallMs = timeOf(0) + (chance.happens(0.5) ? YEARS_MS : 0);
  await writeRows(path, { seed, captures: chance.between(5, 40), reserveBytes: 0, wallMs, onStored: () => {} });
  const whole = openQueue(path, { reserveBytes: 0 });
  const before = points(whole, true);
  whole.close();
  damage(path, chance);
  salvageQueue(path, { why: 'test', hasForeignWal: false }, readLedger(path), NOW_MS);
  const queue = openQueue(path, { reserveBytes: 0 });
  const after = points(queue, false);
  const gaps = queue.listGaps(1000);
  queue.close();
  let lost = 0;
  for (const [point, timeMs] of before) {
    if (after.has(point)) {
      expect(after.get(point), `stamp of ${point}, seed ${seed}`).toBe(timeMs);
      continue;
    }
    const [name = ''] = point.split(' ');
    // A channel whose name the damage took goes out under another one: its points are there.
    const isRenamed = [...after.keys()].some(
      (other) =>
        !(CHANNELS as readonly string[]).includes(other.split(' ')[0] ?? '') &&
        other.endsWith(point.slice(name.length)),
    );
    if (isRenamed) continue;
    lost += 1;
    const isNamed = gaps.some(({ fromMs, toMs }) => fromMs <= timeMs && timeMs <= toMs);
    expect(isNamed, `${point} at ${timeMs} lies in no gap, seed ${seed}: ${JSON.stringify(gaps)}`).toBe(true);
  }
  return lost;
}

test.each([
  ['rows', damageRows],
  ['pages', damagePages],
] as const)('what is lost with damaged %s lies in a gap that covers it, and nothing is doubled', async (_, damage) => {
  let lost = 0;
  for (let seed = 1; seed <= RUNS; seed++) lost += await run(seed, damage);
  expect(lost).toBeGreaterThan(RUNS);
});

test('open readings that are gone leave no hole in the numbers, and lie in a gap all the same', async () => {
  expect(await run(16, damageRows)).toBeGreaterThan(0);
});
