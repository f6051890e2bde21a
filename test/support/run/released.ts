// What "npm run release" makes, made once for a file of tests, and what runs from it: with nothing of this repository in reach.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { codeBlocks, readPage } from '../docs.ts';

const top = join(import.meta.dirname, '../../..');

/** Rows of the log that an installed agent is given, two columns each. */
export const ROWS = 40;

/** Make artefacts into a new folder, as "npm run release" does; `env` is what differs from PC to PC. */
export function makeRelease(kinds: readonly string[], env: Record<string, string> = {}): string {
  const out = mkdtempSync(join(tmpdir(), 'released-'));
  const args = ['resources/scripts/release.ts', ...kinds.flatMap((kind) => ['--only', kind]), '--out', out];
  execFileSync(process.execPath, args, {
    cwd: top,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return out;
}

/**
 * Take artefacts that were made before (`EPISTREAM_RELEASE`, a folder), or make them.
 *
 * @returns their folder, and what removes those that were made for this.
 */
export function takeRelease(kinds: readonly string[]): { folder: string; remove(): void } {
  const given = process.env.EPISTREAM_RELEASE;
  const folder = given ?? makeRelease(kinds);
  return { folder, remove: () => given ?? rmSync(folder, { recursive: true, force: true }) };
}

export const hashOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

/** Put a log and settings that read it into a folder, delivered to the embedded service, ten rows at a time. Gives the settings file. */
export function plantSettings(folder: string, seenAs = folder): string {
  const rows = Array.from({ length: ROWS }, (_, i) => `2026-11-20T10:00:${String(i).padStart(2, '0')}Z,${i},${i * 2}`);
  mkdirSync(join(folder, 'logs'), { recursive: true });
  writeFileSync(join(folder, 'logs/run.csv'), `time,value,other\n${rows.join('\n')}\n`);
  const source = `  - { id: log, kind: log, path: '${seenAs}/logs', match: '*.csv', backfill: all }`;
  const chunks = 'stream_defaults: { points_per_chunk: 10 }';
  const tool = `version: 1\nservice: { url: embedded }\ntool: { name: MBE-1, time_zone: UTC }\n${chunks}\nsources:\n`;
  const file = join(folder, 'epistream.yaml');
  writeFileSync(file, `${tool}${source}\n`);
  return file;
}

/** An environment without this repository, its Node or anything else of who runs the tests. */
export const bareEnvironment = (home: string): Record<string, string> => ({
  PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: home,
  BROWSER: 'none',
});

/** Start a line of shell in the background; it ends with the test at the latest. */
export function startShell(
  line: string,
  cwd: string,
): { child: ChildProcess; printed(): string; ended: Promise<number | null> } {
  const child = spawn('sh', ['-c', `exec ${line}`], {
    cwd,
    env: bareEnvironment(cwd),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (said += bytes.toString()));
  const ended = new Promise<number | null>((settle) => child.on('close', settle));
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await ended;
  });
  return { child, printed: () => said, ended };
}

/** The lines of the shell block under a heading of the page for operators. */
export function operatingCommands(heading: string): string[] {
  const { text } = readPage('resources/docs/operating.md');
  const [block] = codeBlocks(text.slice(text.indexOf(`\n${heading}`)), 'sh');
  if (block === undefined || !text.includes(`\n${heading}`))
    throw new Error(`operating.md has no commands under ${heading}`);
  return block
    .trim()
    .split('\n')
    .map((line) => line.replace(/\s+#.*$/, ''));
}
