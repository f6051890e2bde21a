// What a part of a run tells to parts that are made after it. This is the one place where something is told against the
// order in which a run is built: everything else is given to whoever needs it when that is made.
//
//   told by           what                            heard by
//   the clock watch   something happened to a clock   whoever sends: what waits is tried at once
//   the sessions      a RHEED session changed         the growths: the sample it made may be known
//   the uploader      a stream is delivered           settling: it is read back, and its end is told
//
// Until somebody listens nothing is kept: what was so before the run began is read off the store by who needs it.
import type { RheedSession } from '../model/rheed-session.ts';
import type { ClockEvent } from '../platform/clock-watch.ts';

class Happening<T> {
  #listener: ((value: T) => void) | null = null;

  /** Hear of it from now on. */
  hear(listener: (value: T) => void): void {
    this.#listener = listener;
  }

  /** It happened. */
  readonly tell = (value: T): void => this.#listener?.(value);
}

export class RunEvents {
  readonly clock = new Happening<ClockEvent>();
  readonly session = new Happening<RheedSession>();
  /** Number of the stream. */
  readonly delivered = new Happening<number>();
}
