// The RHEED sessions of this agent: begun by hand or by the counter, ended by hand or by silence, started at the service
// when it can be reached. Its beginning never waits for the network: the session is on disk, and a loop of its own does
// what is to be done there, one session after the other in the order in which they began.

import { isNotTaken, refuse, toAgentError } from '../../model/agent-error.ts';
import { formatDuration } from '../../model/format.ts';
import type { News } from '../../model/news.ts';
import { framesOf, type RheedSession } from '../../model/rheed-session.ts';
import { Wake } from '../../model/wake.ts';
import type { SessionClock, SessionService, SessionStore } from './ports.ts';
import {
  type CounterState,
  changeSession,
  checkRate,
  checkSample,
  isRateSettled,
  isSampleUnderWay,
  measuredRate,
  type SessionChoice,
  type SessionRule,
  withSetRate,
} from './session-rules.ts';
import { nextStep } from './session-work.ts';

/** How often a video is asked for that is not processed yet, and how long after the end at most, milliseconds. */
const ASK_AGAIN_MS = 60_000;
const ASK_FOR_MS = 7 * 86_400_000;

export interface DeskOptions {
  readonly store: SessionStore;
  readonly service: SessionService;
  readonly serviceAddress: string;
  readonly finalizePath: string | null;
  readonly clock: SessionClock;
  readonly rules: readonly SessionRule[];
  readonly makeNonce: () => string;
  /** Name of a session that began at a time: tool, source, local time, name of its growth (empty: none), nonce. */
  readonly nameOf: (sourceId: string, startedMs: number, nonce: string, title: string) => string;
  /** Wait after so many failures in a row, milliseconds. */
  readonly backoffMs: (failures: number) => number;
  /** Longest that a request can still reach the service after this side gave it up, milliseconds. */
  readonly holdOffMs: number;
  readonly tell: (news: News, about: string) => void;
  readonly onChange: () => void;
  /** A session as it now is on disk. */
  readonly onSession?: (session: RheedSession) => void;
  /** What a session carries is being changed: its start waits. Absent: none is. */
  readonly isHeld?: (session: RheedSession) => boolean;
}

interface Working {
  session: RheedSession;
  failures: number;
  /** Not before this, steady wall clock. */
  notBeforeMs: number;
  /** Until then a start may still be on its way, steady wall clock: nothing cuts that short. */
  heldOffUntilMs: number;
}

export class SessionManager {
  readonly #options: DeskOptions;
  readonly #counters = new Map<string, CounterState>();
  /** Begin of the counting that had its session, by source: one that was ended by hand is not begun again by the counter. */
  readonly #hadSession = new Map<string, number>();
  #all: Working[] = [];
  readonly #wait = new Wake();
  /** Somebody woke the work while it was under way: what it has passed already may be due. */
  #isWoken = false;

  private constructor(options: DeskOptions) {
    this.#options = options;
  }

  /**
   * Take up what is on disk.
   * @throws those of the store.
   */
  static async open(options: DeskOptions): Promise<SessionManager> {
    const desk = new SessionManager(options);
    const nowMs = options.clock.nowMs();
    for (const kept of await options.store.rheedSessions()) {
      const session = withSetRate(kept, options.rules);
      // A start may have gone out just before the last run ended, and still be on its way.
      const notBeforeMs = session.isStartSent && session.dataId === null ? nowMs + options.holdOffMs : nowMs;
      desk.#all.push({ session, failures: 0, notBeforeMs, heldOffUntilMs: notBeforeMs });
    }
    return desk;
  }

  /** All sessions that are not done and the newest of the others, oldest first. */
  get sessions(): readonly RheedSession[] {
    return this.#all.map(({ session }) => session);
  }

  /** The session of a source that has not ended; null: none. */
  openSession(sourceId: string): RheedSession | null {
    return this.#all.find(({ session }) => session.sourceId === sourceId && session.endedMs === null)?.session ?? null;
  }

  /**
   * Begin a session, online or not.
   * @param sourceId - the source.
   * @param choice - what was chosen.
   * @param startedMs - when it begins (left out: now).
   * @returns the session, on disk.
   * @throws `rheed.rate` (both numbers named), `rheed.sample-twice`, `rheed.session-open`, `rheed.no-source`; those of the
   *   store.
   */
  async start(sourceId: string, choice: SessionChoice = {}, startedMs?: number): Promise<RheedSession> {
    const { clock, makeNonce, nameOf } = this.#options;
    const rule = this.#ruleOf(sourceId);
    if (this.openSession(sourceId)) {
      throw refuse('rheed.session-open', `A RHEED session of ${sourceId} is under way.`, 'End it first.');
    }
    checkSample(choice);
    const counter = this.#counters.get(sourceId);
    // A counter that just began has a rate of some frames only; it is measured as the session goes on.
    const measured = rule.fps === null && counter && isRateSettled(counter) ? measuredRate(counter) : null;
    const fps = rule.fps ?? measured;
    if (fps !== null) checkRate(fps, rule.fps === null ? 'measured' : 'set');
    const nonce = makeNonce();
    const atMs = startedMs ?? clock.nowMs();
    const name = nameOf(sourceId, atMs, nonce, choice.title ?? '');
    // A counter that nobody has looked at yet may have counted long before: its first figures say where it stood.
    const framesAtStart = (startedMs === undefined ? counter?.counted : counter?.beganCounted) ?? null;
    const session = newSession({ nonce, sourceId, name, startedMs: atMs, fps, framesAtStart }, rule, choice);
    // In the list before it is on disk, so that a second start at the same moment is refused; sent only once it is there.
    const working = { session, failures: 0, notBeforeMs: Number.POSITIVE_INFINITY, heldOffUntilMs: 0 };
    this.#all.push(working);
    try {
      await this.#options.store.putRheedSession(session);
    } catch (thrown) {
      this.#all = this.#all.filter((one) => one !== working);
      throw thrown;
    }
    working.notBeforeMs = 0;
    if (counter?.beganMs != null) this.#hadSession.set(sourceId, counter.beganMs);
    this.#tell('info', 'rheed.session-began', `RHEED session "${session.name}" began.`, '', session);
    this.#wake();
    return session;
  }

  /**
   * Choose project or sample late: until the start is sent.
   * @throws `rheed.start-sent` afterwards, `rheed.sample-twice`, `rheed.no-session`; `rheed.of-growth` for a session that
   *   carries what its growth says.
   */
  async change(nonce: string, choice: SessionChoice): Promise<RheedSession> {
    const working = this.#find(nonce);
    const { session } = working;
    checkSample(choice);
    if (session.growth !== (choice.growth ?? null)) {
      throw refuse(
        'rheed.of-growth',
        `"${session.name}" belongs to a growth and carries what was chosen for that.`,
        'Change the growth.',
      );
    }
    if (session.isStartSent) {
      throw refuse(
        'rheed.start-sent',
        `The start of "${session.name}" was sent: the service changes no session.`,
        'End it and start a new one, which carries the change.',
      );
    }
    const { nonce: own, sourceId, startedMs } = session;
    const { title } = choice;
    const name = title === undefined ? session.name : this.#options.nameOf(sourceId, startedMs, own, title);
    const changed = changeSession(session, choice, name, this.#ruleOf(sourceId));
    if (changed === session) return session;
    const { projectId, sampleId, newSampleName } = changed;
    await this.#keep(working, { name, projectId, sampleId, newSampleName, problem: '', hint: '' });
    this.#again(working);
    return working.session;
  }

  /** End the session of a source; nothing happens when there is none. `atMs` left out: now. */
  async end(sourceId: string, cause: string, atMs?: number): Promise<RheedSession | null> {
    const working = this.#all.find(({ session }) => session.sourceId === sourceId && session.endedMs === null);
    if (!working) return null;
    const counter = this.#counters.get(sourceId);
    const endedMs = atMs ?? this.#options.clock.nowMs();
    const framesAtEnd = counter?.counted ?? null;
    const framesAtStart = working.session.framesAtStart ?? framesAtEnd;
    const hadFrames = (framesAtEnd ?? 0) > (framesAtStart ?? 0);
    const rate = working.session.fps ?? (counter && hadFrames ? measuredRate(counter) : null);
    await this.#keep(working, { endedMs, endCause: cause, framesAtStart, framesAtEnd, fps: rate });
    const frames = framesOf(working.session);
    const counted = frames === null ? 'its counter was not looked at yet' : `${frames} frames`;
    const message = `RHEED session "${working.session.name}" ended: ${cause}; ${counted}.`;
    this.#tell('info', 'rheed.session-ended', message, '', working.session);
    if (rate === null) await this.#holdForRate(working);
    this.#again(working);
    return working.session;
  }

  /** How a counter stands, told about once a second: it may begin a session, end one, or tell its rate. */
  async onCounter(sourceId: string, counter: CounterState): Promise<void> {
    this.#counters.set(sourceId, counter);
    await this.#fillCounts(sourceId, counter.counted);
    const rule = this.#options.rules.find((one) => one.sourceId === sourceId);
    if (!rule) return;
    const open = this.openSession(sourceId);
    if (!open) {
      const { beganMs, isStill } = counter;
      if (rule.start !== 'by-counter' || isStill || beganMs === null || this.#hadSession.get(sourceId) === beganMs)
        return;
      // It is in the list before anything is waited for, so that the next figures begin no second one.
      await this.start(sourceId, {}, beganMs);
      return;
    }
    const silentMs = counter.lastFrameMs === null ? 0 : counter.atMs - counter.lastFrameMs;
    // By the count and not by times: a clock that was set between two runs of the agent says nothing of frames.
    const hadFrames = counter.counted > (open.framesAtStart ?? counter.counted);
    // A pause in a growth is no end of it.
    if (hadFrames && open.growth === null && rule.endAfterSilenceMs !== null && silentMs >= rule.endAfterSilenceMs) {
      await this.end(sourceId, `no frame for ${formatDuration(silentMs)}`, counter.lastFrameMs ?? counter.atMs);
    } else if (open.fps === null && isRateSettled(counter)) {
      const fps = measuredRate(counter);
      if (fps === null) return;
      const working = this.#find(open.nonce);
      await this.#keep(working, { fps });
      this.#again(working);
    }
  }

  /** What a counter has counted, told after each look at it: a session that a person begins or ends goes by that. */
  onCount(sourceId: string, counted: number): void {
    const counter = this.#counters.get(sourceId);
    if (counter !== undefined) this.#counters.set(sourceId, { ...counter, counted });
  }

  /**
   * Try a session again that waits for a person: what kept it was put right elsewhere.
   * @throws `rheed.no-session`; those of the store.
   */
  async retry(nonce: string): Promise<RheedSession> {
    const working = this.#find(nonce);
    await this.#keep(working, { problem: '', hint: '' });
    this.#again(working);
    return working.session;
  }

  /** Try at once: the key changed, or the network is back. */
  release(): void {
    for (const working of this.#all) if (!working.session.isDone) this.#again(working);
  }

  /** Work until aborted. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#isWoken = false;
      const dueMs = await this.#workOnce(signal);
      if (signal.aborted) return;
      if (this.#isWoken) continue;
      const waitMs = Math.max(0, Math.min(dueMs - this.#options.clock.nowMs(), ASK_AGAIN_MS));
      if (waitMs > 0) await this.#wait.wait(this.#options.clock, waitMs, signal);
    }
  }

  #wake(): void {
    this.#isWoken = true;
    this.#wait.now();
  }

  /** Do what is due for each session. Returns when the next is. */
  async #workOnce(signal: AbortSignal): Promise<number> {
    let dueMs = Number.POSITIVE_INFINITY;
    for (const working of [...this.#all]) {
      if (signal.aborted) break;
      if (!working.session.isDone && working.session.problem === '') await this.#work(working, signal);
      if (!working.session.isDone && working.session.problem === '') dueMs = Math.min(dueMs, working.notBeforeMs);
    }
    return dueMs;
  }

  async #work(working: Working, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    if (clock.nowMs() < working.notBeforeMs) return;
    if (isSampleUnderWay(working.session, this.sessions)) {
      working.notBeforeMs = clock.nowMs() + ASK_AGAIN_MS;
      return;
    }
    const { service, serviceAddress, finalizePath } = this.#options;
    const keep = (change: Partial<RheedSession>) => this.#keep(working, change);
    const tell = (news: News) => this.#options.tell(news, `rheed ${working.session.nonce}`);
    const current = () => working.session;
    const isHeld = () => this.#options.isHeld?.(working.session) ?? false;
    const ownSample = (name: string) => this.#sampleNamed(name);
    const parts = { service, serviceAddress, finalizePath, clock, keep, current, ownSample, isHeld, tell };
    try {
      let result = await nextStep(working.session, parts, signal);
      while (result === 'step' && !signal.aborted) result = await nextStep(working.session, parts, signal);
      working.failures = 0;
      const { endedMs } = working.session;
      // A service that never processes the video is asked for a week, not for ever.
      const isOver = endedMs !== null && working.session.settings !== null && clock.nowMs() - endedMs > ASK_FOR_MS;
      if (result === 'later' && isOver) await keep({ isDone: true });
      working.notBeforeMs = clock.nowMs() + ASK_AGAIN_MS;
    } catch (thrown) {
      if (!signal.aborted) await this.#failed(working, thrown);
    }
  }

  async #failed(working: Working, thrown: unknown): Promise<void> {
    const { clock, holdOffMs, backoffMs } = this.#options;
    const error = toAgentError(thrown);
    const { failure } = thrown as { failure?: { kind: string; reason?: string; afterMs?: number | null } };
    working.failures += 1;
    const waitMs = failure?.afterMs ?? backoffMs(working.failures);
    // What is still on its way must have arrived before it is looked for.
    const leastMs = failure && !isNotTaken(failure) ? holdOffMs : 0;
    const nowMs = clock.nowMs();
    working.notBeforeMs = nowMs + Math.max(waitMs, leastMs);
    if (!failure || leastMs > 0) working.heldOffUntilMs = nowMs + holdOffMs;
    const isForPerson = failure
      ? failure.kind === 'refused' || failure.reason === 'target'
      : error.retry === 'after-human';
    const { code, message, hint } = error;
    if (isForPerson) {
      await this.#keep(working, { problem: message, hint }).catch(() => {}); // Told below in any case.
    }
    this.#tell('warning', code, `RHEED session "${working.session.name}": ${message}`, hint, working.session);
  }

  async #holdForRate(working: Working): Promise<void> {
    const problem = 'its frame rate was never measured, and the settings give none';
    const hint = 'Set fps_capture_rate; the next session is started with it.';
    await this.#keep(working, { problem, hint });
    this.#tell(
      'warning',
      'rheed.no-rate',
      `RHEED session "${working.session.name}": ${problem}.`,
      hint,
      working.session,
    );
  }

  async #keep(working: Working, change: Partial<RheedSession>): Promise<RheedSession> {
    // At once, so that two changes of the same session never undo each other; the store takes them in this order.
    working.session = { ...working.session, ...change };
    await this.#options.store.putRheedSession(working.session);
    this.#options.onChange();
    this.#options.onSession?.(working.session);
    if (change.sampleId != null || change.problem) this.#wakeOthers(working);
    return working.session;
  }

  /** What a session counted is known once its counter was looked at. */
  async #fillCounts(sourceId: string, counted: number): Promise<void> {
    for (const working of this.#all) {
      const { sourceId: of, isDone, endedMs, framesAtStart, framesAtEnd } = working.session;
      if (of !== sourceId || isDone) continue;
      if (framesAtStart === null) await this.#keep(working, { framesAtStart: counted });
      if (endedMs !== null && framesAtEnd === null) await this.#keep(working, { framesAtEnd: counted });
    }
  }

  /** A sample that a session of this agent created is linked by its id, also while a search does not find it yet. */
  #sampleNamed(name: string): string | null {
    const { serviceAddress } = this.#options;
    const isIt = ({ session }: Working) =>
      session.newSampleName === name && session.sampleId !== null && session.service === serviceAddress;
    return this.#all.find(isIt)?.session.sampleId ?? null;
  }

  /** What waits for the sample of this session looks again. */
  #wakeOthers({ session: { nonce, newSampleName } }: Working): void {
    for (const other of this.#all) {
      if (other.session.nonce === nonce || other.session.newSampleName !== newSampleName) continue;
      if (!other.session.isDone && other.session.dataId === null) this.#again(other);
    }
  }

  #again(working: Working): void {
    // A hold-off stands: it is about what is still on its way. The rest of a wait does not.
    const isHeldOff = working.session.isStartSent && working.session.dataId === null;
    working.notBeforeMs = Math.min(working.notBeforeMs, isHeldOff ? working.heldOffUntilMs : 0);
    this.#wake();
  }

  #find(nonce: string): Working {
    const working = this.#all.find(({ session }) => session.nonce === nonce);
    if (!working) throw refuse('rheed.no-session', 'There is no such RHEED session.', 'Look at the list again.');
    return working;
  }

  #ruleOf(sourceId: string): SessionRule {
    const rule = this.#options.rules.find((one) => one.sourceId === sourceId);
    if (rule) return rule;
    throw refuse('rheed.no-source', `${sourceId} is no frame counter.`, 'Name a source of kind rheed.');
  }

  #tell(level: News['level'], code: string, message: string, hint: string, { nonce }: RheedSession): void {
    this.#options.tell({ level, code, message, hint }, `rheed ${nonce}`);
  }
}

/**
 * Make a session that begins, as it is put on disk before anything of it is sent.
 *
 * @param facts - what is known of it at its beginning.
 * @param rule - the settings of its source.
 * @param choice - what was chosen for it.
 */
function newSession(
  facts: Pick<RheedSession, 'nonce' | 'sourceId' | 'name' | 'startedMs' | 'fps' | 'framesAtStart'>,
  rule: Pick<SessionRule, 'fps' | 'rpm' | 'projectId'>,
  choice: SessionChoice,
): RheedSession {
  return {
    ...facts,
    growth: choice.growth ?? null,
    endedMs: null,
    endCause: '',
    isFpsMeasured: rule.fps === null,
    rpm: rule.rpm,
    projectId: choice.projectId ?? rule.projectId,
    sampleId: choice.sampleId ?? null,
    newSampleName: choice.newSampleName ?? null,
    framesAtEnd: null,
    isStartSent: false,
    dataId: null,
    service: null,
    settings: null,
    differences: [],
    metadata: null,
    finalize: 'none',
    problem: '',
    hint: '',
    isDone: false,
  };
}
