// Whether data can be stored, as the recorder last said, and whether the queue is where it was opened, as the store last
// said: told in the journal when it changes, shown on the screen until then.
import type { AgentError } from '../../model/agent-error.ts';
import type { StoreLook } from '../../queue/store/database/place-error.ts';
import type { Journal } from './journal.ts';

export class StoreState {
  readonly #journal: Journal;
  readonly #onChange: () => void;
  #fault: AgentError | null = null;
  #away: StoreLook['away'] = null;

  constructor(journal: Journal, onChange: () => void) {
    this.#journal = journal;
    this.#onChange = onChange;
  }

  /** Why nothing can be stored; null: it can. */
  get fault(): AgentError | null {
    return this.#fault;
  }

  /** Why nothing may be sent: the queue is not where it was opened; null: it is. */
  get away(): StoreLook['away'] {
    return this.#away;
  }

  /** Take what the recorder says; null: data can be stored (again). */
  readonly take = (error: AgentError | null): void => {
    this.#fault = error;
    if (error) {
      const { code, message, hint } = error;
      this.#journal.record({ level: 'error', code, message, hint });
    } else this.#journal.record({ level: 'info', code: 'store.well', message: 'Data can be stored again.', hint: '' });
    this.#onChange();
  };

  /** Take what the store found when it looked for its file. */
  takeLook({ away, notices }: StoreLook): void {
    for (const notice of notices) this.#journal.record({ level: 'warning', ...notice });
    if (away?.code === this.#away?.code) return;
    this.#away = away;
    const back = { code: 'store.back', message: 'The queue is where it was opened again: sending goes on.', hint: '' };
    this.#journal.record(away ? { level: 'error', ...away } : { level: 'info', ...back });
    this.#onChange();
  }
}
