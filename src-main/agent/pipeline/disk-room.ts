// The room on the disk that holds the queue: what is free now, and how long it lasts at the rate that the store measures.
// The screen asks for it here, and the journal gets it from here. The store counts free bytes itself, too, in its own thread:
// for its reserve (queue/store/space/reserve.ts), and before it writes without one.
import { dirname } from 'node:path';
import { countFreeBytes } from '../../platform/free-bytes.ts';
import type { StoreRoom } from '../../queue/store/queue-file.ts';
import { hoursToFull } from '../../queue/store/space/forecast.ts';
import type { Room } from '../status/fill.ts';
import type { Journal } from './journal.ts';
import { RoomWatch } from './room-watch.ts';

/** What it needs of the store. */
interface MeasuringStore {
  room(): Promise<StoreRoom>;
}

export class DiskRoom {
  readonly #queuePath: string;
  readonly #store: MeasuringStore;
  readonly #journal: Journal;
  readonly #watch = new RoomWatch();
  #bytesPerHour: number | null = null;

  constructor(queuePath: string, store: MeasuringStore, journal: Journal) {
    this.#queuePath = queuePath;
    this.#store = store;
    this.#journal = journal;
  }

  /** The room now; null where it is not known. */
  async read(): Promise<Room> {
    // A file system that does not tell is shown as "not known"; nothing rests on the figure.
    const freeBytes = await countFreeBytes(dirname(this.#queuePath)).catch(() => null);
    const bytesPerHour = this.#bytesPerHour;
    return { freeBytes, bytesPerHour, hoursToFull: hoursToFull(freeBytes, bytesPerHour) };
  }

  /**
   * Let the store measure, and tell what is new; about once a minute.
   *
   * @throws those of the store.
   */
  async measure(): Promise<void> {
    const room = await this.#store.room();
    this.#bytesPerHour = room.bytesPerHour;
    for (const event of this.#watch.look(room)) this.#journal.record(event);
  }
}
