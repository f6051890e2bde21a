import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findHolder, type InstanceLock, takeInstanceLock } from '../../../src-main/platform/instance-lock.ts';
import { posixTest } from '../../support/posix.ts';
import { amount } from '../../support/run/effort.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/** A process that takes the lock and keeps it; tells `held` or the pid that holds it. */
async function startHolder(folder: string): Promise<{ child: ChildProcess; answer: unknown }> {
  const child = fork(join(import.meta.dirname, 'hold-lock.ts'), [folder], { stdio: 'ignore' });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const [answer] = await once(child, 'message');
  return { child, answer };
}

async function take(folder: string): Promise<InstanceLock> {
  const lock = await takeInstanceLock(folder, 1_000);
  if ('holder' in lock) throw new Error('held by another');
  onTestFinished(() => lock.release());
  return lock;
}

test('one holds the folder, the next learns who and since when, and gets it afterwards', async () => {
  const folder = tempFolder();
  const first = await take(folder);
  expect(await takeInstanceLock(folder, 2_000)).toEqual({
    holder: { ...first.instance, pid: process.pid, sinceMs: 1_000 },
  });
  await first.release();
  await take(folder);
});

test('another process is kept out and named by its number', async () => {
  const folder = tempFolder();
  const { child, answer } = await startHolder(folder);
  expect(answer).toBe('held');
  expect(await takeInstanceLock(folder, 0)).toMatchObject({ holder: { pid: child.pid } });
});

test('a process killed without warning leaves the folder free at once, even if another process gets its number', async () => {
  const folder = tempFolder();
  const { child } = await startHolder(folder);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(readdirSync(folder)).toHaveLength(1); // It could not clean up.
  const lock = await take(folder);
  expect(readdirSync(folder)).toEqual([expect.stringContaining(lock.instance.door)]);
});

test('ignores a claim of a living process number without its socket', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, `${process.pid}-1700000000000-${'ab'.repeat(16)}`), '');
  await take(folder);
});

posixTest('a process that hangs still holds its folder', async () => {
  const folder = tempFolder();
  const { child } = await startHolder(folder);
  child.kill('SIGSTOP');
  expect(await takeInstanceLock(folder, 0)).toMatchObject({ holder: { pid: child.pid } });
  child.kill('SIGCONT');
});

test('files that are no claims are left where they are', async () => {
  const folder = tempFolder();
  for (const name of ['notes.txt', '1-2-3', '.x']) writeFileSync(join(folder, name), '');
  mkdirSync(join(folder, 'sub'));
  await take(folder);
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(['notes.txt', '1-2-3', '.x', 'sub']));
});

test('a folder that does not exist has no holder', async () => {
  expect(await findHolder(join(tempFolder(), 'none'))).toBeNull();
});

/** How often many start at once. */
const ROUNDS = amount(2, 4, 60);

test('of many that start at once at most one holds the folder, round after round', { timeout: 300_000 }, async () => {
  const folder = tempFolder();
  let held = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const all = await Promise.all(Array.from({ length: 4 }, () => startHolder(folder)));
    const holders = all.filter(({ answer }) => answer === 'held');
    expect(holders.length).toBeLessThanOrEqual(1);
    held += holders.length;
    for (const { child } of all) {
      const ended = once(child, 'exit');
      if (child.exitCode === null && child.kill('SIGKILL')) await ended;
    }
  }
  expect(held).toBeGreaterThan(0);
  await take(folder);
});
