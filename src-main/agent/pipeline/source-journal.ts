// What a source tells goes into the journal under its name: a line that is read without the screen (on the terminal, in the
// log file, in a shift note) stands by itself, and no source knows its own name. While it gives no data each kind of event is
// told once: a line that is opened again every minute says nothing new.
import type { SourceView } from '../../contract/snapshot.ts';
import { formatDuration } from '../../model/format.ts';
import { SILENT_HINT } from '../status/words.ts';
import type { Journal, JournalEvent } from './journal.ts';

export const recordOfSource = (journal: Pick<Journal, 'record'>, sourceId: string, event: JournalEvent): void =>
  journal.record({ ...event, message: `Source ${sourceId}: ${event.message}` }, sourceId);

export class SourceJournal {
  readonly #journal: Pick<Journal, 'record'>;
  readonly #sourceId: string;
  /** When data came last before they were missed; null: they come. */
  #missedSinceMs: number | null = null;
  /** Codes of what was told since the source was lost; null: it is not. */
  #said: Set<string> | null = null;

  constructor(journal: Pick<Journal, 'record'>, sourceId: string) {
    this.#journal = journal;
    this.#sourceId = sourceId;
  }

  /** Record what the source tells, in its own words, which do not name it. */
  record(event: JournalEvent): void {
    if (this.#said?.has(event.code)) return;
    this.#said?.add(event.code);
    recordOfSource(this.#journal, this.#sourceId, event);
  }

  /** Tell that data are missing, and that they come again. Takes the source as it is now. */
  look({ health, kind, lastCaptureMs }: Pick<SourceView, 'health' | 'kind' | 'lastCaptureMs'>): void {
    if (health === 'gone') this.#said ??= new Set();
    const isMissed = kind !== 'rheed' && (health === 'silent' || health === 'gone');
    if (isMissed && lastCaptureMs !== null && this.#missedSinceMs === null) {
      this.#missedSinceMs = lastCaptureMs;
      this.record({ level: 'warning', code: 'source.silent', message: 'Data stopped.', hint: SILENT_HINT });
    }
    if (health !== 'giving') return;
    this.#said = null;
    if (this.#missedSinceMs === null || lastCaptureMs === null) return;
    const missedMs = lastCaptureMs - this.#missedSinceMs;
    this.#missedSinceMs = null;
    const message = `Data resumed after ${formatDuration(missedMs)}.`;
    this.record({ level: 'info', code: 'source.giving', message, hint: '' });
  }
}
