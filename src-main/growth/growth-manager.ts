// The growths of this agent: begun and ended by hand or by a file, changed late, taken up after a restart. What is chosen
// is kept with the recorder's commits, so that no reading of a growth is on disk before the growth itself; streams begin
// and end by the stamps of their readings, RHEED sessions are begun and ended here, whatever was cut off in between.
//
// What the entries carry may change until the first of them goes out: `take` is that moment, and from it on only a new
// part carries a change. A sample that is to be made goes out with one RHEED start; the streams of its growth wait for its id.

import { refuse } from '../model/agent-error.ts';
import { type Growth, type GrowthStream, lastPart, NOTES_SOURCE } from '../model/growth.ts';
import type { News } from '../model/news.ts';
import type { RheedSession } from '../model/rheed-session.ts';
import type { GrowthBook } from './growth-book.ts';
import type { GrowthEntries } from './growth-entries.ts';
import { SessionMatch, wishOf } from './match-sessions.ts';
import type { GrowthPosition, GrowthRecorder, GrowthSessions, GrowthStore, Told } from './ports.ts';
import {
  answerRestart,
  askAfterRestart,
  beginGrowth,
  type ChoiceGiven,
  changeFromNow,
  changeInPlace,
  choose,
  endGrowth,
  openQuestion,
  settleSample,
} from './rules.ts';

/** How often what could not be begun is tried again, milliseconds. */
const AGAIN_MS = 10_000;

export interface GrowthManagerOptions {
  readonly book: GrowthBook;
  readonly entries: Pick<GrowthEntries, 'waitOf'>;
  readonly store: Pick<GrowthStore, 'growthStreams'>;
  readonly recorder: GrowthRecorder;
  readonly sessions: GrowthSessions;
  /** The clock by which readings are stamped. */
  readonly clock: { nowMs(): number; sleep(durationMs: number, signal?: AbortSignal): Promise<void> };
  /** Ids of the sources of kind rheed, as the settings name them. */
  readonly rheedSources: () => readonly string[];
  readonly makeNonce: () => string;
  /** Whether a growth that runs at the start is asked about. */
  readonly isAsking: boolean;
  /** What streams are to carry changed, or became known. */
  readonly onEntries: () => void;
  readonly onChange: () => void;
  /** What is due once a growth has ended, kept with its end. */
  readonly dueAfter: (growth: Growth) => readonly GrowthPosition[];
  readonly tell: (news: News, about: string) => void;
}

/** How a growth is asked for. */
export interface StartRequest extends ChoiceGiven {
  readonly note?: string | undefined;
}

/** Who asks. */
export interface StartCause {
  readonly cause: string;
  readonly fileName?: string;
  readonly positions?: readonly GrowthPosition[];
}

export type ChangeBecomes = 'same-streams' | 'new-streams' | 'nothing';

export class GrowthManager {
  readonly #options: GrowthManagerOptions;
  readonly #match: SessionMatch;

  private constructor(options: GrowthManagerOptions) {
    this.#options = options;
    this.#match = new SessionMatch(options);
  }

  /**
   * Take up the growths; one that runs is asked about.
   *
   * @throws those of store and recorder.
   */
  static async open(options: GrowthManagerOptions): Promise<GrowthManager> {
    const desk = new GrowthManager(options);
    const running = desk.current;
    if (running && options.isAsking) {
      await desk.#put([askAfterRestart(running, options.clock.nowMs())]);
      desk.#tell('growth.asks', 'warning', running, 'runs on after the restart.', 'Continue it, or begin a new one.');
    }
    // What a session came to know just before the last run ended.
    for (const session of options.sessions.sessions) desk.onSession(session);
    await desk.#retellSessions();
    return desk;
  }

  /** The growth that runs; null: none. */
  get current(): Growth | null {
    return this.#options.book.current;
  }

  /** A growth as it is now, which the disk may not have yet; null: not among the newest. */
  find(id: string): Growth | null {
    return this.#options.book.growth(id);
  }

  /**
   * Begin a growth at this moment.
   *
   * @param request - what is chosen, and who asks.
   * @param startCause - one that a file begins ends the one that runs.
   * @returns the growth, on disk, its RHEED sessions begun. Readings stamped from now on belong to it.
   * @throws `growth.running`, those of `choose`; those of the recorder.
   */
  async start(request: StartRequest, { cause, fileName, positions = [] }: StartCause): Promise<Growth> {
    const running = this.current;
    if (running && fileName === undefined) {
      throw refuse('growth.running', `The growth ${titleOf(running)} is under way.`, 'End it first.');
    }
    const begun = this.#begin(request, cause, fileName ?? null);
    const ended = running ? [endGrowth(running, begun.startedMs, `${cause} began another`)] : [];
    await this.#put([...ended, begun], positions);
    this.#tell('growth.started', 'info', begun, `began: ${cause}.`);
    if (request.note) await this.note(request.note);
    await this.#match.look();
    return begun;
  }

  /**
   * End the growth that runs. Readings stamped from now on do not belong to it.
   *
   * @throws `growth.none`; those of the recorder.
   */
  async end(cause: string, positions: readonly GrowthPosition[] = []): Promise<Growth> {
    const ended = endGrowth(this.#running(), this.#options.clock.nowMs(), cause);
    await this.#put([ended], positions);
    this.#tell('growth.ended', 'info', ended, `ended: ${cause}.`);
    await this.#match.look();
    return ended;
  }

  /**
   * Choose name, sample or project late.
   *
   * @param growthId - which growth (null: the one that runs).
   * @param given - what is chosen.
   * @param mayOpenNew - whether streams may be ended for it.
   * @returns the growth, and whether what is open carries it or new streams and a new RHEED session do.
   * @throws `growth.none`, `growth.unknown`, `growth.needs-new-streams`, `growth.sent`, those of `choose`.
   */
  async change(
    growthId: string | null,
    given: ChoiceGiven,
    mayOpenNew: boolean,
  ): Promise<{ growth: Growth; carriedBy: 'same-streams' | 'new-streams' }> {
    const { id } = growthId === null ? this.#running() : { id: growthId };
    const { book, clock, makeNonce, onEntries } = this.#options;
    const known = book.growth(id);
    if (known) await this.belongings(known);
    // As it is now: it may have ended meanwhile.
    const growth = book.growth(id);
    if (!growth) throw refuse('growth.unknown', 'There is no such growth.', 'Look at the list again.');
    const rheedSources = this.#options.rheedSources();
    // What cannot be chosen at all is refused before anything is said of streams.
    choose(lastPart(growth), given, rheedSources);
    // From here to the end of the call of `put` no other turn comes between: nothing is sent meanwhile.
    const becomes = this.changeBecomes(growth);
    if (becomes === 'nothing') {
      throw refuse(
        'growth.sent',
        `The growth ${titleOf(growth)} has ended, and the service knows it: no call changes an entry.`,
        'Change it in the catalogue of the service.',
      );
    }
    if (becomes === 'new-streams' && !mayOpenNew) {
      throw refuse(
        'growth.needs-new-streams',
        `The streams of ${titleOf(growth)} are known to the service, or on their way to it: only new ones can carry the change.`,
        'Ask again with permission to end them and to begin new ones; by command: --new-streams.',
      );
    }
    if (becomes === 'new-streams') {
      const changed = changeFromNow(growth, given, rheedSources, { partId: makeNonce(), atMs: clock.nowMs() });
      await this.#put([changed]);
      this.#tell('growth.changed', 'info', changed, 'was changed: new streams carry it.');
      await this.#match.look();
      return { growth: book.growth(growth.id) ?? changed, carriedBy: 'new-streams' };
    }
    const changed = changeInPlace(growth, given, rheedSources);
    await book.whileChanging(lastPart(changed).id, async () => {
      await this.#put([changed]);
      await this.#retellSessions();
    });
    this.#tell('growth.changed', 'info', changed, 'was changed.');
    await this.#match.look();
    onEntries();
    return { growth: book.growth(growth.id) ?? changed, carriedBy: 'same-streams' };
  }

  /** What a change would do now. */
  changeBecomes(growth: Growth): ChangeBecomes {
    const { id } = lastPart(growth);
    const isSent =
      this.#options.book.isTaken(id) ||
      this.#sessionsOf(id).some(({ isStartSent, dataId }) => isStartSent || dataId !== null);
    if (!isSent) return 'same-streams';
    return growth.endedMs === null ? 'new-streams' : 'nothing';
  }

  /**
   * Answer what was asked after a restart. With `new` the growth ends at this moment and another begins.
   *
   * @throws `growth.none`, `growth.nothing-asked`, those of `start`.
   */
  async answer(answer: 'continue' | 'new', request: StartRequest = {}): Promise<Growth> {
    const nowMs = this.#options.clock.nowMs();
    const answered = answerRestart(this.#running(), answer, nowMs);
    if (answer === 'continue') {
      await this.#put([answered]);
      this.#tell('growth.continued', 'info', answered, 'goes on after the restart.');
      return answered;
    }
    const begun = this.#begin(request, 'by hand, after a restart', null);
    await this.#put([endGrowth(answered, begun.startedMs, 'another was begun after a restart'), begun]);
    this.#tell('growth.started', 'info', begun, 'began, after a restart.');
    if (request.note) await this.note(request.note);
    await this.#match.look();
    return begun;
  }

  /**
   * Keep a remark at this moment.
   *
   * @returns its time, once it is on disk.
   */
  async note(text: string): Promise<number> {
    const { clock, recorder } = this.#options;
    const timeMs = clock.nowMs();
    const place = this.current ? `growth ${titleOf(this.current)}` : 'no growth';
    await recorder.mark({ sourceId: NOTES_SOURCE, timeMs, text, place, line: null, byte: null });
    return timeMs;
  }

  /** Keep positions of files that begin or end nothing. */
  async keep(positions: readonly GrowthPosition[]): Promise<void> {
    if (positions.length > 0) await this.#options.recorder.putGrowths([], positions);
  }

  /** Try again from time to time what could not be begun or ended, until aborted. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#match.look();
      await this.#options.clock.sleep(AGAIN_MS, signal);
    }
  }

  /** A session has changed: the sample that it made may be known now. */
  onSession({ growth: partId, newSampleName, sampleId }: RheedSession): void {
    if (partId === null || newSampleName === null || sampleId === null) return;
    const growth = this.#options.book.growthOfPart(partId);
    if (!growth) return;
    const settled = settleSample(growth, newSampleName, sampleId);
    if (settled === growth) return;
    // Offered to the disk with the next commit; what is lost with a cut is read off the session again.
    this.#put([settled]).catch(() => {});
    this.#options.onEntries();
  }

  /** What streams of a growth wait for; empty: nothing. */
  waits(growth: Growth): Told[] {
    const told = growth.parts.flatMap((part) => {
      const wait = this.#options.entries.waitOf(part);
      return wait ? [{ message: wait.message, hint: wait.hint }] : [];
    });
    return told.filter(({ message }, at) => told.findIndex((other) => other.message === message) === at);
  }

  /** What could not be begun with the growth that runs. */
  problems(growth: Growth): Told[] {
    return growth.endedMs === null ? [...this.#options.book.problems.values()] : [];
  }

  /** Its streams and RHEED sessions. */
  async belongings(growth: Growth): Promise<{ streams: GrowthStream[]; sessions: RheedSession[] }> {
    const parts = growth.parts.map(({ id }) => id);
    const streams = await this.#options.store.growthStreams(parts);
    this.#options.book.noteSent(streams);
    return { streams, sessions: parts.flatMap((id) => this.#sessionsOf(id)) };
  }

  #begin({ note, ...given }: StartRequest, cause: string, fileName: string | null): Growth {
    const { makeNonce, clock } = this.#options;
    const ids = { id: makeNonce(), partId: makeNonce(), atMs: clock.nowMs() };
    return beginGrowth({ ...ids, cause, fileName }, given, this.#options.rheedSources());
  }

  #running(): Growth {
    const running = this.current;
    if (running) return running;
    throw refuse('growth.none', 'No growth is under way.', 'Start one first.');
  }

  #put(growths: readonly Growth[], positions: readonly GrowthPosition[] = []): Promise<void> {
    const { book, recorder, dueAfter } = this.#options;
    const ended = growths.filter(({ id, endedMs }) => endedMs !== null && book.growth(id)?.endedMs === null);
    const onDisk = recorder.putGrowths(growths, [...positions, ...ended.flatMap(dueAfter)]);
    for (const growth of growths) book.remember(growth);
    this.#options.onChange();
    return onDisk;
  }

  /** Sessions whose start has not gone out carry what their part says, also where a change was cut off in between. */
  async #retellSessions(): Promise<void> {
    for (const session of this.#options.sessions.sessions) {
      const part = session.growth === null ? null : this.#options.book.part(session.growth);
      if (!part || session.isStartSent || session.dataId !== null) continue;
      await this.#options.sessions.change(session.nonce, wishOf(part));
    }
  }

  #sessionsOf(partId: string): RheedSession[] {
    return this.#options.sessions.sessions.filter(({ growth }) => growth === partId);
  }

  #tell(code: string, level: News['level'], growth: Growth, what: string, hint = ''): void {
    const { tell, clock } = this.#options;
    // Each is an act of its own, never a repeat of another one.
    tell({ level, code, message: `Growth ${titleOf(growth)} ${what}`, hint }, `${growth.id} ${clock.nowMs()}`);
  }
}

/** The name of a growth for a sentence. */
export function titleOf(growth: Growth): string {
  const { name } = lastPart(growth);
  return name === '' ? `without a name (${growth.id})` : `"${name}"`;
}

/** When the agent was restarted and nobody has answered yet; null: nothing is asked. */
export function askedMs(growth: Growth): number | null {
  return openQuestion(growth)?.atMs ?? null;
}
