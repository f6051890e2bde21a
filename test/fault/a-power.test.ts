// Part A, rows 1, 3, 4, 11, 21: the process is killed, or the power goes, at any moment.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { rolldown } from 'rolldown';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openQueue } from '../../src-main/store/queue.ts';
import { FaultyDisk, findShimObstacle } from '../support/fault-shim.ts';
import { cutPower, readOperations } from '../support/power-cut.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { runKills } from '../torture/kills.ts';
import { judgeState, judgeStates, recordWriter } from '../torture/power-cuts.ts';
import { WriterProcess } from '../torture/writer-process.ts';

const TOP = join(import.meta.dirname, '../..');
const obstacle = findShimObstacle();
if (obstacle) console.error(`rows 3, 11 and 21 of the fault matrix: ${obstacle}`);
const sound = { lost: 0, doubled: 0, altered: 0, unexplained: 0 };
const KILLS = 120;
const RECORDS = 3;
const STATES = 400;

test(`1: keeps every confirmed point, once and in order, over ${KILLS} kills at random moments`, async () => {
  let kills = 0;
  await runKills(
    Math.floor(Math.random() * 1e9),
    () => kills < KILLS,
    ({ verdict, queueSeed }) => {
      kills += 1;
      expect(verdict, `npm run torture -- --kills-of ${queueSeed}`).toMatchObject(sound);
    },
  );
});

test('1: says at the next start since when nothing was stored, and only after an end that was not in order', async () => {
  const path = join(tempFolder(), 'queue.db');
  const writer = new WriterProcess().begin({ path, seed: 1, captures: null });
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
  test(`3: loses no confirmed point in ${RECORDS * STATES} states that a disk may be left in`, async () => {
    for (let record = 0; record < RECORDS; record++) {
      const seed = Math.floor(Math.random() * 1e9);
      const log = await recordWriter({ seed, captures: 50 });
      judgeStates(log, seed, STATES, (verdict, { at, kind }) => {
        expect(verdict, `${kind} after ${at} operations: npm run torture -- --states-of ${seed}`).toMatchObject(sound);
      });
    }
  });

  test('3: the states do lose points where syncs do nothing, so the test above can fail', async () => {
    const log = await recordWriter({ seed: 3, captures: 50, isLying: true });
    let lost = 0;
    judgeStates(log, 3, 60, (verdict) => {
      if (verdict.lost > 0) lost += 1;
    });
    expect(lost).toBeGreaterThan(20);
  });

  test('11: after a disk that lied about syncs nothing is doubled, and a loss that left a trace is said', async () => {
    const log = await recordWriter({ seed: 11, captures: 50, isLying: true });
    const operations = readOperations(log);
    let said = 0;
    for (const state of cutPower(operations, 11, 150)) {
      const { doubled, lost, unexplained } = judgeState(state);
      expect(doubled).toBe(0);
      // What the disk kept of the ledger may be older than the loss: then nothing tells of it.
      const ledger = operations.slice(0, state.at).findLast(({ file }) => file === 'queue.db.ledger')?.data;
      if (lost === 0 || !ledger || !state.files.get('queue.db.ledger')?.equals(ledger)) continue;
      expect(unexplained).toBeGreaterThan(0);
      said += 1;
    }
    expect(said).toBeGreaterThan(10);
  });

  test('21: a kill at any step of a migration leaves the old queue or the new one, whole', async () => {
    const fixture = join(TOP, 'test/fixtures/queue/queue-v1.db');
    const before = new SQLite(copied(fixture));
    const chunks = before.prepare('SELECT count(*) FROM chunk').pluck().get();
    before.close();
    const script = await bundleOpening();
    /** Open the old queue in a process that is killed in place of this operation. **Gives**: whether it was. */
    const openKilled = async (killAt: number): Promise<boolean> => {
      const path = copied(fixture);
      const disk = new FaultyDisk(join(path, '..'), { match: 'queue.db', skip: '.reserve', killAt });
      const child = spawn(process.execPath, [script, path], { env: { ...process.env, ...disk.env }, stdio: 'ignore' });
      const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
      const queue = openQueue(path, { reserveBytes: 0 });
      expect(queue.tally(10)).toMatchObject({ waitingPoints: 634, waitingChunks: 20, streamsTotal: 2 });
      expect(queue.load().streams).toHaveLength(2);
      expect(queue.listEvents(9).map((event) => event.code)).toContain('agent.started');
      expect(queue.listGaps(9)).toHaveLength(1);
      queue.close();
      const after = new SQLite(path);
      expect(after.prepare('SELECT count(*) FROM chunk').pluck().get()).toBe(chunks);
      after.close();
      if (signal !== 'SIGKILL') expect(code).toBe(0);
      return signal === 'SIGKILL';
    };
    let kills = 0;
    // Side by side: most of the time goes into starting processes.
    for (let first = 1, isOver = false; !isOver; first += LANES) {
      const killed = await Promise.all(Array.from({ length: LANES }, (_, lane) => openKilled(first + lane)));
      kills += killed.filter((wasKilled) => wasKilled).length;
      isOver = killed.includes(false);
    }
    expect(kills).toBeGreaterThan(10);
  });
});

/** Processes that are killed side by side. */
const LANES = 4;

/** What opens a queue and closes it, in one file: a process that loads no other source is ready in half the time. */
async function bundleOpening(): Promise<string> {
  const folder = join(TOP, 'node_modules/.cache/opening');
  mkdirSync(folder, { recursive: true });
  const [input, file] = [join(folder, `open-${process.pid}.ts`), join(folder, `open-${process.pid}.mjs`)];
  writeFileSync(input, openScript);
  onTestFinished(() => {
    for (const made of [input, file]) rmSync(made, { force: true });
  });
  const bundle = await rolldown({ input, platform: 'node', external: ['better-sqlite3'] });
  await bundle.write({ file, format: 'esm', codeSplitting: false });
  await bundle.close();
  return file;
}

const openScript = `import { openQueue } from '${join(TOP, 'src-main/store/queue.ts')}';
openQueue(process.argv[2], { reserveBytes: 0 }).close();
`;

function copied(fixture: string): string {
  const path = join(tempFolder('migration'), 'queue.db');
  copyFileSync(fixture, path);
  return path;
}

test('4: one module opens the queue, and nothing else sets how safe it is', () => {
  const sources = readdirSync(join(TOP, 'src-main'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const outside = sources.filter((name) => !/^(store|local-service)\//.test(name));
  for (const name of outside) {
    expect(readFileSync(join(TOP, 'src-main', name), 'utf8'), name).not.toMatch(/from 'better-sqlite3'/);
  }
  const inStore = sources.filter((name) => /^store\//.test(name));
  const setting = inStore.filter((name) =>
    /synchronous = FULL/.test(readFileSync(join(TOP, 'src-main', name), 'utf8')),
  );
  expect(setting).toEqual(['store/database.ts']);
});
