// Requests with a key that is not good, as lines of the audit: counted, and never with anything of the key. The first refusal of a
// kind is written within seconds, those that follow together after a minute, then after two, and at last once an hour.
//
// Bounds: 100 kinds (which key, from which address); what comes on top of them counts as one more, from "other addresses". A
// service that is killed, or ends without its database, loses the counts of what it has not written yet.
import { addAudit } from './storage/audit.ts';
import type { Engine } from './storage/engine.ts';
import type { RefusedKey } from './storage/identity.ts';

const KINDS_MAX = 100;
const FLUSH_MS = 2_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

export interface RefusedKeys {
  /** Count a refusal. Takes the address that the key came from. */
  note(refused: RefusedKey, from: string): void;
  /** Write down what is due; with `isLast` all. */
  flush(isLast?: boolean): Promise<void>;
  close(): Promise<void>;
}

interface Kind extends RefusedKey {
  readonly from: string;
  count: number;
  /** When the next line may be written, how long it is to the one after that, and when the last refusal was. */
  dueMs: number;
  waitMs: number;
  lastMs: number;
}

/** Start to count. */
export function createRefusedKeys({ write }: Engine, nowMs: () => number): RefusedKeys {
  const kinds = new Map<string, Kind>();
  let writing: Promise<void> = Promise.resolve();
  const kindOf = (refused: RefusedKey, from: string): Kind => {
    const id = JSON.stringify([refused.why, refused.who, from]);
    const known = kinds.get(id);
    if (known) return known;
    if (kinds.size >= KINDS_MAX && from !== '') return kindOf({ why: 'unknown', who: 'several' }, '');
    const kind = { ...refused, from, count: 0, dueMs: 0, waitMs: MINUTE_MS, lastMs: 0 };
    kinds.set(id, kind);
    return kind;
  };
  const writeDue = async (isLast: boolean) => {
    const now = nowMs();
    for (const [id, { count, lastMs }] of kinds) if (count === 0 && now - lastMs > HOUR_MS) kinds.delete(id);
    const due = [...kinds.values()].filter(({ count, dueMs }) => count > 0 && (isLast || dueMs <= now));
    if (due.length === 0) return;
    const lines = due.map((kind) => ({ kind, count: kind.count }));
    await write(function* () {
      for (const { kind, count } of lines) {
        const { why, who, from } = kind;
        const actor = { who, from: from === '' ? 'other addresses' : from };
        const key = from === '' ? 'keys that are not good' : `${why} key`;
        yield* addAudit(actor, 'key refused', `${key}, ${count} ${count === 1 ? 'request' : 'requests'}`);
      }
    });
    for (const { kind, count } of lines) {
      kind.count -= count;
      kind.dueMs = now + kind.waitMs;
      kind.waitMs = Math.min(2 * kind.waitMs, HOUR_MS);
    }
  };
  // One after the other, so that none is written twice; one that failed leaves its counts to the next.
  const flush = (isLast = false) => {
    const next = writing.then(() => writeDue(isLast));
    writing = next.catch(() => undefined);
    return next;
  };
  // A fault of the database shows where it matters: in the answers to those who store.
  const timer = setInterval(() => void flush().catch(() => undefined), FLUSH_MS);
  timer.unref();
  return {
    note: (refused, from) => {
      const kind = kindOf(refused, from);
      kind.count += 1;
      kind.lastMs = nowMs();
    },
    flush,
    close: async () => {
      clearInterval(timer);
      // Without its database the service ends all the same.
      await flush(true).catch(() => undefined);
    },
  };
}
