// Part A, row 2, and part E, row 93: the process is killed when the service has done what was asked, and before the answer
// is noted here. Somebody between the two sees to it that the kill comes in just that moment.
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Chance } from '../simulation/random.ts';
import { readDelivered } from '../support/delivered.ts';
import type { EngineJob } from '../support/engine-process.ts';
import { LogAgent } from '../support/log-agent.ts';
import { type Asked, CHUNK_PATH, openMiddleman } from '../support/middleman.ts';
import { openServiceRig } from '../support/service-rig.ts';
import { tempFolder } from '../support/temp-folder.ts';

const SCRIPT = join(import.meta.dirname, '../support/engine-process.ts');
const INITIALIZE_PATH = '/tool-state/stream/initialize';
const KILLS = 9;

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

test(`2 and 93: over ${KILLS} kills between the service's commit and the note of it nothing is lost, nothing doubled, no entry made twice`, async () => {
  const { service, client } = await openServiceRig({ bench: { repeat: 'append' } });
  const middleman = await openMiddleman(service.url);
  const folder = tempFolder('killed');
  const chance = new Chance(2);
  const job = { folder, url: middleman.url, key: service.apiKey, speed: 50, resend: 'verify' } as const;
  let confirmed = 0;
  let killsAtInitialize = 0;
  for (let kill = 0; kill < KILLS; kill++) {
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
  expect(killsAtInitialize).toBe(KILLS / 3);

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
});

test('2: after such a kill the agent shows that the last answer is looked up, and then that all is delivered', async () => {
  const { service, client } = await openServiceRig({ bench: { repeat: 'append' } });
  const middleman = await openMiddleman(service.url);
  const agent = new LogAgent({ url: middleman.url, key: service.apiKey });
  agent.write(15);
  let chunks = 0;
  const running = agent.launch();
  middleman.meet = ({ path }) => {
    if (path !== CHUNK_PATH || ++chunks < 2) return 'pass';
    return {
      do: 'answer',
      by: (real) => {
        running.child.kill('SIGKILL');
        return real;
      },
    };
  };
  await running.ended;
  middleman.meet = () => 'pass';
  const again = await agent.start();
  const seen = await agent.until('the stream waits', ({ streams }) => streams[0]?.upload === 'waiting');
  expect(seen.streams[0]).toMatchObject({
    pointsStored: 15,
    pointsAcknowledged: 5,
    message: 'The last answer of the service is not known: what it holds is looked up before anything is sent again.',
  });
  expect(seen.sentence).toMatchObject({ tone: 'busy' });
  await agent.until('all delivered', ({ store }) => store?.waitingPoints === 0);
  await agent.stop(again);
  await agent.expectDelivered(client);
});
