// What a source tells goes into the journal under its name: a line that is read without the screen (on the terminal, in the
// log file, in a shift note) stands by itself, and no source knows its own name.
import type { Journal, JournalEvent } from './journal.ts';

/**
 * Record what a source tells, with its name before it. Takes the journal, the id of the source, and the event in the
 * source's own words, which do not name it.
 */
export function recordOfSource(journal: Pick<Journal, 'record'>, sourceId: string, event: JournalEvent): void {
  journal.record({ ...event, message: `Source ${sourceId}: ${event.message}` }, sourceId);
}
