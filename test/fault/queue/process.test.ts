// Part A, rows 16, 17, 23, 25, 29: a second agent, little memory, a thread that dies, the system that shuts down.
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import SQLite from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import type { AgentError } from '../../../src-main/model/agent-error.ts';
import { Recorder } from '../../../src-main/queue/recorder/recorder.ts';
import { openQueue } from '../../../src-main/queue/store/queue.ts';
import { openStore } from '../../../src-main/queue/store/store.ts';
import { chunksCommit, openingCommit } from '../../bench/parts/growth-log.ts';
import { runHere } from '../../support/command.ts';
import { fastClock } from '../../support/fast-clock.ts';
import { LogAgent } from '../../support/logs/log-agent.ts';
import { readStatus, startAgent } from '../../support/processes/agent-process.ts';
import { expectSound, SOUND, startWriter } from '../../support/rigs/writer-rig.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { CHANNELS, judgeQueue, pointOf, SOURCE, timeOf } from '../../torture/truth.ts';

test('17: a second process on the same queue is refused, and gets in once the first was killed', async () => {
  const path = join(tempFolder(), 'queue.db');
  const first = startWriter({ path, seed: 17 });
  await first.more(50);
  expect(() => openQueue(path)).toThrow(expect.objectContaining({ code: 'store.in-use' }));
  await first.more(50);
  await expectSound(first, path);
});

test('17: a second agent on the same data folder is refused with the process and the time of the first, which goes on', async () => {
  const agent = new LogAgent({ url: 'embedded', key: '' });
  const first = await agent.start();
  const second = await agent.drain();
  expect(second.code).toBe(1);
  expect(second.err).toMatch(new RegExp(`^epistream: .*process ${first.child.pid}, since \\d{4}-.*\n  hint: \\S`));
  expect(second.err).toContain('  code: data.in-use');
  const status = async () => JSON.parse((await runHere(['status', '--data', agent.data, '--json'])).out);
  expect(await status()).toMatchObject({ isRunning: true, phase: 'running', sources: [{ id: 'log' }] });
  await agent.stop(first);
  expect(await status()).toMatchObject({ isRunning: false });
});

test('16: the log stays small however much is written: there is no other reader that could hold it', () => {
  const path = join(tempFolder(), 'queue.db');
  const queue = openQueue(path);
  queue.commit(openingCommit(10));
  let largest = 0;
  // Each commit writes several pages of 4 KB to the log: together ten times its limit and more.
  for (let index = 0; index < 3000; index++) {
    queue.commit(chunksCommit(2 + index, index, 1, 10));
    largest = Math.max(largest, queue.room().walBytes);
  }
  const reader = new SQLite(path, { readonly: true, timeout: 0 });
  expect(() => reader.prepare('SELECT count(*) FROM chunk').get()).toThrow(
    expect.objectContaining({ code: 'SQLITE_BUSY' }),
  );
  reader.close();
  expect(largest).toBeLessThan(4 * 1024 * 1024);
  queue.close();
});

test('25: a store thread that dies is started again, nothing is lost or doubled, and those who asked hear of it', async () => {
  const path = join(tempFolder(), 'queue.db');
  let worker: Worker | undefined;
  const store = await openStore(path, (workerData) => {
    worker = new Worker(new URL('../../../src-main/queue/store/worker.ts', import.meta.url), { workerData });
    return worker;
  });
  onTestFinished(() => store.close());
  const failures: string[] = [];
  store.onFailure((error) => failures.push(error.code));
  const states: (AgentError | null)[] = [];
  const recorder = await Recorder.open({
    store,
    clock: fastClock(20),
    timeZone: 'UTC',
    toolName: 'T',
    synthSourceId: null,
    ruleOf: () => ({ pointsPerChunk: 7, rollover: 'growth', closeAfterQuietMs: null }),
    makeNonce: () => 'n',
    onCommitted: () => {},
    onStoreState: (error) => states.push(error),
  });
  let row = 0;
  let deaths = 0;
  for (let capture = 0; capture < 60; capture++) {
    const timesMs = Float64Array.from({ length: 5 }, (_, i) => timeOf(row + i));
    const values = Float64Array.from({ length: 15 }, (_, at) => pointOf(at % 3, row + Math.floor(at / 3)));
    row += 5;
    const stored = recorder.capture(SOURCE, {
      blocks: [{ channels: CHANNELS, timesMs, values }],
      positions: [{ key: 'row', value: String(row) }],
      rowsRead: 5,
      refusals: [],
      refusedCount: 0,
      origin: 'live',
    });
    if (capture % 12 === 6) {
      deaths += 1;
      // While the commit is on its way: whether it was applied is not known to anybody.
      void worker?.terminate();
    }
    await stored;
  }
  expect(failures.filter((code) => code === 'store.stopped')).toHaveLength(deaths);
  expect(states.filter((state) => state === null).length).toBeGreaterThan(0);
  await store.close();
  const queue = openQueue(path);
  expect(judgeQueue(queue, row)).toMatchObject({ ...SOUND, rows: row });
  queue.close();
});

test('25: calls that the dead thread had not answered are rejected as such, and later ones are answered again', async () => {
  let worker: Worker | undefined;
  const store = await openStore(join(tempFolder(), 'queue.db'), (workerData) => {
    worker = new Worker(new URL('../../../src-main/queue/store/worker.ts', import.meta.url), { workerData });
    return worker;
  });
  const asked = Promise.allSettled([store.tally(1), store.tally(1), store.listEvents(1)]);
  await worker?.terminate();
  for (const answer of await asked) {
    if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ code: 'store.stopped', retry: 'later' });
  }
  await expect.poll(() => store.tally(1).catch(() => null), { timeout: 60_000 }).toMatchObject({ waitingPoints: 0 });
  await store.close();
  await expect(store.tally(1)).rejects.toMatchObject({ code: 'store.stopped' });
  await store.close();
});

test('29: an agent that is told to end has everything it confirmed on disk, and the queue is closed in order', async () => {
  const folder = tempFolder();
  const logs = join(folder, 'logs');
  mkdirSync(logs);
  writeFileSync(
    join(logs, 'a.csv'),
    `time,x\n${Array.from({ length: 500 }, (_, i) => `${1_790_000_000 + i},${i}\n`).join('')}`,
  );
  const config = join(folder, 'epistream.yaml');
  writeFileSync(
    config,
    `version: 1\nservice: { url: embedded }\ntool: { name: T, time_zone: UTC }\nsources: [{ id: log, kind: log, path: '${logs}', match: '*.csv', backfill: all }]\n`,
  );
  const data = join(folder, 'data');
  const agent = startAgent(['run', '--config', config, '--data', data]);
  await agent.waitFor(/Recording of T started/);
  const path = join(data, 'queue.db');
  const stored = async () => (await readStatus(data)).streams[0]?.pointsStored;
  await expect.poll(stored, { timeout: 60_000 }).toBe(500);
  agent.child.kill('SIGTERM');
  expect((await agent.ended).code).toBe(0);
  const queue = openQueue(path);
  expect(queue.tally(5).streams[0]).toMatchObject({ pointsStored: 500 });
  expect(queue.listEvents(20).some(({ code }) => code.startsWith('store.'))).toBe(false);
  queue.close();
});

test('23: a backlog of a million points is read and acknowledged in a process that has 96 MB for its objects', async () => {
  const path = join(tempFolder(), 'queue.db');
  const script = join(import.meta.dirname, '../../bench/parts/fill-queue.ts');
  const child = spawn(process.execPath, ['--max-old-space-size=96', script, path, '1000000'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout.on('data', (bytes: Buffer) => {
    out += bytes.toString();
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ waitingPoints: 1_000_000, acknowledgedPoints: 1_000_000 });
});
