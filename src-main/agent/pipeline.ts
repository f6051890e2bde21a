// One run of the whole way: sources, recorder, store, uploader, service. It starts from the ground up (store, service,
// uploader, recorder, sources) and stops from the top down, so that whatever is captured has somewhere to go.
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { GrowthDesk } from '../growth/growth-desk.ts';
import { type AgentError, toAgentError } from '../model/agent-error.ts';
import type { QueueTally } from '../model/queue.ts';
import type { Resent } from '../model/resend.ts';
import type { RheedSession } from '../model/rheed-session.ts';
import { type ClockEvent, ClockWatch, tellClockEvent } from '../platform/clock-watch.ts';
import { Recorder } from '../recorder/recorder.ts';
import type { SessionDesk } from '../rheed-session/session-desk.ts';
import type { Settings, SourceSettings } from '../settings/settings.ts';
import type { LineHub } from '../sources/serial/line-hub.ts';
import type { Room } from '../status/fill.ts';
import type { ReadyFacts } from '../status/ready.ts';
import { hoursToFull } from '../store/forecast.ts';
import { openStore, type Store } from '../store/store.ts';
import { Uploader } from '../upload/uploader.ts';
import { gateByAccount } from './account-gate.ts';
import { apart } from './apart.ts';
import { gateByClock } from './clock-gate.ts';
import { Confirmer } from './confirmer.ts';
import { growthEntries, openGrowths, watchRunFiles } from './growth-parts.ts';
import { recordLine } from './line-events.ts';
import { makeNonce } from './nonce.ts';
import { gateByPause, Pause } from './pause-gate.ts';
import type { PipelineOptions, PipelineParts } from './pipeline-parts.ts';
import type { ResendParts } from './resend.ts';
import { openRheedDesk } from './rheed-desk.ts';
import { RoomWatch } from './room-watch.ts';
import { openServiceLink, type ServiceLink } from './service-link.ts';
import type { SourcePanel } from './source-panel.ts';
import { SourceRuns } from './source-runs.ts';
import { noteUnstored } from './unstored.ts';

/** Streams of former runs that are read back after a start, at most. */
const UNCONFIRMED_MAX = 100;
/** Streams that a tally lists at most. */
const STREAMS_LISTED = 200;
/** How often the recorder is asked what time has brought, milliseconds. */
const TICK_MS = 1000;
/** How often acknowledged chunks past their time are deleted, milliseconds. */
const SWEEP_MS = 60_000;
/** How often the room on the disk is measured, milliseconds; the rate needs a first measurement at start. */
const ROOM_MS = 60_000;
/** At the end a disk that refuses is asked for this long, milliseconds. */
const STOP_TRY_MS = 5000;
/** Longest that a request can still reach the service after this side gave it up, milliseconds. */
const HOLD_OFF_MS = 15_000;

export class Pipeline {
  readonly #options: PipelineOptions;
  readonly #stop = new AbortController();
  readonly #sources: SourceRuns;
  readonly #roomWatch = new RoomWatch();
  #bytesPerHour: number | null = null;
  #loops: Promise<void>[] = [];
  #storeFault: AgentError | null = null;
  #settings: Settings;
  readonly startedMs: number;
  readonly store: Store;
  readonly link: ServiceLink;
  readonly recorder: Recorder;
  readonly uploader: Uploader;
  readonly rheed: SessionDesk;
  readonly growth: GrowthDesk;
  readonly pause: Pause;
  readonly #watch: ClockWatch;
  readonly #confirmer: Confirmer;

  private constructor(options: PipelineOptions, parts: PipelineParts) {
    const { store, link, recorder, rheed, watch } = parts;
    this.#options = options;
    this.#settings = options.settings;
    this.#watch = watch;
    this.startedMs = options.clock.nowMs();
    this.store = store;
    this.link = link;
    this.recorder = recorder;
    this.uploader = parts.uploader;
    this.rheed = rheed;
    this.growth = parts.growth;
    this.pause = parts.pause;
    const reading = { store, service: link.client, clock: watch.steady };
    this.#confirmer = new Confirmer(reading, options.journal, this.#stop.signal);
    const { signal } = this.#stop;
    this.#sources = new SourceRuns({ ...options, store, recorder, rheed, steady: watch.steady, signal });
  }

  /**
   * Start everything.
   *
   * **Errors**: those of the store and of the embedded service; whatever was started is stopped again then.
   */
  static async start(options: PipelineOptions): Promise<Pipeline> {
    const { settings, queuePath, serviceFolder, apiKey, systemProxy, clock, journal } = options;
    const onFault = (fault: AgentError) => journal.record({ level: 'error', ...described(fault) });
    const onChange = apart(options.onChange, onFault);
    const store = await openStore(queuePath);
    let link: ServiceLink | undefined;
    try {
      journal.restore(await store.listEvents(50));
      link = await openServiceLink({ settings: settings.service, folder: serviceFolder, apiKey, systemProxy, onFault });
      let pipeline: Pipeline | undefined;
      let growth: GrowthDesk | undefined;
      const watch = new ClockWatch(clock, (event) => pipeline?.clockEvent(event));
      const account = { store, serviceAddress: link.mark, apiKey };
      const bound = link.isEmbedded ? link.client : gateByAccount(link.client, account);
      const pause = new Pause();
      const service = gateByClock(gateByPause(bound, pause), () => (watch.isPlausible ? null : clock.nowMs()));
      const way = { service, serviceAddress: link.mark, onChange };
      const uploader = new Uploader({
        ...way,
        queue: store,
        finalizePath: settings.service.finalize.toolState,
        // Waits end when they should, whatever is done to the wall clock meanwhile.
        clock: watch.steady,
        random: Math.random,
        policy: { resend: settings.service.resend, holdOffMs: HOLD_OFF_MS },
        entries: growthEntries(() => growth),
        onDelivered: apart((streamId) => pipeline?.settle(streamId), onFault),
        onLine: (fault, before) => recordLine(journal, fault, before, watch.steady.nowMs()),
        onFailure: (streamId, error) => journal.record({ level: 'warning', ...described(error) }, `stream ${streamId}`),
      });
      const recorder = await Recorder.open({
        store,
        clock,
        timeZone: settings.tool.timeZone,
        toolName: settings.tool.name,
        synthSourceId: settings.tool.synthSourceId,
        ruleOf: (id) =>
          pipeline?.ruleOf(id) ?? settings.sources.find((source) => source.id === id) ?? settings.streamDefaults,
        makeNonce,
        onCommitted: apart((ids) => {
          onChange();
          return uploader.notify(ids);
        }, onFault),
        onStoreState: apart((error) => pipeline?.storeState(error), onFault),
      });
      const clocked = { store, clock: watch.steady, journal };
      const onSession = (session: RheedSession) => growth?.onSession(session);
      const isHeld = (session: RheedSession) => growth?.isHeld(session) ?? false;
      const rheed = await openRheedDesk({ ...way, ...clocked, settings, holdOffMs: HOLD_OFF_MS, onSession, isHeld });
      const now = () => pipeline?.settings ?? settings;
      const around = { recorder, sessions: rheed, uploader, onChange, isDrain: options.isDrain };
      growth = await openGrowths({ ...clocked, ...around, settings: now });
      pipeline = new Pipeline(
        { ...options, onChange },
        { store, link, recorder, uploader, rheed, growth, watch, pause },
      );
      store.onFailure(onFault);
      await pipeline.#begin();
      return pipeline;
    } catch (thrown) {
      await link?.stop();
      await store.close();
      throw thrown;
    }
  }

  /** The settings that it runs with now. */
  get settings(): Settings {
    return this.#settings;
  }

  /** What the ready-to-grow light asks beside what the screen shows. */
  get readyFacts(): ReadyFacts {
    const { synthSourceId, timeZone } = this.#settings.tool;
    return { isClockPlausible: this.#watch.isPlausible, timeZone, synthSourceId };
  }

  get queuePath(): string {
    return this.#options.queuePath;
  }

  /** The serial lines of the run, for looking on. */
  get lines(): LineHub {
    return this.#sources.lines;
  }

  /** Where answers about stopped log files are given. */
  get heldFiles(): SourceRuns['heldFiles'] {
    return this.#sources.heldFiles;
  }

  get panels(): readonly SourcePanel[] {
    return this.#sources.panels;
  }

  /** How the streams of a source are cut; undefined: it does not run. */
  ruleOf(sourceId: string): SourceSettings | undefined {
    return this.#sources.settingsOf(sourceId);
  }

  /**
   * Go over to other settings without a stop, where that is possible: where nothing changed but sources, and no counter of
   * RHEED frames among them, whose sessions are open at the service.
   *
   * **Gives**: false when it is not possible; then nothing was done, and all of the run must begin anew.
   */
  async takeSettings(settings: Settings): Promise<boolean> {
    const { sources: _now, updates: _former, ...rest } = this.#settings;
    const { sources, updates: _wanted, ...wanted } = settings;
    const counters = (of: Settings) => of.sources.filter(({ kind }) => kind === 'rheed');
    if (!isDeepStrictEqual(rest, wanted)) return false;
    if (!isDeepStrictEqual(counters(this.#settings), counters(settings))) return false;
    this.#settings = settings;
    await this.#sources.change(sources);
    return true;
  }

  get storeFault(): AgentError | null {
    return this.#storeFault;
  }

  /** Fulfilled when every source has ended by itself: after a drain, or a simulated growth with an end. */
  async sourcesEnded(): Promise<void> {
    await this.#sources.ended();
  }

  /** Read a delivered stream back, point by point; fulfilled when that is done or could not be done. */
  confirm(streamId: number): Promise<void> {
    return this.#confirmer.confirm(streamId);
  }

  /** A stream was delivered: read it back, then tell the service that it has ended, if that is wanted. */
  async settle(streamId: number): Promise<void> {
    await this.confirm(streamId);
    await this.uploader.end(streamId);
  }

  /** What sending refused chunks again needs of this run. */
  get resendParts(): ResendParts {
    return {
      store: this.store,
      takeIds: (channels) => this.recorder.takeIds(channels),
      nowMs: () => this.#options.clock.nowMs(),
      onResent: (streamId, resent) => this.#resent(streamId, resent),
    };
  }

  tally(): Promise<QueueTally> {
    return this.store.tally(STREAMS_LISTED);
  }

  /** Room on the disk that holds the queue, and how long it lasts; null where that is not known. */
  async room(): Promise<Room> {
    const bytesPerHour = this.#bytesPerHour;
    try {
      const { bavail, bsize } = await statfs(dirname(this.#options.queuePath));
      const freeBytes = bavail * bsize;
      return { freeBytes, bytesPerHour, hoursToFull: hoursToFull(freeBytes, bytesPerHour) };
    } catch {
      // A file system that does not tell is shown as "not known"; nothing rests on the figure.
      return { freeBytes: null, bytesPerHour, hoursToFull: null };
    }
  }

  /**
   * End the capture: sources first, then what they captured is committed. A disk that refuses is asked for STOP_TRY_MS.
   *
   * **Gives**: what could not be stored, in words; null when everything captured is on disk.
   */
  async endCapture(): Promise<AgentError | null> {
    this.#stop.abort();
    this.recorder.beginEnd(STOP_TRY_MS);
    await this.#sources.ended();
    const unstored = await this.recorder.end();
    return unstored && noteUnstored(this.store, unstored);
  }

  /**
   * Stop what is left after the capture: the uploads, the service and the store.
   *
   * **Takes**: who is told how many points still wait, while the store can note it; null: it does not answer.
   */
  async stop(onLast: (waitingPoints: number | null) => void): Promise<void> {
    await this.uploader.stop();
    await this.#confirmer.close();
    await Promise.all(this.#loops);
    // A store that does not answer keeps nobody from stopping.
    const last = await this.tally().catch(() => null);
    onLast(last?.waitingPoints ?? null);
    await this.link.stop();
    await this.store.close();
  }

  storeState(error: AgentError | null): void {
    const { journal, onChange } = this.#options;
    this.#storeFault = error;
    if (error) journal.record({ level: 'error', ...described(error) });
    else journal.record({ level: 'info', code: 'store.well', message: 'Data can be stored again.', hint: '' });
    onChange();
  }

  /** Something happened to the clocks. */
  clockEvent(event: ClockEvent): void {
    const { journal, onChange } = this.#options;
    // Each is an event of its own, never a repeat of another one.
    journal.record(tellClockEvent(event), JSON.stringify(event));
    // After sleep, and once the clock may be right, what waits is tried at once.
    const isCertificateDue = event.is === 'set' && this.uploader.lineFault?.trouble === 'certificate';
    if (event.is === 'stood-still' || event.is === 'plausible' || isCertificateDue) this.uploader.release();
    onChange();
  }

  async #begin(): Promise<void> {
    const { settings, isDrain, fill } = this.#options;
    this.#watch.look();
    await this.uploader.start();
    // Delivered just before a former run ended, and not read back then.
    const unconfirmed = await this.store.unconfirmedStreams(UNCONFIRMED_MAX);
    for (const id of unconfirmed) void this.settle(id);
    for (const id of await this.store.streamsToFinalize()) if (!unconfirmed.includes(id)) void this.uploader.end(id);
    this.#loops = [
      this.rheed.run(this.#stop.signal),
      this.growth.run(this.#stop.signal),
      watchRunFiles(this.growth, { ...this.#options, store: this.store, clock: this.#watch.steady }, this.#stop.signal),
      this.#every(TICK_MS, () => {
        this.#watch.look();
        this.recorder.tick();
        this.#options.journal.settle();
        this.#options.onChange();
      }),
      this.#every(SWEEP_MS, async () => {
        while ((await this.store.sweep(this.#options.clock.nowMs())) > 0);
      }),
      this.#every(ROOM_MS, () => this.#lookAtRoom(), true),
    ];
    const isLeftOut = ({ kind, id }: SourceSettings) => isDrain && !(kind === 'log' && (fill?.has(id) ?? true));
    for (const source of settings.sources) if (!isLeftOut(source)) this.#sources.start(source);
  }

  async #resent(streamId: number, { points, stream }: Resent): Promise<void> {
    const { clock, journal, onChange } = this.#options;
    const where = stream ? `in stream ${stream.id}, "${stream.name}"` : 'in their place';
    const message = `${points} points of stream ${streamId} that the service refused are sent again ${where}.`;
    // Each is an act of a person, never a repeat of another one.
    journal.record({ level: 'info', code: 'stream.resent', message, hint: '' }, `${streamId} ${clock.nowMs()}`);
    if (!stream) this.#confirmer.forget(streamId);
    await this.uploader.notify([stream?.id ?? streamId]);
    // Where nothing refused is left of a stream, the service can be told now that it has ended.
    if (stream) void this.#confirmer.close().then(() => this.uploader.end(streamId));
    onChange();
  }

  async #lookAtRoom(): Promise<void> {
    const room = await this.store.room();
    this.#bytesPerHour = room.bytesPerHour;
    for (const event of this.#roomWatch.look(room)) this.#options.journal.record(event);
  }

  /** Do something again and again until the end; `isAtOnce`: for the first time now. */
  async #every(intervalMs: number, work: () => void | Promise<void>, isAtOnce = false): Promise<void> {
    const { clock, journal } = this.#options;
    for (let isNow = isAtOnce; !this.#stop.signal.aborted; isNow = false) {
      if (!isNow) await clock.sleep(intervalMs, this.#stop.signal);
      if (this.#stop.signal.aborted) return;
      try {
        await work();
      } catch (thrown) {
        journal.record({ level: 'error', ...described(toAgentError(thrown)) });
      }
    }
  }
}

function described({ code, message, hint }: AgentError): { code: string; message: string; hint: string } {
  return { code, message, hint };
}
