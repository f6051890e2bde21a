// Whether nothing follows a reply that ends as a broken one could, too: a lone CR or LF may stand within a line.
//
// Bounds: 30 ms and two characters after the last byte, then looks of 5 ms until one was on time, 20 at most. A process that
// stands still reads what came meanwhile after its timers ran: only a wait that was on time says that nothing has come.
import type { Clock } from '../../../platform/clock.ts';

/** Nothing has come for so long, milliseconds and characters; */
const SILENT_MS = 30;
const SILENT_CHARACTERS = 2;
/** then it is listened once more, milliseconds. */
const LOOK_MS = 5;
/** A look that took so much longer says nothing, milliseconds; another one is taken, so often at most. */
const LATE_MS = 3;
const LOOKS_MAX = 20;

/** A line that is listened to. */
interface Listening {
  readonly clock: Clock;
  readonly characterMs: number;
  /** When bytes came last, by the monotonic clock, milliseconds. */
  readonly lastInputMs: () => number;
  /** Wait so long at most; fulfilled sooner when something comes, or the line ends. */
  readonly waitForInput: (longestMs: number) => Promise<void>;
}

/**
 * Wait a moment.
 *
 * @returns false when something followed what had come when this was asked.
 */
export async function nothingFollows({ clock, characterMs, lastInputMs, waitForInput }: Listening): Promise<boolean> {
  const inputMs = lastInputMs();
  const leftMs = inputMs + SILENT_MS + SILENT_CHARACTERS * characterMs - clock.monotonicMs();
  if (leftMs > 0) await waitForInput(leftMs);
  for (let looks = 0; looks < LOOKS_MAX && lastInputMs() === inputMs; looks++) {
    const beganMs = clock.monotonicMs();
    await waitForInput(LOOK_MS);
    if (clock.monotonicMs() - beganMs <= LOOK_MS + LATE_MS) break;
  }
  return lastInputMs() === inputMs;
}
