// Says when the disk is filling, before it is full, and once a step rather than once a minute.
import { formatBytes } from '../../model/format.ts';
import type { StoreRoom } from '../../queue/store/queue-file.ts';
import { FILLING_HINT, SHORT_HOURS, VERY_SHORT_HOURS } from '../status/fill.ts';
import type { JournalEvent } from './journal.ts';

/** A warning each time that less than so many hours are left. */
const STEPS_HOURS = [SHORT_HOURS, 24, 12, VERY_SHORT_HOURS, 3, 1];
/** A write-ahead log beyond this is one that the disk does not let be copied into the file, bytes. */
const LOG_LARGE_BYTES = 64 * 1024 * 1024;

export class RoomWatch {
  #step = Number.POSITIVE_INFINITY;
  #isLogLarge = false;

  /**
   * Look at the room that is left.
   *
   * @param storeRoom - what the store says.
   * @returns what is new about it; nothing while it stays as it was.
   */
  look({ freeBytes, hoursToFull, bytesPerHour, walBytes }: StoreRoom): JournalEvent[] {
    const events: JournalEvent[] = [];
    const step = STEPS_HOURS.findLast((hours) => (hoursToFull ?? Number.POSITIVE_INFINITY) < hours);
    if (step !== undefined && step < this.#step) {
      events.push({
        level: step <= VERY_SHORT_HOURS ? 'error' : 'warning',
        code: 'store.filling',
        message: `The disk will be full in about ${Math.max(1, Math.floor(hoursToFull ?? 0))} h (${formatBytes(freeBytes ?? 0)} free, the queue grows by ${formatBytes(bytesPerHour ?? 0)} an hour).`,
        hint: FILLING_HINT,
      });
    }
    this.#step = step ?? Number.POSITIVE_INFINITY;
    const isLogLarge = walBytes > LOG_LARGE_BYTES;
    if (isLogLarge && !this.#isLogLarge) {
      events.push({
        level: 'warning',
        code: 'store.log-large',
        message: `The queue's log has grown to ${formatBytes(walBytes)}: the disk does not let it be copied into the file.`,
        hint: 'What is stored is safe. Check the disk; the log is cut back as soon as that works.',
      });
    }
    this.#isLogLarge = isLogLarge;
    return events;
  }
}
