// The agent as the ways to run it hold it: one of three phases (first run, running, stopped), the calls of the contract,
// and the feed of snapshots. It knows no Electron, no command line and no browser.

import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JournalEntry, Snapshot, SourceView } from '../contract/snapshot.ts';
import type { Argument, Caller, FeedName, FeedValue, Handlers } from '../contract/table.ts';
import type { FindProxy } from '../delivery/client/proxy.ts';
import { type AgentError, toAgentError } from '../model/agent-error.ts';
import { formatCounted } from '../model/format.ts';
import type { QueueTally } from '../model/queue.ts';
import { Turn } from '../model/turn.ts';
import { writeFileAtomic } from '../platform/atomic-file.ts';
import { BoundKey } from '../platform/bound-key.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import { type Log, openLog } from '../platform/log.ts';
import { type ApiKeyStore, parseGivenKey, parseKey } from '../platform/secrets.ts';
import { keepLastSettings, lastSettingsIn, readSettingsOrLast } from '../settings/last-good.ts';
import { readSettings } from '../settings/read-settings.ts';
import { type SettingsChange, saveSettings } from '../settings/save-settings.ts';
import type { Settings } from '../settings/settings.ts';
import { Alarms } from './alarm/alarms.ts';
import { answerQuestion } from './handlers/answer-question.ts';
import { RawDownloads } from './handlers/catalogue/raw-downloads.ts';
import { runningView } from './handlers/growth/growth-view.ts';
import type { HandlerParts } from './handlers/handler-parts.ts';
import { makeHandlers } from './handlers/handlers.ts';
import { Journal, type JournalEvent } from './pipeline/journal.ts';
import { Pipeline } from './pipeline/pipeline.ts';
import type { PipelineOptions } from './pipeline/pipeline-parts.ts';
import { type AwakePort, noAwake, noUpdates, type UpdatesPort } from './ports.ts';
import { connectRefused, connectSettings, trialRefused, trialSettings } from './ready-settings.ts';
import { SettingsAudit } from './settings-audit.ts';
import type { Facts } from './status/facts.ts';
import { SnapshotFeed } from './status/snapshot-feed.ts';

const UNKEPT_MAX = 100;

export interface AgentOptions extends Partial<Pick<PipelineOptions, 'startWork' | 'isDrain'>> {
  /** How the desktop finds its proxy; left out: by the environment alone. */
  readonly systemProxy?: FindProxy;
  /** Exists, belongs to this agent alone. */
  readonly dataFolder: string;
  readonly settingsFile: string;
  readonly version: string;
  readonly keys: ApiKeyStore;
  /** Password for the mail server of alarms; left out: none. */
  readonly mailPassword?: string | null;
  /** Updates of the program; left out: there are none. */
  readonly updates?: UpdatesPort;
  /** What keeps the PC awake; left out: nothing does. */
  readonly awake?: AwakePort;
  readonly clock?: Clock;
  /** Each event once, for the console; the log file has it in any case. */
  readonly onEvent?: (event: JournalEvent & { atMs: number }) => void;
}

export class Agent {
  readonly #options: AgentOptions;
  readonly #key: BoundKey;
  readonly #clock: Clock;
  readonly #journal: Journal;
  readonly #audit: SettingsAudit;
  readonly #log: Log;
  readonly #feed: SnapshotFeed;
  readonly #updates: UpdatesPort;
  readonly #awake: AwakePort;
  readonly #alarms: Alarms;
  #phase: Snapshot['phase'] = 'starting';
  #failure: AgentError | null = null;
  #unstored: AgentError | null = null;
  #lostBy: AgentError | null = null;
  readonly #lost = Promise.withResolvers<void>();
  #settings: Settings | null = null;
  #pipeline: Pipeline | null = null;
  #isTrial = false;
  #lastTally: QueueTally | null = null;
  /** Events from a time without a store, UNKEPT_MAX at most, oldest first; written once there is one. */
  #unkept: Omit<JournalEntry, 'id'>[] = [];
  /** Starting, stopping and changing over happen one after the other. */
  readonly #turn = new Turn();
  readonly handlers: Handlers;
  readonly #raw = new RawDownloads();
  /** A link to its screen in a browser; null: there is none. */
  mintLink: (() => string) | null = null;

  constructor(options: AgentOptions) {
    this.#options = options;
    this.#updates = options.updates ?? noUpdates;
    this.#awake = options.awake ?? noAwake;
    this.#key = new BoundKey(options.keys);
    this.#clock = options.clock ?? systemClock;
    this.#log = openLog(options.dataFolder);
    this.#hideKey();
    const { mailPassword: password = null, systemProxy } = options;
    if (password !== null) this.#log.hide(password);
    this.#journal = new Journal({
      nowMs: () => this.#clock.nowMs(),
      monotonicMs: () => this.#clock.monotonicMs(),
      keep: (event, about) => this.#keep(event, about),
      onEntry: (event) => {
        const { level, code, message, hint } = event;
        this.#log[level === 'info' ? 'info' : 'warning'](message, { code, hint, level });
        options.onEvent?.(event);
      },
    });
    this.#audit = new SettingsAudit(this.#journal);
    this.#alarms = new Alarms({
      ...{ clock: this.#clock, password, systemProxy },
      snapshot: () => this.#feed.last,
      tell: (event, about) => this.#journal.record(event, about),
      onChange: () => this.#feed.touch(),
    });
    this.#feed = new SnapshotFeed(this.#restingFacts(), {
      collect: () => this.#collect(),
      sleep: (durationMs) => this.#clock.sleep(durationMs),
      onFault: (thrown) => this.#note('error', toAgentError(thrown)),
    });
    this.handlers = this.#makeHandlers();
  }

  /** The running parts; null while nothing runs. For the ways to run it, not for the screen. */
  get pipeline(): Pipeline | null {
    return this.#pipeline;
  }

  get snapshot(): Snapshot {
    return this.#feed.last;
  }

  /** Listen to a feed of the contract; gives the function that ends it. */
  readonly subscribe = <F extends FeedName>(feed: F, listener: (value: FeedValue<F>) => void): (() => void) => {
    if (feed !== 'snapshot') throw new TypeError(`unknown feed ${String(feed)}`);
    return this.#feed.subscribe(listener as (snapshot: Snapshot) => void);
  };

  /** A raw file that the browser saves, by the path of its request; null: there is none. */
  readonly openFile = (path: string): Response | null => this.#raw.take(path);

  /** Answer another process of this user; as `answerQuestion`. */
  readonly answer = (question: unknown) => answerQuestion(this, question);

  /**
   * Start.
   *
   * @returns fulfilled when it runs, or when it waits on the first-run page because there is no settings file. Nothing happens
   *   when it runs already.
   * @throws what is wrong with settings, store or embedded service; the agent then stands in phase `failed`, says why in its
   *   snapshot, and can be started again.
   */
  start(): Promise<void> {
    return this.#turn.take(async () => {
      if (this.#pipeline) return;
      if (!existsSync(this.#options.settingsFile)) return this.#setPhase('first-run');
      const { settingsFile } = this.#options;
      const { settings, notice } = await this.#guard(() => readSettingsOrLast(settingsFile, this.#settingsCopy));
      this.#key.begin(settings.service.url);
      await this.#run(settings, false);
      if (notice) this.#note('warning', notice);
    });
  }

  /**
   * Stop. A disk that refuses is asked for some seconds; what it did not take stands in `unstored` then, else everything
   * captured is on disk.
   */
  stop(): Promise<void> {
    return this.#turn.take(async () => {
      await this.#halt();
      await this.#setPhase('stopped');
      await this.#log.flush();
    });
  }

  /** What the last run could not store before it stopped; null when everything that it captured is on disk. */
  get unstored(): AgentError | null {
    return this.#unstored;
  }

  /** Why the last run ended by itself: another file has taken the place of its queue; null: it did not. */
  get lostBy(): AgentError | null {
    return this.#lostBy;
  }

  get dataFolder(): string {
    return this.#options.dataFolder;
  }

  /** Fulfilled when a run has ended by itself. */
  get lost(): Promise<void> {
    return this.#lost.promise;
  }

  /** The network is back, the PC woke up, or the key changed: send what waits at once. */
  release(): void {
    this.#pipeline?.release();
  }

  /** Note an event of the program around the agent, such as its window; without one, something to be shown has changed. */
  readonly tell = (event?: JournalEvent): void => {
    if (event) this.#journal.record(event);
    this.#feed.touch();
  };

  /** Something was thrown that nobody caught: a bug, to be told and reported. */
  noteBug(thrown: unknown): void {
    const error = toAgentError(thrown);
    this.#log.error(error);
    this.#note('error', error);
  }

  /** The settings that the agent last ran with, for the day on which their file is torn. */
  get #settingsCopy(): string {
    return lastSettingsIn(this.#options.dataFolder);
  }

  /** Alarms leave this PC while a tool is recorded, not in the trial and not while old data is sent. */
  #followAlarms({ alarm, service: { proxy } }: Settings): void {
    this.#alarms.follow(this.#isTrial || this.#options.isDrain ? null : { alarm, proxy });
  }

  /** The key never stands in the log, whichever part might write it there. */
  #hideKey(): void {
    const key = this.#key.forHiding;
    if (key !== null) this.#log.hide(key);
  }

  async #keepKey(apiKey: string, caller?: Caller): Promise<void> {
    await this.#key.keep(parseKey(apiKey), this.#settings?.service.url ?? '');
    this.#hideKey();
    this.#tellKey();
    this.#audit.tell(['the key'], caller);
    this.release();
  }

  /** The person who typed the key learns whether it has to be typed again. */
  #tellKey(): void {
    const { warning } = this.#key;
    const hint = 'Unlock or set up the key store of this PC, then enter the key again.';
    if (warning !== '') this.#journal.record({ level: 'warning', code: 'key.not-kept', message: warning, hint });
  }

  async #guard<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (thrown) {
      this.#failure = toAgentError(thrown);
      this.#note('error', this.#failure);
      await this.#setPhase('failed');
      throw this.#failure;
    }
  }

  async #run(settings: Settings, isTrial: boolean, goesOn = false): Promise<void> {
    const folder = isTrial ? join(this.#options.dataFolder, 'trial') : this.#options.dataFolder;
    this.#settings = settings;
    this.#updates.follow(settings.updates);
    this.#isTrial = isTrial;
    this.#failure = null;
    this.#unstored = this.#lostBy = null;
    await this.#setPhase('starting');
    const { version, startWork, systemProxy, isDrain = false } = this.#options;
    this.#pipeline = await this.#guard(async () => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      return Pipeline.start({
        settings,
        queuePath: join(folder, 'queue.db'),
        serviceFolder: join(folder, 'service'),
        apiKey: () => this.#key.readFor(settings.service.url),
        formerKey: (address) => this.#key.readFormer(address),
        clock: this.#clock,
        journal: this.#journal,
        onChange: () => this.#feed.touch(),
        onLost: (error) => void this.#turn.take(() => this.#lose(error)),
        version,
        startWork,
        systemProxy,
        isDrain,
        goesOn,
      });
    });
    for (const event of this.#unkept.splice(0)) void this.#keep(event).catch(() => {}); // As in the journal itself.
    this.#tellKey();
    this.#awake.follow(settings.keepAwake);
    this.#followAlarms(settings);
    await this.#setPhase('running');
    this.#tellRun('agent.started', `Recording of ${settings.tool.name} started (Epistream ${this.#options.version}).`);
    await this.#feed.refresh();
    // A disk that refuses the copy keeps nothing from being recorded; the copy of the run before is still there.
    if (!isTrial) await keepLastSettings(this.#options.settingsFile, this.#settingsCopy).catch(() => {});
  }

  async #halt(next: Settings | null = null): Promise<void> {
    const pipeline = this.#pipeline;
    if (!pipeline) return;
    this.#alarms.follow(null);
    await this.#setPhase('stopping');
    this.#unstored = await pipeline.endCapture(next);
    if (this.#unstored) this.#note('error', this.#unstored);
    const told = `Recording stopped${this.#unstored ? '' : '; everything captured is stored'}.`;
    const onLast = (waiting: number | null) => this.#tellRun('agent.stopped', `${told}${notSent(waiting)}`);
    await pipeline.stop(onLast).catch((thrown: unknown) => {
      this.#unstored ??= toAgentError(thrown);
      this.#note('error', this.#unstored);
    });
    this.#pipeline = null;
    this.#awake.follow(false);
    this.#lastTally = null;
  }

  async #lose(error: AgentError): Promise<void> {
    if (!this.#pipeline) return;
    await this.#halt();
    this.#failure = this.#lostBy = error;
    await this.#setPhase('failed');
    this.#lost.resolve();
  }

  /** Each run begins and ends once, which repeats no other. Its begin is said when the snapshot shows it: who hears it asks. */
  #tellRun(code: string, message: string): void {
    this.#journal.record({ level: 'info', code, message, hint: '' }, `run ${this.#pipeline?.startedMs}`);
  }

  async #keep(event: Omit<JournalEntry, 'id'>, about = ''): Promise<void> {
    if (this.#pipeline) await this.#pipeline.store.addEvent(event, about);
    else this.#unkept = [...this.#unkept, event].slice(-UNKEPT_MAX);
  }

  async #setPhase(phase: Snapshot['phase']): Promise<void> {
    this.#phase = phase;
    await this.#feed.refresh();
  }

  #note(level: JournalEvent['level'], { code, message, hint }: AgentError): void {
    this.#journal.record({ level, code, message, hint });
  }

  /** Facts for the screen while nothing runs; the settings are those of the last run. */
  #restingFacts(): Facts {
    const settings = this.#settings;
    return {
      atMs: this.#clock.nowMs(),
      version: this.#options.version,
      phase: this.#phase,
      failure: this.#phase === 'failed' ? this.#failure : this.#unstored,
      isTrial: this.#isTrial,
      journal: this.#journal?.entries ?? [],
      updates: this.#updates.view,
      toolName: settings?.tool.name ?? null,
      timeZone: settings?.tool.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
      awake: { isWanted: settings?.keepAwake ?? true, problem: this.#awake.problem },
      service: null,
      sources: [],
      tally: null,
      uploads: new Map(),
      former: [],
      alarms: [],
      alarmFaults: this.#alarms.faults,
      store: null,
      growth: null,
      ready: null,
    };
  }

  async #collect(): Promise<Facts> {
    const pipeline = this.#pipeline;
    if (!pipeline) return this.#restingFacts();
    const facts = await runningFacts(pipeline, this.#restingFacts(), this.#lastTally);
    this.#lastTally = facts.tally;
    return facts;
  }

  #makeHandlers(): Handlers {
    return makeHandlers(this.#handlerParts, {
      startTrial: () => this.#turn.take(() => this.#startTrial()),
      connect: (argument, caller) => this.#turn.take(() => this.#connect(argument, caller)),
      keepKey: (apiKey, caller) => this.#keepKey(apiKey, caller),
      onChange: () => this.#feed.touch(),
      tell: (event, about) => this.#journal.record(event, about),
      testAlarm: () => this.#alarms.test(),
      raw: this.#raw,
    });
  }

  async #startTrial(): Promise<void> {
    if (this.#pipeline && !this.#isTrial) throw trialRefused();
    if (this.#pipeline) return;
    await this.#run(trialSettings(join(this.#options.dataFolder, 'trial', 'camera')), true);
  }

  get #handlerParts(): HandlerParts {
    const change: HandlerParts['change'] = (to, caller, apiKey = '') =>
      this.#turn.take(() => this.#change(to, apiKey, caller));
    const now = { isTrial: () => this.#isTrial, pipeline: () => this.#pipeline, snapshot: () => this.#feed.last };
    return { ...this.#options, key: this.#key, clock: this.#clock, ...now, change };
  }

  async #change(change: SettingsChange, given: string, caller?: Caller): Promise<void> {
    const apiKey = parseGivenKey(given);
    const { settingsFile: file } = this.#options;
    const goesOn = this.#pipeline !== null && !this.#isTrial;
    const take = async (settings: Settings) => {
      if (!(await this.#pipeline?.takeSettings(settings))) return false;
      this.#settings = settings;
      this.#updates.follow(settings.updates);
      this.#awake.follow(settings.keepAwake);
      this.#followAlarms(settings);
      await keepLastSettings(file, this.#settingsCopy).catch(() => {}); // As at the start of a run.
      return true;
    };
    const start = (settings: Settings) => {
      this.#hideKey();
      return this.#run(settings, false, goesOn);
    };
    const watched = this.#audit.watch(change, apiKey !== '', caller);
    const stop = (next: Settings) => this.#halt(next);
    await changeSettings({ file, key: this.#key, take, stop, start }, watched.change, apiKey);
    watched.tell();
  }

  async #connect(argument: Argument<'tool', 'connect'>, caller?: Caller): Promise<void> {
    if (this.#pipeline && !this.#isTrial) throw connectRefused();
    const apiKey = parseGivenKey(argument.apiKey);
    if (apiKey === '') this.#key.expectFor(argument.serviceUrl);
    const watched = this.#audit.watch(connectSettings(argument), apiKey !== '', caller);
    const settings = await saveSettings(this.#options.settingsFile, watched.change);
    if (apiKey !== '') await this.#key.keep(apiKey, settings.service.url);
    this.#hideKey();
    await this.#halt();
    await this.#run(settings, false);
    watched.tell();
  }
}

/** A sentence on the points that are not sent when a run ends; empty when there are none, or the count is unknown. */
function notSent(waitingPoints: number | null): string {
  if (waitingPoints === null || waitingPoints === 0) return '';
  return ` ${formatCounted(waitingPoints, 'point')} not sent. They are saved on this PC and will be sent after the next start.`;
}

interface ChangeOptions {
  readonly file: string;
  readonly key: BoundKey;
  /** Take them over without a stop; false: that is not possible. */
  readonly take: (settings: Settings) => Promise<boolean>;
  /** Stop the run for one by other settings, and start one. `start` rejects when it cannot begin. */
  readonly stop: (next: Settings) => Promise<void>;
  readonly start: (settings: Settings) => Promise<void>;
}

/**
 * Change the settings file and apply it. Takes the change, and a key that is stored once sending under the previous settings
 * has stopped (empty: none).
 *
 * @throws those of `saveSettings`, and `key.other-address` where the kept key would go to another address: nothing has changed
 *   then. Those of `start`: file and key are put back, and the run goes on as before.
 */
async function changeSettings(options: ChangeOptions, change: SettingsChange, apiKey: string): Promise<void> {
  const { file, key, take, stop, start } = options;
  const formerText = await readFile(file);
  const formerSettings = await readSettings(file);
  const settings = await saveSettings(file, (current) => {
    const wanted = change(current);
    const url = wanted.service?.url;
    if (apiKey === '' && url !== undefined && url !== current?.service?.url) key.expectFor(url);
    return wanted;
  });
  if (apiKey === '' && (await take(settings))) return;
  await stop(settings);
  let putKeyBack = async () => {};
  try {
    if (apiKey !== '') putKeyBack = await key.keep(apiKey, settings.service.url);
    await start(settings);
  } catch (thrown) {
    await writeFileAtomic(file, formerText);
    await putKeyBack();
    await start(formerSettings);
    throw thrown;
  }
}

/**
 * Collect the facts of a run. Takes the run, the facts that hold without one, and the last tally: when the store does not answer,
 * the screen shows its fault beside its last counts, and the agent can still be stopped.
 */
export async function runningFacts(pipeline: Pipeline, resting: Facts, lastTally: QueueTally | null): Promise<Facts> {
  // Read before the store counts, so that a source never shows more stored points than the store does.
  const stored = new Map(pipeline.panels.map((panel) => [panel, storedOf(panel.view)]));
  const [counted, asked] = pipeline.store.together(() => [pipeline.tally(), pipeline.former.facts()] as const);
  const [{ tally, fault }, room, former] = await Promise.all([
    counted.then(
      (tally) => ({ tally, fault: null }),
      (thrown: unknown) => ({ tally: lastTally, fault: toAgentError(thrown) }),
    ),
    pipeline.room(),
    // As with the tally: without an answer the last facts stay.
    asked.catch(() => pipeline.former.last),
  ]);
  const { link, uploader, startedMs, pause } = pipeline;
  return {
    ...resting,
    service: {
      address: link.address,
      isEmbedded: link.isEmbedded,
      startedMs,
      pausedSinceMs: pause.sinceMs,
      fault: uploader.lineFault,
      upSinceMs: uploader.upSinceMs,
    },
    sources: pipeline.panels.map((panel) => ({ ...panel.view, ...stored.get(panel) })),
    tally,
    uploads: pipeline.uploads(),
    former,
    alarms: pipeline.limits.alarms,
    store: { path: pipeline.queuePath, ...room, fault: pipeline.storeFault ?? fault, away: pipeline.storeAway },
    growth: runningView(pipeline.growth),
    ready: pipeline.readyFacts,
  };
}

function storedOf({ rowsRead, pointsRead }: SourceView): Pick<SourceView, 'rowsRead' | 'pointsRead'> {
  return { rowsRead, pointsRead };
}

/** Make an agent; nothing runs until `start`. */
export function createAgent(options: AgentOptions): Agent {
  return new Agent(options);
}
