// Recorder, store and uploader as a process, which is killed when the service has done what was asked and before the answer is
// noted: somebody between the two sees to it that the kill comes in just that moment.
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { Chance } from '../../simulation/random.ts';
import type { EngineJob } from '../processes/engine-process.ts';
import { readDelivered } from '../rigs/delivered.ts';
import { openServiceRig } from '../rigs/service-rig.ts';
import { memoryFolder } from '../temp-folder.ts';
import { type Asked, CHUNK_PATH, openMiddleman } from './middleman.ts';

const SCRIPT = join(import.meta.dirname, '../processes/engine-process.ts');
const INITIALIZE_PATH = '/tool-state/stream/initialize';

/** One life of the engine. */
class Life {
  readonly #child: ChildProcess;
  readonly ended: Promise<number | null>;
  out = '';
  err = '';

  constructor(job: EngineJob) {
    const child = spawn(process.execPath, [SCRIPT, JSON.stringify(job)], { stdio: 'pipe' });
    child.stdout.on('data', (bytes: Buffer) => {
      this.out += bytes.toString();
    });
    child.stderr.on('data', (bytes: Buffer) => {
      this.err += bytes.toString();
    });
    // A process that is killed closes its input.
    child.stdin.on('error', () => {});
    this.#child = child;
    this.ended = new Promise((resolve) => child.on('close', resolve));
    onTestFinished(() => this.kill());
  }

  /** Rows that it said are stored. */
  get confirmed(): number {
    return Number(/(\d+)\n(?:\d*|streams.*\n)$/.exec(this.out)?.[1] ?? 0);
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  finish(): void {
    this.#child.stdin?.write('finish\n');
  }
}

/**
 * Kill it again and again at a commit of the service, then let it finish: nothing is lost, nothing doubled, no entry made
 * twice.
 *
 * @param kills - how often; each third time it is the making of an entry.
 */
export async function killAtCommits(kills: number): Promise<void> {
  const { service, client } = await openServiceRig({ bench: { repeat: 'append' } });
  const middleman = await openMiddleman(service.url);
  const folder = memoryFolder('killed');
  const chance = new Chance(2);
  const job = { folder, url: middleman.url, key: service.apiKey, speed: 50, resend: 'verify' } as const;
  let confirmed = 0;
  let killsAtInitialize = 0;
  for (let kill = 0; kill < kills; kill++) {
    const life = new Life({ ...job, seed: kill + 1 });
    let toPass = chance.between(0, 6);
    const path = kill % 3 === 0 ? INITIALIZE_PATH : CHUNK_PATH;
    if (path === INITIALIZE_PATH) toPass = chance.between(0, 1);
    middleman.meet = (asked: Asked) => {
      if (asked.path !== path || toPass-- > 0) return 'pass';
      // Served, and while the answer is on its way the process is gone.
      return {
        do: 'answer',
        by: (real) => {
          life.kill();
          return real;
        },
      };
    };
    await life.ended;
    expect(life.err).toBe('');
    expect(life.confirmed).toBeGreaterThanOrEqual(confirmed);
    confirmed = life.confirmed;
    if (path === INITIALIZE_PATH) killsAtInitialize += 1;
  }
  expect(killsAtInitialize).toBe(Math.ceil(kills / 3));

  middleman.meet = () => 'pass';
  const last = new Life({ ...job, seed: 99 });
  await expect.poll(() => last.confirmed, { timeout: 60_000 }).toBeGreaterThan(confirmed);
  last.finish();
  expect(await last.ended).toBe(0);
  const rows = last.confirmed;
  const delivered = await readDelivered(client);
  for (const channel of ['a', 'b']) {
    const points = (delivered.get(channel) ?? []).toSorted((p, q) => p.timeMs - q.timeMs);
    expect(points).toEqual(Array.from({ length: rows }, (_, n) => ({ timeMs: n * 10, value: n })));
  }
  const streams = Number(/streams (\d+)/.exec(last.out)?.[1]);
  expect(streams).toBeGreaterThan(killsAtInitialize);
  expect(await client.listDataEntries({})).toHaveLength(streams);
}
