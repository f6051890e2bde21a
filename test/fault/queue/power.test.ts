// Part A, rows 1, 3, 4, 11, 21: the process is killed, or the power goes, at any moment. Many more kills and states of a disk:
// test/long/torture.test.ts and test/long/fault-kills.test.ts.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openQueue } from '../../../src-main/queue/store/queue.ts';
import { findShimObstacle } from '../../support/faults/fault-shim.ts';
import { cutMigration } from '../../support/faults/migration-cuts.ts';
import { cutPower, readOperations } from '../../support/faults/power-cut.ts';
import { SOUND, startWriter } from '../../support/rigs/writer-rig.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { runKills } from '../../torture/kills.ts';
import { judgeState, judgeStates, recordWriter } from '../../torture/power-cuts.ts';

const TOP = join(import.meta.dirname, '../../..');
const obstacle = findShimObstacle();
if (obstacle) console.error(`rows 3, 11 and 21 of the fault matrix: ${obstacle}`);
const KILLS = 6;
const STATES = 60;
const MIGRATION_STATES = 80;

test(`1: keeps every confirmed point, once and in order, over ${KILLS} kills at random moments`, async () => {
  let kills = 0;
  await runKills(
    Math.floor(Math.random() * 1e9),
    () => kills < KILLS,
    ({ verdict, queueSeed }) => {
      kills += 1;
      expect(verdict, `npm run torture -- --kills-of ${queueSeed}`).toMatchObject(SOUND);
    },
  );
});

test('1: says at the next start since when nothing was stored, and only after an end that was not in order', async () => {
  const path = join(tempFolder(), 'queue.db');
  const writer = startWriter({ path, seed: 1 });
  await writer.more(20);
  await writer.kill();
  const codes = () => {
    const queue = openQueue(path);
    const events = queue.listEvents(9);
    queue.close();
    return events.map(({ code, level }) => `${level} ${code}`);
  };
  expect(codes()).toEqual(['warning queue.cut-off']);
  expect(codes()).toEqual(['warning queue.cut-off']);
});

describe.skipIf(obstacle !== null)('a power cut', () => {
  test(`3: loses no confirmed point in ${STATES} states that a disk may be left in`, async () => {
    const seed = Math.floor(Math.random() * 1e9);
    const log = await recordWriter({ seed, captures: 50 });
    judgeStates(log, seed, STATES, (verdict, { at, kind }) => {
      expect(verdict, `${kind} after ${at} operations: npm run torture -- --states-of ${seed}`).toMatchObject(SOUND);
    });
  });

  test('3 and 11: a disk that lied about syncs does lose points, so the test above can fail; nothing is doubled, and a loss that left a trace is said', async () => {
    const log = await recordWriter({ seed: 11, captures: 50, isLying: true });
    const operations = readOperations(log);
    let [losses, said] = [0, 0];
    for (const state of cutPower(operations, 11, 24)) {
      const { doubled, lost, unexplained } = judgeState(state);
      expect(doubled).toBe(0);
      if (lost > 0) losses += 1;
      // What the disk kept of the ledger may be older than the loss: then nothing tells of it.
      const ledger = operations.slice(0, state.at).findLast(({ file }) => file === 'queue.db.ledger')?.data;
      if (lost === 0 || !ledger || !state.files.get('queue.db.ledger')?.equals(ledger)) continue;
      expect(unexplained).toBeGreaterThan(0);
      said += 1;
    }
    expect(losses).toBeGreaterThan(6);
    expect(said).toBeGreaterThan(0);
  });

  test('21: or a kill at any moment of a migration leaves the version of before or a later one, whole', async () => {
    const found = await cutMigration(MIGRATION_STATES, 21);
    expect(Math.min(...found)).toBeGreaterThan(0);
  });
});

test('4: one module opens the queue, and nothing else sets how safe it is', () => {
  const sources = readdirSync(join(TOP, 'src-main'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const outside = sources.filter((name) => !/^(queue\/store|local-service)\//.test(name));
  for (const name of outside) {
    expect(readFileSync(join(TOP, 'src-main', name), 'utf8'), name).not.toMatch(/from 'better-sqlite3'/);
  }
  const inStore = sources.filter((name) => /^queue\/store\//.test(name));
  const setting = inStore.filter((name) =>
    /synchronous = FULL/.test(readFileSync(join(TOP, 'src-main', name), 'utf8')),
  );
  expect(setting).toEqual(['queue/store/database/database.ts']);
});
