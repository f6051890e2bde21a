// The drill: the embedded service goes away for a while, as if the network were cut, and comes back. What was stored
// meanwhile is counted here; the drill is passed when the service has counted all of it back, stream by stream.
import type { Value } from '../../../contract/table.ts';
import { AgentError, toAgentError } from '../../../model/agent-error.ts';
import type { StreamTally } from '../../../model/queue.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Pipeline } from '../../pipeline/pipeline.ts';

export type DrillView = NonNullable<Value<'support', 'readDrill'>>;
type Way = Pick<Pipeline, 'link' | 'tally' | 'uploader'>;

/** How often the counts are looked at, milliseconds. */
const LOOK_MS = 500;
/** Tries to bring the service back at its port, and the wait between two, milliseconds. */
const RESTORE_TRIES = 20;
const RESTORE_WAIT_MS = 1000;

export class Drill {
  readonly #way: Way;
  readonly #clock: Clock;
  readonly #end = new AbortController();
  /** Points stored when the service came back, by stream. */
  #atEnd: ReadonlyMap<number, number> = new Map();
  #view: DrillView;

  private constructor(way: Way, clock: Clock, seconds: number, before: readonly StreamTally[]) {
    this.#way = way;
    this.#clock = clock;
    const startedMs = clock.nowMs();
    const { stored, acknowledged } = sum(before);
    this.#view = {
      state: 'cutting',
      startedMs,
      endsMs: startedMs + seconds * 1000,
      storedBefore: stored,
      acknowledgedBefore: acknowledged,
      storedAtEnd: null,
      acknowledgedAtEnd: null,
      stored,
      acknowledged,
      message: '',
      hint: '',
    };
  }

  /**
   * Begin a drill. Takes the run, how long the service is away, seconds, and who is told how it ended.
   *
   * @throws `drill.no-embedded`; then nothing is cut.
   */
  static async begin(way: Way, clock: Clock, seconds: number, onEnd: (view: DrillView) => void): Promise<Drill> {
    const { outage } = way.link;
    if (outage === null) {
      throw new AgentError({
        code: 'drill.no-embedded',
        message: 'The data goes to a service elsewhere; the drill cuts the one inside this program only.',
        hint: 'Try the drill in a trial, or pull the network cable for a minute and look at the page "Now".',
        retry: 'after-human',
      });
    }
    const drill = new Drill(way, clock, seconds, (await way.tally()).streams);
    void drill.#run(outage, seconds).then(() => onEnd(drill.view));
    return drill;
  }

  get view(): DrillView {
    return this.#view;
  }

  get isOver(): boolean {
    return this.#view.state === 'passed' || this.#view.state === 'failed';
  }

  /** Let the service come back now. */
  end(): void {
    this.#end.abort();
  }

  async #run(outage: NonNullable<Pipeline['link']['outage']>, seconds: number): Promise<void> {
    try {
      await outage.begin();
      // What the service took at the very last is confirmed here a moment later; it was not taken without the service.
      await this.#look();
      const before = sum((await this.#way.tally()).streams);
      this.#set({ state: 'cut', storedBefore: before.stored, acknowledgedBefore: before.acknowledged, ...before });
      const sinceMs = this.#clock.monotonicMs();
      while (!this.#end.signal.aborted && this.#clock.monotonicMs() - sinceMs < seconds * 1000) {
        await this.#clock.sleep(LOOK_MS, this.#end.signal);
        await this.#look();
      }
      const { streams } = await this.#way.tally();
      this.#atEnd = new Map(streams.map(({ id, pointsStored }) => [id, pointsStored]));
      const { stored, acknowledged } = sum(streams);
      this.#set({ state: 'restoring', storedAtEnd: stored, acknowledgedAtEnd: acknowledged, stored, acknowledged });
      await this.#restore(outage);
      this.#set({ state: 'delivering' });
      this.#way.uploader.release();
      while (!(await this.#look())) await this.#clock.sleep(LOOK_MS);
      this.#set({ state: 'passed' });
    } catch (thrown) {
      const { message, hint } = toAgentError(thrown);
      this.#set({ state: 'failed', message, hint });
    }
  }

  /** A port that another program took meanwhile is waited for: there the service must be found again. */
  async #restore(outage: NonNullable<Pipeline['link']['outage']>): Promise<void> {
    for (let left = RESTORE_TRIES; ; left--) {
      try {
        return await outage.end();
      } catch (thrown) {
        if (left <= 1) throw thrown;
        await this.#clock.sleep(RESTORE_WAIT_MS);
      }
    }
  }

  /** Count again. Returns true when all that was stored at the end of the cut is confirmed, or was refused. */
  async #look(): Promise<boolean> {
    const { streams } = await this.#way.tally();
    this.#set(sum(streams));
    const more = streams.find(({ pointsAcknowledged, pointsStored }) => pointsAcknowledged > pointsStored);
    if (more) {
      throw new AgentError({
        code: 'drill.doubled',
        message: `The service counts more points of ${more.name} than are stored here.`,
        hint: 'Make the file for support and report it.',
      });
    }
    return streams.every((stream) => isBack(stream, this.#atEnd.get(stream.id) ?? 0));
  }

  #set(change: Partial<DrillView>): void {
    this.#view = { ...this.#view, ...change };
  }
}

const isBack = ({ pointsAcknowledged, pointsRefused }: StreamTally, wanted: number) =>
  pointsAcknowledged + pointsRefused >= wanted;

function sum(streams: readonly StreamTally[]): { stored: number; acknowledged: number } {
  const add = (of: (stream: StreamTally) => number) => streams.reduce((total, stream) => total + of(stream), 0);
  return { stored: add((stream) => stream.pointsStored), acknowledged: add((stream) => stream.pointsAcknowledged) };
}
