// How long the disk lasts, as text. What is not known is called so; it is never shown as 0.
import { formatBytes } from '../../model/format.ts';

/** From so many hours on a person should know. */
export const SHORT_HOURS = 48;
/** From so many hours on it comes before everything that passes by itself. */
export const VERY_SHORT_HOURS = 6;

/** What to do about a disk that fills. */
export const FILLING_HINT = 'Free disk space, or restore the connection so the queue can drain.';

const DAY_HOURS = 24;
const YEAR_HOURS = 365 * DAY_HOURS;

export interface Room {
  /** Free on the disk; null when the system does not tell. */
  readonly freeBytes: number | null;
  /** What the queue grows by; negative: it shrinks; null while it is not known. */
  readonly bytesPerHour: number | null;
  /** Until the disk is full at this rate; null when it does not fill or that is not known. */
  readonly hoursToFull: number | null;
}

/** `steady`: the disk does not fill. `short`: fewer than SHORT_HOURS are left. */
export type FillLevel = 'unknown' | 'steady' | 'filling' | 'short';

/** Write hours as a person counts them, never more than there are. */
function lasting(hours: number): string {
  if (hours < 1) return 'less than an hour';
  if (hours < 3 * DAY_HOURS) return `about ${Math.floor(hours)} h`;
  if (hours < YEAR_HOURS) return `about ${Math.floor(hours / DAY_HOURS)} days`;
  return 'more than a year';
}

/**
 * Say how long the buffer lasts.
 *
 * @returns the level and one sentence.
 */
export function describeFill({ freeBytes, bytesPerHour, hoursToFull }: Room): { level: FillLevel; text: string } {
  if (freeBytes === null) {
    return { level: 'unknown', text: 'How long the buffer lasts is not known: the system does not tell what is free.' };
  }
  if (hoursToFull === null) {
    return bytesPerHour === null
      ? { level: 'unknown', text: 'Measuring how long the disk lasts.' }
      : { level: 'steady', text: 'The buffer does not grow at present.' };
  }
  const level = hoursToFull < SHORT_HOURS ? 'short' : 'filling';
  if (freeBytes === 0 || bytesPerHour === null) return { level, text: 'There is no room left for the buffer.' };
  const rate = bytesPerHour < 1e6 ? 'less than 1 MB' : formatBytes(bytesPerHour);
  return { level, text: `The buffer lasts ${lasting(hoursToFull)} at this rate (${rate} an hour).` };
}
