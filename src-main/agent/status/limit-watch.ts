// Watches channels against their limits, on the way of each live reading into the recorder: also where no page is open. What
// it finds goes into the journal and, as a mark, into the growth; how each stands is kept in the queue, so that a restart
// ends no alarm. It acts on nothing.

import type { JournalEntry } from '../../contract/snapshot.ts';
import type { ChannelLimit } from '../../model/channel.ts';
import type { Readings } from '../../model/readings.ts';
import { type LimitInput, type LimitState, NORMAL, stepLimit } from './channel-limit.ts';
import type { AlarmFact } from './facts.ts';
import { limitWords } from './limit-words.ts';

export interface LimitWatchOptions {
  readonly limits: () => readonly ChannelLimit[];
  readonly isGrowing: () => boolean;
  readonly kept: () => Promise<string | null>;
  readonly keep: (states: string) => Promise<void>;
  /** Keep a line on the time axis, with the growth that runs. */
  readonly mark: (text: string, timeMs: number) => Promise<void>;
  readonly journal: { record(event: Omit<JournalEntry, 'id' | 'atMs'>, about: string): void };
  readonly nowMs: () => number;
  readonly onChange: () => void;
}

const keyOf = ({ sourceId, channel }: Pick<ChannelLimit, 'sourceId' | 'channel'>) =>
  JSON.stringify([sourceId, channel]);

/** Limits of sources that are recorded: a source that was taken out of the settings has none any more. */
export function limitsInForce({
  limits,
  sources,
}: {
  readonly limits: readonly ChannelLimit[];
  readonly sources: readonly { readonly id: string }[];
}): readonly ChannelLimit[] {
  const ids = new Set(sources.map(({ id }) => id));
  return limits.filter(({ sourceId }) => ids.has(sourceId));
}

export class LimitWatch {
  readonly #options: LimitWatchOptions;
  readonly #states: Map<string, LimitState>;

  private constructor(options: LimitWatchOptions, states: Map<string, LimitState>) {
    this.#options = options;
    this.#states = states;
  }

  /** Take up how each stood when the last run ended. Rejects as the store. */
  static async open(options: LimitWatchOptions): Promise<LimitWatch> {
    const kept = await options.kept();
    return new LimitWatch(options, new Map(kept === null ? [] : (JSON.parse(kept) as [string, LimitState][])));
  }

  /** Live readings of a source came. */
  read(sourceId: string, blocks: readonly Readings[]): void {
    for (const limit of this.#options.limits()) {
      if (limit.sourceId !== sourceId || !this.#isOn(limit)) continue;
      for (const { channels, timesMs, values } of blocks) {
        const column = channels.indexOf(limit.channel);
        if (column < 0) continue;
        for (let row = 0; row < timesMs.length; row++) {
          const value = values[row * channels.length + column] as number;
          if (Number.isFinite(value)) this.#step(limit, { kind: 'reading', timeMs: timesMs[row] as number, value });
        }
      }
    }
  }

  /** Limits that hold only in a growth end with it. */
  tick(): void {
    for (const limit of this.#options.limits()) if (!this.#isOn(limit)) this.#step(limit, { kind: 'off' });
    const known = new Set(this.#options.limits().map(keyOf));
    for (const key of this.#states.keys()) if (!known.has(key)) this.#forget(key);
  }

  /** A person has seen it. */
  acknowledge(which: Pick<ChannelLimit, 'sourceId' | 'channel'>, caller: string): void {
    const limit = this.#options.limits().find((one) => keyOf(one) === keyOf(which));
    if (limit) this.#step(limit, { kind: 'acknowledge' }, caller);
  }

  /** Limits that are not normal, in the order of the settings. */
  get alarms(): readonly AlarmFact[] {
    return this.#options.limits().flatMap((limit) => {
      const { kind, level, value, sinceMs } = this.#states.get(keyOf(limit)) ?? NORMAL;
      if (kind === 'normal' || level === null || value === null || sinceMs === null) return [];
      const { sourceId, channel, guidance } = limit;
      return [{ sourceId, channel, guidance, state: kind, level, value, sinceMs, limit: limit[level] ?? value }];
    });
  }

  #isOn({ isAlways }: ChannelLimit): boolean {
    return isAlways || this.#options.isGrowing();
  }

  #step(limit: ChannelLimit, input: LimitInput, caller = ''): void {
    const { journal, mark, nowMs, onChange } = this.#options;
    const key = keyOf(limit);
    const before = this.#states.get(key) ?? NORMAL;
    const after = stepLimit(limit, before, input);
    if (after === before) return;
    if (after.kind === 'normal') this.#states.delete(key);
    else this.#states.set(key, after);
    if (after.kind === before.kind && after.level === before.level) return;
    void this.#keep();
    const words = limitWords(limit, before, after, input, caller);
    const { level } = after.kind === 'active' ? ({ level: 'error' } as const) : ({ level: 'info' } as const);
    const timeMs = input.kind === 'reading' ? input.timeMs : nowMs();
    journal.record({ level, code: `limit.${after.kind}`, message: words, hint: limit.guidance }, `${key} ${timeMs}`);
    // A disk that refuses is told by the store; the journal has it too.
    void mark(words, timeMs).catch(() => {});
    onChange();
  }

  #forget(key: string): void {
    this.#states.delete(key);
    void this.#keep();
  }

  async #keep(): Promise<void> {
    // A disk that refuses is told by the store: the state holds as long as the program runs.
    await this.#options.keep(JSON.stringify([...this.#states])).catch(() => {});
  }
}
