// At most four snapshots a second, and never an older one after a newer one. A part that changes something says so; what
// changed is collected when the snapshot is made, so many changes cost one snapshot.
import type { Snapshot } from '../../contract/snapshot.ts';
import { buildSnapshot } from './build-snapshot.ts';
import type { Facts } from './facts.ts';

/** Shortest time between two snapshots, milliseconds. */
export const SNAPSHOT_INTERVAL_MS = 250;

export interface SnapshotFeedOptions {
  /** Collect the facts as they are now. */
  readonly collect: () => Promise<Facts>;
  readonly sleep: (durationMs: number) => Promise<void>;
  /** Collecting failed (the last snapshot stays), or a listener did. */
  readonly onFault: (thrown: unknown) => void;
}

export class SnapshotFeed {
  readonly #options: SnapshotFeedOptions;
  readonly #listeners = new Set<(snapshot: Snapshot) => void>();
  #revision = 0;
  #last: Snapshot;
  /** Collections begun, and the number of the one that the last snapshot was made from. */
  #begun = 0;
  #shown = 0;
  #isDirty = false;
  #isRunning = false;

  constructor(first: Facts, options: SnapshotFeedOptions) {
    this.#options = options;
    this.#last = buildSnapshot(first, 0);
  }

  get last(): Snapshot {
    return this.#last;
  }

  /** Listen; gives the function that ends it. The listener hears the present snapshot at once. */
  subscribe(listener: (snapshot: Snapshot) => void): () => void {
    this.#listeners.add(listener);
    listener(this.#last);
    return () => void this.#listeners.delete(listener);
  }

  /** Something changed. */
  touch(): void {
    this.#isDirty = true;
    if (!this.#isRunning) void this.#run();
  }

  /** Make a snapshot now, whatever the pace; for the moments that must not be missed, such as the end. */
  async refresh(): Promise<Snapshot> {
    this.#begun += 1;
    const own = this.#begun;
    const facts = await this.#options.collect();
    // One that began later was faster: what it shows is newer than these facts.
    if (own < this.#shown) return this.#last;
    this.#shown = own;
    this.#revision += 1;
    this.#last = buildSnapshot(facts, this.#revision);
    for (const listener of this.#listeners) this.#tell(listener);
    return this.#last;
  }

  /** A screen that cannot take it keeps no other from hearing. */
  #tell(listener: (snapshot: Snapshot) => void): void {
    try {
      listener(this.#last);
    } catch (thrown) {
      this.#options.onFault(thrown);
    }
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#isDirty) {
      this.#isDirty = false;
      try {
        await this.refresh();
      } catch (thrown) {
        this.#options.onFault(thrown);
      }
      await this.#options.sleep(SNAPSHOT_INTERVAL_MS);
    }
    this.#isRunning = false;
  }
}
