// The archive for Windows, unpacked where a person would, on a PC made of Wine ("npm run test:wine"). What Wine is not, stands in
// windows-pc.ts; what it shows is the real Node, SQLite and serial port library for Windows with the product on them.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { deliver, kill } from '../support/faults/kills.ts';
import { openLink } from '../support/page/screen.ts';
import { amount } from '../support/run/effort.ts';
import { takeRelease } from '../support/run/released.ts';
import { InstrumentEmulator } from '../support/serial/instrument-emulator.ts';
import { Pty } from '../support/serial/pty.ts';
import { readTranscript } from '../support/serial/transcript.ts';
import { findWineObstacle, WindowsPc, type WindowsProgram } from '../support/wine/windows-pc.ts';

// A name with everything that a folder of Windows may hold and cmd.exe reads.
const HOME = 'C:\\Program Files\\Prüfstand & Test (1)';
const NODE = `${HOME}\\node.exe`;
const CLI = `${HOME}\\dist\\main\\cli.js`;
const STOPPED = 'Recording stopped; everything captured is stored.';
const ROWS = 700;
const KILLS = amount(5, 5, 20);

const obstacle = findWineObstacle();
if (obstacle !== null) console.log(`Nothing of Windows is tried here: it ${obstacle}.`);

let pc: WindowsPc;
beforeAll(async () => {
  if (obstacle !== null) return;
  const { folder, remove } = takeRelease(['windows']);
  pc = WindowsPc.make();
  pc.unpack(join(folder, `epistream-${manifest.version}-windows-x64.zip`), HOME);
  remove();
}, 1_200_000);
afterAll(() => pc?.remove());

const row = (n: number) => `${new Date(Date.UTC(2026, 10, 20, 10, 0, n)).toISOString()},${n},${2 * n}\r\n`;
const rows = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => row(from + i)).join('');

/** Plant a log and settings in a folder of drive C. Gives the words that name them. */
function plant(
  folder: string,
  source = `{ id: log, kind: log, path: '${folder}\\Logs', match: '*.csv', backfill: all }`,
) {
  pc.write(`${folder}\\Logs\\run 1.csv`, `time,value,other\r\n${rows(0, ROWS)}`);
  pc.write(
    `${folder}\\epistream.yaml`,
    `version: 1\nservice: { url: embedded }\ntool: { name: MBE-1, time_zone: UTC }\nstream_defaults: { points_per_chunk: 50 }\nsources:\n  - ${source}\n`,
  );
  return ['--config', `${folder}\\epistream.yaml`, '--data', `${folder}\\data`];
}

const agent = (...words: readonly string[]) => [NODE, CLI, ...words];

interface Status {
  readonly isRunning: boolean;
  readonly streams: { pointsStored: number; pointsAcknowledged: number }[];
  readonly sources: { notes: { message: string }[] }[];
}

async function status(folder: string): Promise<Status | null> {
  const { out } = await pc.run(agent('status', '--json', '--data', `${folder}\\data`));
  return out.startsWith('{') ? (JSON.parse(out) as Status) : null;
}

const stored = async (folder: string) =>
  (await status(folder))?.streams.reduce((sum, { pointsStored }) => sum + pointsStored, 0);

/** Wait until an agent records. */
async function recording(program: WindowsProgram): Promise<WindowsProgram> {
  await pc.waitFor(program, /Recording of MBE-1 started/);
  return program;
}

describe.skipIf(obstacle !== null)('on Windows', () => {
  test('a folder of logs is read and delivered to the last point', async () => {
    const words = plant('C:\\MBE');
    const { code, out, err } = await pc.run(agent('run', ...words, '--drain-and-exit'));
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain(`${ROWS} rows read, 1,400 points stored, 1,400 acknowledged, 0 refused`);
    expect(out).toContain(STOPPED);
  });

  test('Epistream.cmd runs commands with blanks in their words', async () => {
    const words = plant('C:\\tool one');
    // From its folder: cmd.exe takes the first quote away from a line that begins with one.
    const starter = ['cmd', '/c', 'Epistream.cmd'];
    const { code, out } = await pc.run([...starter, 'run', ...words, '--drain-and-exit'], HOME);
    expect(code).toBe(0);
    expect(out).toContain('1,400 acknowledged');
    expect((await pc.run([...starter, '--help'], HOME)).out).toContain('Usage: epistream');
  });

  test(`killed ${KILLS} times in the middle of a delivery, it loses nothing and sends nothing twice`, async () => {
    pc.write('C:\\kills\\here', '');
    const start = (args: readonly string[], env: Record<string, string>) => pc.start(agent(...args), 'C:\\', env);
    await kill(await deliver({ folder: pc.path('C:\\kills'), seenAs: 'C:/kills', start }), KILLS);
  });

  describe('Ctrl+C in its window ends it in order', () => {
    test.each([
      ['node.exe', () => agent('run')],
      ['the starter of npm packages', () => [NODE, `${HOME}\\epistream.mjs`, 'run']],
      ['the starter of this repository', () => [NODE, 'C:\\starters\\n24.mjs', CLI, 'run']],
    ] as const)('%s', async (_, start) => {
      const folder = `C:\\ctrl-c-${Math.random().toString(36).slice(2)}`;
      plantStarters();
      const words = plant(folder);
      const program = await recording(pc.startInConsole([...start(), ...words]));
      await expect.poll(() => stored(folder), { timeout: 300_000 }).toBe(2 * ROWS);
      program.pressCtrlC();
      const { code, out } = await program.ended;
      expect([code, out]).toEqual([0, expect.stringContaining(STOPPED)]);
      // An ordinary end leaves nothing to explain.
      const { out: next } = await pc.run(agent('run', ...words, '--drain-and-exit'));
      expect(next).not.toContain('Stopped unexpectedly');
      expect(next).toContain('1,400 acknowledged');
    });
  });

  test('two agents do not share a data folder, and a killed one leaves it free', async () => {
    const words = plant('C:\\two');
    const first = await recording(pc.start(agent('run', ...words)));
    const second = await pc.run(agent('run', ...words));
    expect(second.code).not.toBe(0);
    expect(second.out + second.err).toContain('Epistream is already running');
    first.child.kill('SIGKILL');
    await first.ended;
    expect((await pc.run(agent('run', ...words, '--drain-and-exit'))).code).toBe(0);
  });

  test('a log that its tool holds alone is waited for, and what was written meanwhile is read', async () => {
    const words = plant('C:\\held');
    pc.compile('held-alone.c', 'C:\\held-alone.exe');
    const program = await recording(pc.start(agent('run', ...words)));
    await expect.poll(() => stored('C:\\held'), { timeout: 300_000 }).toBe(2 * ROWS);
    const holder = pc.start(['C:\\held-alone.exe', 'C:\\held\\Logs\\run 1.csv', 'C:\\held\\is-held']);
    await expect.poll(() => existsSync(pc.path('C:\\held\\is-held'))).toBe(true);
    // The disk below Wine knows no locks of Windows: this write is the tool's own.
    writeFileSync(pc.path('C:\\held\\Logs\\run 1.csv'), rows(ROWS, ROWS + 50), { flag: 'a' });
    const told = async () => JSON.stringify(await status('C:\\held'));
    await expect.poll(told, { timeout: 300_000 }).toContain('Held by another program');
    rmSync(pc.path('C:\\held\\is-held'));
    expect((await holder.ended).code).toBe(0);
    await expect.poll(() => stored('C:\\held'), { timeout: 300_000 }).toBe(2 * (ROWS + 50));
    program.child.kill('SIGKILL');
  });

  test('an instrument at COM4 is read, also after its adapter was pulled out; COM11 is said not to be there', async () => {
    const gauge = await InstrumentEmulator.start(readTranscript('lakeshore-336').cases[0]?.talk ?? []);
    const pty = await Pty.plug(gauge.tcpPort);
    onTestFinished(async () => {
      await pty.remove();
      await gauge.stop();
    });
    pc.plug('COM4', pty.path);
    const source = (id: string, port: string) =>
      `{ id: ${id}, kind: serial, port: ${port}, every: 200ms, timeout: 20s, instrument: lakeshore-336, options: { inputs: [A, B] } }`;
    const words = plant('C:\\serial', `${source('cryo', 'COM4')}\n  - ${source('away', 'COM11')}`);
    const program = await recording(pc.start(agent('run', ...words)));
    await expect.poll(() => stored('C:\\serial'), { timeout: 300_000 }).toBeGreaterThan(20);
    const said = async () => JSON.stringify(await status('C:\\serial'));
    expect(await said()).toMatch(/There is no port[^"]*COM11|COM11[^"]*There is no port/);
    await pty.unplug();
    await expect.poll(said, { timeout: 300_000 }).toMatch(/COM4 is disconnected|There is no port COM4/);
    const before = (await stored('C:\\serial')) ?? 0;
    await pty.plugIn();
    await expect.poll(() => stored('C:\\serial'), { timeout: 300_000 }).toBeGreaterThan(before + 20);
    program.child.kill('SIGKILL');
  });

  test('the page is drawn by a browser outside', async () => {
    const words = plant('C:\\page');
    const program = await recording(pc.start(agent('run', ...words, '--ui', '0')));
    const [link] = await pc.waitFor(program, /http:\/\/127\.0\.0\.1:\S+/);
    const { page, problems } = await openLink(link);
    await page.getByText('1,400').first().waitFor();
    expect(problems).toEqual([]);
    program.child.kill('SIGKILL');
  });

  test('a stream is exported to a table', async () => {
    const words = plant('C:\\export');
    const { out } = await pc.run(agent('run', ...words, '--drain-and-exit'));
    const [, stream = ''] = /^(.*): delivered;/m.exec(out) ?? [];
    const file = 'C:\\export\\all.csv';
    const exported = await pc.run(agent('export', ...words.slice(2), '--stream', stream, '--out', file));
    expect([exported.code, exported.err]).toEqual([0, '']);
    expect(readFileSync(pc.path(file), 'utf8').trim().split('\r\n').length - 1).toBe(2 * ROWS);
  });
});

function plantStarters(): void {
  const top = join(import.meta.dirname, '../..');
  pc.copy(join(top, 'resources/install/epistream.mjs'), `${HOME}\\epistream.mjs`);
  pc.copy(join(top, 'resources/dev-node/n24.mjs'), 'C:\\starters\\n24.mjs');
}
