// The service of a soak and what is done to it by a seed: each kind of trouble once, in another order each time round, with
// peace in between. Its process can be stopped as well as its door be closed.
import { join } from 'node:path';
import { Part } from '../bench/parts/rig.ts';
import type { Chance } from '../simulation/random.ts';
import type { BenchRule } from '../support/bench/bench-settings.ts';
import type { ServiceOrder, ServiceWord } from './service-process.ts';
import { steadyClock } from './steady-clock.ts';

const TROUBLES = ['away', 'frozen', 'errors', 'too many', 'lost answers', 'slow'] as const;
export type Trouble = (typeof TROUBLES)[number];

/** How long each lasts, seconds, least and most. */
const LASTS_S: Readonly<Record<Trouble, readonly [number, number]>> = {
  away: [60, 180],
  frozen: [20, 60],
  errors: [20, 60],
  'too many': [20, 60],
  'lost answers': [40, 90],
  slow: [30, 90],
};
const REST_S: readonly [number, number] = [30, 120];

const answer = (status: number, chance: number, headers: Record<string, string> = {}): BenchRule => ({
  fault: { kind: 'answer', status, headers, body: '{"detail":"trouble of a soak"}' },
  chance,
});
const lostAnswer = (how: 'reset' | 'close' | 'cut', chance: number): BenchRule => ({
  fault: { kind: 'lost-after', how },
  endpoint: 'ingestChunk',
  chance,
});

/** What a sound process does wrong. */
const RULES: Readonly<Partial<Record<Trouble, readonly BenchRule[]>>> = {
  errors: [answer(500, 0.4), answer(503, 0.2)],
  'too many': [answer(429, 0.5, { 'Retry-After': '2' })],
  'lost answers': [lostAnswer('reset', 0.1), lostAnswer('close', 0.1), lostAnswer('cut', 0.1)],
  slow: [{ fault: { kind: 'delay', delayMs: 2500 }, chance: 0.3 }, { fault: { kind: 'delay', delayMs: 400 } }],
};

export class TroubledService extends Part {
  url = '';
  /** Stamp of the newest point of the watched channel that it holds, Unix ms; null: none yet. */
  newestMs: number | null = null;
  /** Troubles that were begun, and requests that failed on order. */
  readonly troubles: Record<Trouble, number> = {
    ...{ away: 0, frozen: 0, errors: 0, slow: 0 },
    ...{ 'too many': 0, 'lost answers': 0 },
  };
  hits = 0;
  readonly #stopped = new AbortController();
  #loop: Promise<void> = Promise.resolve();

  /** Start it, sound. `channel`: whose newest point is told. */
  static async start(folder: string, key: string, channel: string): Promise<TroubledService> {
    const service = new TroubledService(join(import.meta.dirname, 'service-process.ts'), [folder, key, channel]);
    service.child.on('message', (word: ServiceWord) => {
      if (word.kind === 'newest') service.newestMs = word.newestMs;
    });
    await service.#done();
    return service;
  }

  /** Troubles that were begun so far. */
  get begun(): number {
    return Object.values(this.troubles).reduce((sum, count) => sum + count, 0);
  }

  /**
   * Make trouble.
   *
   * @param scale - by what times are multiplied (1: a run of full length).
   */
  begin(chance: Chance, scale: number): void {
    this.#loop = this.#trouble(chance, scale);
    // Told by `calm`, which waits for it.
    this.#loop.catch(() => {});
  }

  /** Leave it sound. */
  async calm(): Promise<void> {
    this.#stopped.abort();
    await this.#loop;
  }

  async #trouble(chance: Chance, scale: number): Promise<void> {
    const { signal } = this.#stopped;
    const wait = ([least, most]: readonly [number, number]) =>
      steadyClock.sleep(scale * 1000 * (least + chance.next() * (most - least)), signal);
    for (let left: Trouble[] = []; ; ) {
      await wait(REST_S);
      if (signal.aborted) return;
      if (left.length === 0) left = [...TROUBLES];
      const trouble = chance.pick(left);
      left = left.filter((one) => one !== trouble);
      this.troubles[trouble] += 1;
      await this.#make(trouble, chance.between(1, 2 ** 31));
      await wait(LASTS_S[trouble]);
      await this.#repair(trouble);
    }
  }

  async #make(trouble: Trouble, seed: number): Promise<void> {
    if (trouble === 'away') await this.#order({ do: 'stop' });
    else if (trouble === 'frozen') this.child.kill('SIGSTOP');
    else await this.#order({ do: 'rules', rules: RULES[trouble] ?? [], seed });
  }

  async #repair(trouble: Trouble): Promise<void> {
    if (trouble === 'away') await this.#order({ do: 'start' });
    else if (trouble === 'frozen') this.child.kill('SIGCONT');
    else await this.#order({ do: 'rules', rules: [], seed: 1 });
  }

  async #order(order: ServiceOrder): Promise<void> {
    const done = this.#done();
    this.child.send(order);
    await done;
  }

  /**
   * @throws when it ends before it has done what it was told.
   */
  #done(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const hear = (word: ServiceWord) => {
      if (word.kind !== 'done') return;
      this.child.off('message', hear).off('exit', end);
      this.url = word.url;
      this.hits += word.hits;
      resolve();
    };
    const end = () => reject(new Error(`The service of the soak ended with code ${this.child.exitCode}.`));
    this.child.on('message', hear).on('exit', end);
    return promise;
  }
}
