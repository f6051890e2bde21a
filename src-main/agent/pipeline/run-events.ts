// What a part of a run tells to parts that are made after it. This is the one place where something is told against the
// order in which a run is built: everything else is given to the part that needs it when that is made.
//
//   told by           what                            heard by
//   the clock watch   something happened to a clock   what sends: what waits is tried at once
//   the sessions      a RHEED session changed         the growths: the sample it made may be known
//   the uploader      a stream is delivered           settling: it is read back, and its end is told
//   the uploader      a stream cannot be sent on      the recorder: ends it, and gives ids for one in its place
//
// Until somebody listens nothing is kept: what was so before the run began is read off the store by who needs it.
import type { NewIds } from '../../model/resend.ts';
import type { RheedSession } from '../../model/rheed-session.ts';
import type { ClockEvent } from '../../platform/clock-watch.ts';

class Happening<T> {
  #listener: ((value: T) => void) | null = null;

  /** Hear of it from now on. */
  hear(listener: (value: T) => void): void {
    this.#listener = listener;
  }

  /** It happened. */
  readonly tell = (value: T): void => this.#listener?.(value);
}

/** A stream is to end; `rest`: for so many channels another one takes what waits of it; null: nothing does. */
export interface StreamCut {
  readonly streamId: number;
  readonly rest: { readonly channels: number } | null;
  /** Called when it has ended, with ids where they were asked for. */
  readonly done: (ids: NewIds | null) => void;
}

export class RunEvents {
  readonly clock = new Happening<ClockEvent>();
  readonly session = new Happening<RheedSession>();
  /** Number of the stream. */
  readonly delivered = new Happening<number>();
  readonly cut = new Happening<StreamCut>();
}
