// Files that another program holds, and disks without hard links, as Windows has them: the system's calls really fail
// (fault-shim.c). 16: EBUSY, 1: EPERM, 21: EISDIR, which is what Windows answers for a hard link on an exFAT stick.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { FaultyDisk, findShimObstacle } from '../../support/faults/fault-shim.ts';

const obstacle = findShimObstacle();
if (obstacle) console.error(`held files: ${obstacle}`);
const SCRIPT = join(import.meta.dirname, '../../support/processes/files-process.ts');

describe.skipIf(obstacle !== null)('a file that another program holds', () => {
  let outer: string;
  let folder: string;
  let disk: FaultyDisk;
  let child: ChildProcess;
  let answers: AsyncIterator<string>;

  beforeAll(() => {
    outer = mkdtempSync(join(tmpdir(), 'epistream-held-files-'));
    disk = new FaultyDisk(outer, { match: '/' });
    child = disk.start(SCRIPT, []);
    child.stderr?.pipe(process.stderr);
    answers = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
  });
  afterAll(async () => {
    child.stdin?.end();
    if (child.exitCode === null) await once(child, 'exit');
    rmSync(outer, { recursive: true });
  });
  beforeEach(() => {
    disk.heal();
    folder = mkdtempSync(join(outer, 'kept-'));
  });

  const tell = (what: string, name: string, text: string) =>
    child.stdin?.write(`${JSON.stringify([what, join(folder, name), text])}\n`);
  async function answer(): Promise<{ ok?: true; code?: string; found?: unknown; waits?: true }> {
    return JSON.parse((await answers.next()).value as string);
  }
  function ask(what: string, name: string, text: string) {
    tell(what, name, text);
    return answer();
  }
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');

  test.each([1, 21, 31, 38, 95])('a new file is made where the disk knows no hard links (errno %i)', async (errno) => {
    disk.set(`link errno ${errno}`);
    expect(await ask('new', 'a.csv', 'time,value\n')).toEqual({ ok: true });
    expect(readdirSync(folder)).toEqual(['a.csv']);
    expect(read('a.csv')).toBe('time,value\n');
    expect(await ask('new', 'a.csv', 'other')).toEqual({ code: 'file.exists' });
    expect(read('a.csv')).toBe('time,value\n');
  });

  test('where neither a link nor a rename is possible nothing is left under the name', async () => {
    disk.set('link errno 21', 'rename errno 5');
    expect(await ask('new', 'a.csv', 'x')).toEqual({ code: 'file.not-made' });
    expect(readdirSync(folder)).toEqual([]);
  });

  test('a drive that resolves no names is read all the same', async () => {
    mkdirSync(join(folder, 'runs'));
    writeFileSync(join(folder, 'runs', 'a.log'), 'x');
    disk.set('realpath errno 21');
    expect(await ask('scan', '', '')).toEqual({ ok: true, found: ['runs/a.log'] });
    expect(await ask('notLocal', 'runs', '')).toEqual({ ok: true, found: null });
  });

  test.each(['rename', 'renameSync'])('%s waits until the file is free', async (way) => {
    writeFileSync(join(folder, 'from'), 'new');
    writeFileSync(join(folder, 'to'), 'old');
    disk.set('rename errno 16');
    expect(await ask(way, 'from', join(folder, 'to'))).toEqual({ waits: true });
    expect(read('to')).toBe('old');
    disk.heal();
    let last = await answer();
    while (last.waits) last = await answer();
    expect(last).toEqual({ ok: true });
    expect(readdirSync(folder)).toEqual(['to']);
    expect(read('to')).toBe('new');
  });

  test('a fault that no wait ends is thrown at once, and the old content stays', async () => {
    expect(await ask('atomic', 'settings', 'old')).toEqual({ ok: true });
    disk.set('rename errno 5');
    expect(await ask('atomic', 'settings', 'new')).toEqual({ code: 'EIO' });
    disk.heal();
    expect(read('settings')).toBe('old');
    expect(readdirSync(folder)).toEqual(['settings']);
  });

  test('log lines go on into the file that somebody views, and into a new one as soon as it is closed', async () => {
    const line = (number: number) => `line ${number} ${'x'.repeat(90)}\n`;
    const lines = (name: string) => [...read(name).matchAll(/line (\d+)/g)].map(([, number]) => Number(number));
    for (let number = 0; number < 9; number++) await ask('log', 'log', line(number));
    disk.set('rename errno 16');
    for (let number = 9; number < 20; number++) await ask('log', 'log', line(number));
    expect(lines('log')).toEqual(Array.from({ length: 20 }, (_, index) => index));
    disk.heal();
    for (let number = 20; number < 24; number++) await ask('log', 'log', line(number));
    expect([...lines('log.1'), ...lines('log')]).toEqual(Array.from({ length: 24 }, (_, index) => index));
    // Held for long: what is kept stays bounded, the older file stays, and the number of lines that are missing is said.
    disk.set('rename errno 16');
    for (let number = 24; number < 80; number++) await ask('log', 'log', line(number));
    expect(lines('log.1').length).toBe(20);
    expect(Buffer.byteLength(read('log'))).toBeLessThanOrEqual(3000);
    const missing = 80 - 20 - lines('log').length;
    expect(missing).toBeGreaterThan(0);
    disk.heal();
    await ask('log', 'log', line(80));
    expect(read('log')).toContain(`${missing} log lines were dropped`);
    expect(lines('log')).toContain(80);
  });
});
