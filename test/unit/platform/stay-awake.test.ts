// A stand-in of systemd-inhibit, caffeinate and PowerShell: the real ones need a session manager, a Mac, Windows. What it stands
// in for is their manner: write a line once the PC is held, end when standard input ends.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkAwake } from '../../../src-main/agent/check/check-awake.ts';
import { holdingProgram, knowsNoSleep, StayAwake } from '../../../src-main/platform/stay-awake.ts';
import { posixTest } from '../../support/posix.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 60_000 });

function openAwake(program: string, args: readonly string[]) {
  let changes = 0;
  const awake = new StayAwake({ program: { program, args }, isSleepless: false, onChange: () => (changes += 1) });
  onTestFinished(() => awake.follow(false));
  return { awake, changes: () => changes };
}

const isRunning = (mark: string) => execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).includes(mark);

posixTest('holds while it is wanted, and lets go when it is not', async () => {
  const mark = `epistream-awake-${process.pid}`;
  const { awake } = openAwake('sh', ['-c', `cat; : ${mark}`]);
  expect(awake.problem).toBeNull();
  awake.follow(true);
  expect(awake.problem).toBe('sh has not answered yet.');
  await eventually(() => awake.problem).toBeNull();
  expect(isRunning(mark)).toBe(true);
  awake.follow(false);
  await eventually(() => isRunning(mark)).toBe(false);
  expect(awake.problem).toBeNull();
});

posixTest.each([
  ['is not there', 'epistream-no-such-program', [], /^epistream-no-such-program could not be started \(.*ENOENT\)\.$/],
  ['refuses', 'sh', ['-c', 'echo Access denied >&2; exit 1'], /^sh ended with 1: Access denied\.$/],
  ['ends after it held', 'sh', ['-c', 'read line; echo held'], /^sh ended with 0\.$/],
])('says why when the program %s', async (_, program, args, why) => {
  const { awake, changes } = openAwake(program, args);
  awake.follow(true);
  await eventually(() => awake.problem).toMatch(why);
  expect(changes()).toBeGreaterThan(0);
});

posixTest('a killed agent holds the PC no longer', async () => {
  const mark = `epistream-killed-${process.pid}`;
  const script = `
    import { StayAwake } from ${JSON.stringify(join(import.meta.dirname, '../../../src-main/platform/stay-awake.ts'))};
    const awake = new StayAwake({ program: { program: 'sh', args: ['-c', 'cat; : ${mark}'] }, isSleepless: false,
      onChange: () => process.kill(process.pid, 'SIGKILL') });
    awake.follow(true);
    setInterval(() => {}, 1000);`;
  const file = join(tempFolder(), 'hold.mjs');
  writeFileSync(file, script);
  expect(() => execFileSync(process.execPath, [file], { stdio: 'ignore', timeout: 60_000 })).toThrow();
  await eventually(() => isRunning(mark)).toBe(false);
});

test('a PC that knows no sleep needs nothing', async () => {
  const awake = new StayAwake({ program: { program: 'false', args: [] }, isSleepless: true });
  awake.follow(true);
  expect(awake.problem).toBeNull();
  const file = join(tempFolder(), 'state');
  writeFileSync(file, '\n');
  expect(knowsNoSleep(file)).toBe(true);
  writeFileSync(file, 'freeze mem disk\n');
  expect([knowsNoSleep(file), knowsNoSleep(`${file}-of-windows`)]).toEqual([false, false]);
});

test('each system has its program, and others say so', () => {
  expect(holdingProgram('linux')?.program).toBe('systemd-inhibit');
  expect(holdingProgram('darwin')?.program).toBe('caffeinate');
  expect(holdingProgram('win32')?.args.at(-1)).toContain('SetThreadExecutionState(2147483649)');
  const awake = new StayAwake({ program: holdingProgram('freebsd'), isSleepless: false });
  awake.follow(true);
  expect(awake.problem).toBe('This system has no way that Epistream knows.');
});

posixTest.each([
  ['cat', [], /^ok: This PC stays awake/],
  ['false', [], /^warning: This PC may fall asleep while Epistream records: false ended with 1\.$/],
])('check tries it: %s', async (program, args, told) => {
  const isSleepless = false;
  const { level, message } = await checkAwake(
    true,
    (onChange) => new StayAwake({ program: { program, args }, isSleepless, onChange }),
  );
  expect(`${level}: ${message}`).toMatch(told);
});

test('check warns where the settings let the PC sleep', async () => {
  expect(await checkAwake(false)).toMatchObject({ level: 'warning', subject: 'sleep' });
});
