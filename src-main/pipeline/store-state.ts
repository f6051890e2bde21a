// Whether data can be stored, as the recorder last said: told in the journal when it changes, shown on the screen until then.
import type { AgentError } from '../model/agent-error.ts';
import type { Journal } from './journal.ts';

export class StoreState {
  readonly #journal: Journal;
  readonly #onChange: () => void;
  #fault: AgentError | null = null;

  constructor(journal: Journal, onChange: () => void) {
    this.#journal = journal;
    this.#onChange = onChange;
  }

  /** Why nothing can be stored; null: it can. */
  get fault(): AgentError | null {
    return this.#fault;
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
}
