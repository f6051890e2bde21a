// What was sent from this folder before this queue knew of it: by an agent whose queue was lost, by another installation. A
// queue that is new cannot tell, so the service is asked before anything old is read. Files that stand there wait; what is
// new is read meanwhile.
import type { Clock } from '../../platform/clock.ts';
import type { LogNotes } from './log-notes.ts';
import type { FillOptions, RunOptions } from './run-options.ts';

/** Pieces of files, by path: that the service has, and that are left alone. */
export type FormerPieces = Pick<FillOptions, 'there' | 'left'>;

/** Who knows. Each call rejects while the service cannot be asked. */
export interface FormerData {
  /** True when the service holds anything of this source that this queue does not know. */
  isAny(): Promise<boolean>;
  /** Hold the old rows of the folder, as they are committed, against what the service holds. */
  find(): Promise<FormerPieces>;
}

/** At the very first look nothing of the folder is read for so long, milliseconds: a service that is there has answered. */
const PATIENCE_MS = 3000;
/** Time between two questions while the service cannot be asked, milliseconds. */
const ASK_AGAIN_MS = 10_000;

/** Asks on behalf of one run. */
export class FormerQuestion {
  readonly #former: FormerData | null;
  readonly #clock: Clock;
  readonly #isDrain: boolean;
  readonly #notes: Pick<LogNotes, 'formerWaits'>;
  readonly #signal: AbortSignal;
  #asked: Promise<void> | null = null;
  #pieces: FormerPieces | null = null;

  constructor({ former, clock, isDrain, fill }: RunOptions, notes: Pick<LogNotes, 'formerWaits'>, signal: AbortSignal) {
    // Who wants old data with pieces of his own has asked already.
    this.#former = fill === null ? former : null;
    this.#clock = clock;
    this.#isDrain = isDrain;
    this.#notes = notes;
    this.#signal = signal;
  }

  /**
   * Say what is wanted of old data at the very first look.
   *
   * **Gives**: the settings; with `backfill: from-now` where the service may hold old rows already: those wait to be asked
   * for as `complete` says.
   */
  async atFirst(options: RunOptions): Promise<RunOptions> {
    const isWanted = options.backfill === 'all' || typeof options.backfill === 'object';
    return !isWanted || (await this.#isNone()) ? options : { ...options, backfill: 'from-now' };
  }

  /** True when it is certain that the service holds nothing of this source that this queue does not know. */
  async #isNone(): Promise<boolean> {
    if (this.#former === null) return true;
    const patience = new AbortController();
    const answer = this.#former.isAny().then(
      (isAny) => !isAny,
      () => false,
    );
    const over = this.#clock.sleep(PATIENCE_MS, AbortSignal.any([patience.signal, this.#signal]));
    try {
      return await Promise.race([answer, over.then(() => false)]);
    } finally {
      patience.abort();
    }
  }

  /**
   * Say what of wanted old data need not be read, or must not.
   *
   * **Gives**: what is wanted, with those pieces; null while they are not known yet. A drain waits for the answer.
   * **Errors**: in a drain those of the service.
   */
  async complete(wanted: FillOptions): Promise<FillOptions | null> {
    if (this.#former === null) return wanted;
    if (this.#isDrain) this.#pieces ??= await this.#former.find();
    else if (this.#pieces === null) this.#asked ??= this.#askOn(this.#former);
    return this.#pieces && { ...wanted, ...this.#pieces };
  }

  async #askOn(former: FormerData): Promise<void> {
    while (!this.#signal.aborted) {
      try {
        this.#pieces = await former.find();
        return this.#notes.formerWaits(null);
      } catch (thrown) {
        if (this.#signal.aborted) return;
        this.#notes.formerWaits(thrown instanceof Error ? thrown.message : String(thrown));
      }
      await this.#clock.sleep(ASK_AGAIN_MS, this.#signal);
    }
  }
}
