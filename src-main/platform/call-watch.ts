// Whether a thread is inside a call to the file system, and since when, for the other threads of the process to see: a call on
// a dead share returns after minutes or never, and nothing can end it.
import type { CallNotes } from './files.ts';

/** A process cannot end in the usual way while a thread of it is in a call for longer, milliseconds. */
export const IN_CALL_MS = 1000;

/** What this thread looks at. */
const watches = new Set<CallWatch>();

export class CallWatch implements CallNotes {
  readonly memory: SharedArrayBuffer;
  /** When the present call began, by the monotonic clock that all threads share, nanoseconds; 0: there is none. */
  readonly #began: BigInt64Array;

  /** @param memory - of the same watch on the thread that looks on; left out: it is this one. */
  constructor(memory?: SharedArrayBuffer) {
    this.memory = memory ?? new SharedArrayBuffer(8);
    this.#began = new BigInt64Array(this.memory);
    if (memory === undefined) watches.add(this);
  }

  began(): void {
    Atomics.store(this.#began, 0, process.hrtime.bigint());
  }

  ended(): void {
    Atomics.store(this.#began, 0, 0n);
  }

  /** The thread that was watched has ended. */
  end(): void {
    watches.delete(this);
  }

  /** How long the present call has lasted, milliseconds; 0: there is none. */
  lastsMs(): number {
    const began = Atomics.load(this.#began, 0);
    return began === 0n ? 0 : Number(process.hrtime.bigint() - began) / 1e6;
  }
}

/**
 * End the process at once, where a thread is in a call that does not return: Node and Electron would wait for it as they end,
 * for as long as it takes. Call it last, when everything is on disk. Else it does nothing.
 */
export function endIfHeld(): void {
  if ([...watches].some((watch) => watch.lastsMs() >= IN_CALL_MS)) process.kill(process.pid, 'SIGKILL');
}
