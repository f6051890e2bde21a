// When entries were last read. A note costs nothing; the times reach the disk together every few seconds, so that a
// screen that follows a stream does not write at every look. Losing the last seconds of it in a crash harms nobody.
import type { ServiceDatabase } from './database.ts';
import type { Write } from './writer.ts';

const FLUSH_MS = 2_000;

export interface Accesses {
  note(entryId: number): void;
  /** Write the times down. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** Start to note accesses. */
export function createAccesses(db: ServiceDatabase, write: Write, nowMs: () => number): Accesses {
  const update = db.prepare('UPDATE entry SET accessed_ms = ? WHERE id = ?');
  let noted = new Map<number, number>();
  const flush = async () => {
    if (noted.size === 0) return;
    const due = noted;
    noted = new Map();
    await write(() => {
      for (const [entryId, atMs] of due) update.run(atMs, entryId);
    });
  };
  // A fault of the disk shows where it matters: in the answers to those who store.
  const timer = setInterval(() => void flush().catch(() => undefined), FLUSH_MS);
  timer.unref();
  return {
    note: (entryId) => void noted.set(entryId, nowMs()),
    flush,
    close: async () => {
      clearInterval(timer);
      await flush();
    },
  };
}
