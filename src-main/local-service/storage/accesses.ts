// When entries were last read, and keys last used. A note costs nothing; the times reach the disk together every few seconds, so that a
// screen that follows a stream does not write at every look. Losing the last seconds of it in a crash harms nobody.
import type { Engine } from './engine.ts';
import { run } from './script.ts';

const FLUSH_MS = 2_000;
/** The last use of a key is written so often, milliseconds. */
const KEY_MS = 60_000;

export interface Accesses {
  note(entryId: number): void;
  noteKey(keyId: number): void;
  /** Write the times down. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** Pairs in the order of their numbers: two services that write the same ones do not wait for each other in a circle. */
const inOrder = (noted: Iterable<[number, number]>) => [...noted].sort(([one], [other]) => one - other);

/** Start to note accesses. */
export function createAccesses(engine: Engine, nowMs: () => number): Accesses {
  let noted = new Map<number, number>();
  const keysNoted = new Map<number, number>();
  /** When a key's use was written last: it is known to the minute, and a quiet service writes nothing more often. */
  const keysWritten = new Map<number, number>();
  const flush = async () => {
    const keys = inOrder(keysNoted).filter(([keyId, atMs]) => atMs - (keysWritten.get(keyId) ?? 0) >= KEY_MS);
    if (noted.size === 0 && keys.length === 0) return;
    const due = inOrder(noted);
    noted = new Map();
    for (const [keyId, atMs] of keys) keysWritten.set(keyId, atMs);
    await engine.write(function* () {
      for (const [entryId, atMs] of due) yield* run('UPDATE entry SET accessed_ms = ? WHERE id = ?', atMs, entryId);
      for (const [keyId, atMs] of keys) yield* run('UPDATE api_key SET used_ms = ? WHERE id = ?', atMs, keyId);
    });
  };
  // A fault of the disk shows where it matters: in the answers to those who store.
  const timer = setInterval(() => void flush().catch(() => undefined), FLUSH_MS);
  timer.unref();
  return {
    note: (entryId) => void noted.set(entryId, nowMs()),
    noteKey: (keyId) => void keysNoted.set(keyId, nowMs()),
    flush,
    close: async () => {
      clearInterval(timer);
      await flush();
    },
  };
}
