// What is known of the growths while the agent runs: which there are, which part runs, what of them has gone out, what is
// being written. It only remembers and decides nothing: the desk notes growths, the sender of an entry what went out, and the
// match of sessions why one is missing.
import { type Growth, type GrowthPart, type GrowthStream, lastPart } from '../model/growth.ts';
import type { UploadStream } from '../model/queue.ts';
import type { RheedSession } from '../model/rheed-session.ts';
import type { GrowthStore, Told } from './ports.ts';

/** Growths that are known here; an older one carries nothing that still waits. */
const GROWTHS_KNOWN = 1000;
/** Growths whose streams are looked up at the start: those whose choice a person may still want to change. */
const GROWTHS_LOOKED_UP = 20;

export class GrowthBook {
  /** Newest last. */
  readonly #growths = new Map<string, Growth>();
  readonly #partOf = new Map<string, string>();
  /** Part of each stream whose entry may have gone out. */
  readonly #taken = new Map<number, string>();
  /** Parts whose choice is being written: nothing of them goes out before it is on disk. */
  readonly #changing = new Set<string>();
  /** Why a source has no session in the part that runs, by source. */
  readonly problems = new Map<string, Told>();

  /**
   * Take up what is on disk.
   *
   * @throws those of the store.
   */
  static async open(store: Pick<GrowthStore, 'growths' | 'growthStreams'>): Promise<GrowthBook> {
    const book = new GrowthBook();
    const { growths } = await store.growths(null, GROWTHS_KNOWN);
    for (const growth of growths.toReversed()) book.remember(growth);
    const parts = growths.slice(0, GROWTHS_LOOKED_UP).flatMap((growth) => growth.parts.map(({ id }) => id));
    book.noteSent(await store.growthStreams(parts));
    return book;
  }

  /** The growth that runs; null: none. */
  get current(): Growth | null {
    return [...this.#growths.values()].findLast(({ endedMs }) => endedMs === null) ?? null;
  }

  /** The part that runs; null: none. */
  get runningPart(): GrowthPart | null {
    return this.current ? lastPart(this.current) : null;
  }

  growth(id: string): Growth | null {
    return this.#growths.get(id) ?? null;
  }

  growthOfPart(partId: string): Growth | null {
    return this.growth(this.#partOf.get(partId) ?? '');
  }

  part(id: string): GrowthPart | null {
    return this.growthOfPart(id)?.parts.find((part) => part.id === id) ?? null;
  }

  remember(growth: Growth): void {
    this.#growths.set(growth.id, growth);
    for (const { id } of growth.parts) this.#partOf.set(id, growth.id);
  }

  /** From now on the entry of this stream may be at the service. */
  take({ id, growth }: Pick<UploadStream, 'id' | 'growth'>): void {
    if (growth !== null) this.#taken.set(id, growth);
  }

  /** It is certain that nothing of the entry reached the service. */
  giveBack(streamId: number): void {
    this.#taken.delete(streamId);
  }

  /** Take what the queue says of streams that were sent. */
  noteSent(streams: readonly GrowthStream[]): void {
    for (const { id, part, isSent } of streams) if (isSent) this.#taken.set(id, part);
  }

  /** An entry of this part may be at the service. */
  isTaken(partId: string): boolean {
    return [...this.#taken.values()].includes(partId);
  }

  /** While `write` runs, nothing of the part goes out. */
  async whileChanging(partId: string, write: () => Promise<void>): Promise<void> {
    this.#changing.add(partId);
    try {
      await write();
    } finally {
      this.#changing.delete(partId);
    }
  }

  isChanging(partId: string): boolean {
    return this.#changing.has(partId);
  }

  /** The choice of its growth is being written: its start waits. */
  readonly isHeld = ({ growth }: Pick<RheedSession, 'growth'>): boolean => growth !== null && this.isChanging(growth);
}
