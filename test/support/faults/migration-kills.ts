// An old queue is opened by a process that is killed in place of one of the operations by which it migrates the file.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import SQLite from 'better-sqlite3';
import { rolldown } from 'rolldown';
import { expect, onTestFinished } from 'vitest';
import { openQueue } from '../../../src-main/queue/store/queue.ts';
import { memoryFolder } from '../temp-folder.ts';
import { FaultyDisk } from './fault-shim.ts';

const TOP = join(import.meta.dirname, '../../..');
const FIXTURE = join(TOP, 'test/fixtures/queue/queue-v1.db');
/** Processes that are killed side by side: most of the time goes into starting them. */
const LANES = 4;

const openScript = `import { openQueue } from '${join(TOP, 'src-main/queue/store/queue.ts')}';
openQueue(process.argv[2], { reserveBytes: 0 }).close();
`;

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

function copied(): string {
  const path = join(memoryFolder('migration'), 'queue.db');
  copyFileSync(FIXTURE, path);
  return path;
}

function countChunks(path: string): unknown {
  const file = new SQLite(path);
  try {
    return file.prepare('SELECT count(*) FROM chunk').pluck().get();
  } finally {
    file.close();
  }
}

/**
 * Kill the migration of an old queue at every n-th of its operations, and expect the old queue or the new one, whole, each
 * time.
 *
 * @param everyNth - n.
 * @returns how often it was killed; the operation behind the last kill was one too many.
 */
export async function killMigration(everyNth: number): Promise<number> {
  const chunks = countChunks(copied());
  const script = await bundleOpening();
  /**
   * Takes the operation in whose place the process is killed.
   *
   * @returns whether it was.
   */
  const openKilled = async (killAt: number): Promise<boolean> => {
    const path = copied();
    const disk = new FaultyDisk(dirname(path), { match: 'queue.db', skip: '.reserve', killAt });
    const child = spawn(process.execPath, [script, path], { env: { ...process.env, ...disk.env }, stdio: 'ignore' });
    const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
    const queue = openQueue(path, { reserveBytes: 0 });
    expect(queue.tally(10)).toMatchObject({ waitingPoints: 634, waitingChunks: 20, streamsTotal: 2 });
    expect(queue.load().streams).toHaveLength(2);
    expect(queue.listEvents(9).map((event) => event.code)).toContain('agent.started');
    expect(queue.listGaps(9)).toHaveLength(1);
    queue.close();
    expect(countChunks(path)).toBe(chunks);
    if (signal !== 'SIGKILL') expect(code).toBe(0);
    return signal === 'SIGKILL';
  };
  let kills = 0;
  for (let first = 1, isOver = false; !isOver; first += LANES * everyNth) {
    const lanes = Array.from({ length: LANES }, (_, lane) => openKilled(first + lane * everyNth));
    const killed = await Promise.all(lanes);
    kills += killed.filter((wasKilled) => wasKilled).length;
    isOver = killed.includes(false);
  }
  return kills;
}
