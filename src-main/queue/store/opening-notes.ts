// What an opening of the queue finds out about the run before, written into the queue itself.
import type { Database } from 'better-sqlite3';
import { formatSecond } from '../../model/format.ts';
import { endStreams } from './chunks/end-streams.ts';
import { noteDoubt } from './chunks/held-elsewhere.ts';
import type { LedgerEntry } from './database/ledger.ts';
import { addEvent, beganMs, noteLostCommits } from './repair/salvage.ts';

/** Note that the former run was not ended in order. Takes what the ledger said, and the wall time. */
export function noteCutOff(database: Database, { atMs }: LedgerEntry, nowMs: number): void {
  const [last, now] = [formatSecond(atMs), formatSecond(nowMs)];
  addEvent(database, {
    atMs: nowMs,
    level: 'warning',
    code: 'queue.cut-off',
    message: `Stopped unexpectedly: data was last stored at ${last}; the queue was opened again at ${now}.`,
    hint: 'What was stored is complete. Log files are read from where they stood; what an instrument said meanwhile is not here.',
  });
}

/**
 * Note commits that the ledger knows and the file lacks, and end the streams.
 *
 * @param database - as `noteCutOff`.
 */
export function noteLoss(database: Database, entry: LedgerEntry, nowMs: number): void {
  const { sequence, atMs } = entry;
  const last = database.prepare("SELECT value FROM meta WHERE key = 'last_sequence'").pluck();
  const commits = sequence - (last.get() as number);
  const why = 'the queue file or its -wal file was removed, exchanged, or replaced by an older copy';
  database.transaction(() => {
    noteLostCommits(database, beganMs(database.name, entry, nowMs), atMs, why);
    noteDoubt(database);
    endStreams(database, nowMs);
    database.prepare("UPDATE meta SET value = ? WHERE key = 'last_sequence'").run(sequence);
    const message = `The queue lacks its last ${commits} commits, stored until ${formatSecond(atMs)}: ${why}.`;
    addEvent(database, {
      atMs: nowMs,
      level: 'error',
      code: 'store.rolled-back',
      message,
      hint: 'The gaps are listed. Log files are read again.',
    });
  })();
}
