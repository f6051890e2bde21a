// One run of the whole way: sources, recorder, store, uploader, service. It starts from the ground up (store, service, then
// the parts between) and stops from the top down, so that whatever is captured has somewhere to go.

import { dirname } from 'node:path';
import type { Uploader } from '../../delivery/upload/uploader.ts';
import type { GrowthManager } from '../../growth/growth-manager.ts';
import type { SessionManager } from '../../growth/rheed-session/session-manager.ts';
import { AgentError, toAgentError } from '../../model/agent-error.ts';
import type { QueueTally } from '../../model/queue.ts';
import { startNodeWork } from '../../platform/work-process.ts';
import type { Recorder } from '../../queue/recorder/recorder.ts';
import type { StoreLook } from '../../queue/store/database/place-error.ts';
import { openStore, type Store } from '../../queue/store/store.ts';
import type { Settings } from '../../settings/settings.ts';
import { readSharedSettings } from '../../settings/shared-settings.ts';
import { isToReread } from '../../sources/log/log-source.ts';
import type { LineHub } from '../../sources/serial/line/line-hub.ts';
import type { Pause } from '../service-link/pause-gate.ts';
import { openServiceLink, type ServiceLink } from '../service-link/service-link.ts';
import type { UploadFact } from '../status/facts.ts';
import type { Room } from '../status/fill.ts';
import type { ReadyFacts } from '../status/ready.ts';
import { Exports } from './exports.ts';
import type { FormerServices } from './former-services.ts';
import { exportAfterGrowths, watchRunFiles } from './growth-wiring.ts';
import { isolateErrors } from './isolate-errors.ts';
import { makeParts, type PipelineOptions, type PipelineParts } from './pipeline-parts.ts';
import { type ResendParts, resendInRun } from './resend.ts';
import type { SourcePanel } from './source-panel.ts';
import { readOtherwise, type SourceRuns } from './source-runs.ts';
import { noteUnstored } from './unstored.ts';

/** Streams that a tally lists at most. */
const STREAMS_LISTED = 200;
/** How often the recorder is asked what time has brought, milliseconds. */
const TICK_MS = 1000;
/** How often acknowledged chunks past their time are deleted, milliseconds. */
const SWEEP_MS = 60_000;
/** How often the room on the disk is measured, milliseconds; the rate needs a first measurement at start. */
const ROOM_MS = 60_000;
/** How often the store looks whether its file is where it was opened, milliseconds. */
const LOOK_MS = 1000;
/** At the end a disk that refuses is asked for this long, milliseconds. */
const STOP_TRY_MS = 5000;

export class Pipeline {
  readonly #options: PipelineOptions;
  readonly #parts: PipelineParts;
  readonly #stop: AbortController;
  #loops: Promise<void>[] = [];
  readonly startedMs: number;
  readonly store: Store;
  readonly link: ServiceLink;
  readonly recorder: Recorder;
  readonly uploader: Uploader;
  /** What still waits for services that the settings no longer name. */
  readonly former: FormerServices;
  readonly rheed: SessionManager;
  readonly growth: GrowthManager;
  readonly pause: Pause;
  readonly exports: Exports;
  /** The settings in force, as YAML without secrets; null: not known. */
  readonly sharedSettings: () => Promise<string | null>;
  /** What sending refused chunks again needs of this run. */
  readonly resendParts: ResendParts;

  private constructor(
    options: PipelineOptions,
    { store, link, stop }: { store: Store; link: ServiceLink; stop: AbortController },
    parts: PipelineParts,
  ) {
    this.#options = options;
    this.#parts = parts;
    this.#stop = stop;
    this.startedMs = options.clock.nowMs();
    this.store = store;
    this.link = link;
    this.recorder = parts.recorder;
    this.uploader = parts.uploader;
    this.former = parts.former;
    this.rheed = parts.rheed;
    this.growth = parts.growth;
    this.pause = parts.pause;
    const { version, startWork = startNodeWork, clock, queuePath } = options;
    this.sharedSettings = () => readSharedSettings(dirname(queuePath));
    const made = { version, settings: this.sharedSettings, nowMs: () => clock.nowMs() };
    this.exports = new Exports({ store, service: link, startWork, ...made });
    this.resendParts = resendInRun({ ...options, ...parts, store });
  }

  /**
   * Start everything.
   *
   * @throws those of the store and of the embedded service; whatever was started is stopped again then.
   */
  static async start(given: PipelineOptions): Promise<Pipeline> {
    const { settings, queuePath, serviceFolder, apiKey, systemProxy, journal } = given;
    const onFault = (fault: AgentError) => journal.record({ level: 'error', ...described(fault) });
    const options = { ...given, onChange: isolateErrors(given.onChange, onFault) };
    const stop = new AbortController();
    const store = await openStore(queuePath);
    try {
      journal.restore(await store.listEvents(50));
      const onPathMoved = (note: AgentError) => journal.record({ level: 'warning', ...described(note) });
      const way = { settings: settings.service, folder: serviceFolder, apiKey, systemProxy, onFault, onPathMoved };
      const link = await openServiceLink(way);
      try {
        const parts = await makeParts(options, { store, link, onFault, signal: stop.signal });
        const pipeline = new Pipeline(options, { store, link, stop }, parts);
        store.onFailure(onFault);
        try {
          await pipeline.#begin();
          return pipeline;
        } catch (thrown) {
          // Uploads may be under way: left alone they would go on asking a store that is closed.
          stop.abort();
          await pipeline.#endWork();
          await pipeline.former.close();
          throw thrown;
        }
      } catch (thrown) {
        await link.stop();
        throw thrown;
      }
    } catch (thrown) {
      await store.close();
      throw thrown;
    }
  }

  /** The settings that it runs with now. */
  get settings(): Settings {
    return this.#parts.inForce.now;
  }

  /** What the ready-to-grow light asks beside what the screen shows. */
  get readyFacts(): ReadyFacts {
    const { synthSourceId, timeZone } = this.settings.tool;
    return { isClockPlausible: this.#parts.watch.isPlausible, timeZone, synthSourceId };
  }

  /** Limits of channels. */
  get limits(): PipelineParts['limits'] {
    return this.#parts.limits;
  }

  get queuePath(): string {
    return this.#options.queuePath;
  }

  /** The serial lines of the run, for looking on. */
  get lines(): LineHub {
    return this.#parts.sources.lines;
  }

  /** Where answers about stopped log files are given. */
  get heldFiles(): SourceRuns['heldFiles'] {
    return this.#parts.sources.heldFiles;
  }

  get panels(): readonly SourcePanel[] {
    return this.#parts.sources.panels;
  }

  /** Sources of which something is still to be read again, since the queue has lost it. */
  async toReread(): Promise<string[]> {
    const found: string[] = [];
    for (const { view } of this.panels) if (isToReread(await this.store.positions(view.id))) found.push(view.id);
    return found;
  }

  /**
   * Go over to other settings without a stop, where that is possible: see `SettingsInForce.canTake`.
   *
   * @returns false when it is not possible; then nothing was done, and the whole run must restart.
   */
  async takeSettings(settings: Settings): Promise<boolean> {
    const { inForce, sources } = this.#parts;
    if (!inForce.canTake(settings)) return false;
    inForce.take(settings);
    await sources.change(settings.sources);
    return true;
  }

  /** Why nothing can be stored; null: it can. */
  get storeFault(): AgentError | null {
    return this.#parts.storeState.fault;
  }

  /** Why nothing may be sent: the queue is not where it was opened; null: it is. */
  get storeAway(): StoreLook['away'] {
    return this.#parts.storeState.away;
  }

  /** Fulfilled when every source has ended by itself: after a drain, or a simulated growth with an end. */
  async sourcesEnded(): Promise<void> {
    await this.#parts.sources.ended();
  }

  /** Read a delivered stream back, point by point; fulfilled when that is done or could not be done. */
  confirm(streamId: number): Promise<void> {
    return this.#parts.settling.confirm(streamId);
  }

  tally(): Promise<QueueTally> {
    return this.store.tally(STREAMS_LISTED);
  }

  /** Try at once to send what waits. */
  release(): void {
    this.uploader.release();
    this.former.release();
  }

  /** What the uploads of all streams do that are not delivered, by stream id. */
  uploads(): ReadonlyMap<number, UploadFact> {
    return new Map([...this.uploader.views(), ...this.former.views()]);
  }

  /** Room on the disk that holds the queue, and how long it lasts; null where that is not known. */
  room(): Promise<Room> {
    return this.#parts.room.read();
  }

  /**
   * End the capture: sources first, then what they captured is committed. A disk that refuses is asked for STOP_TRY_MS.
   *
   * @param next - the settings of the run that follows; null: none does, or it is not known.
   * @returns what could not be stored, as text; null when everything captured is on disk.
   */
  async endCapture(next: Settings | null = null): Promise<AgentError | null> {
    this.#stop.abort();
    this.recorder.beginEnd(STOP_TRY_MS);
    await this.#parts.sources.ended();
    if (next) this.#parts.sources.endStreamsOf(readOtherwise(this.settings.sources, next.sources));
    const unstored = await this.recorder.end();
    return unstored && noteUnstored(this.store, unstored);
  }

  /**
   * Stop what is left after the capture: the uploads, the service and the store.
   *
   * @param onLast - who is told how many points still wait, while the store can note it; null: it does not answer.
   */
  async stop(onLast: (waitingPoints: number | null) => void): Promise<void> {
    await this.#endWork();
    // A store that does not answer keeps nobody from stopping.
    const last = await this.tally().catch(() => null);
    onLast(last?.waitingPoints ?? null);
    await Promise.all([this.link.stop(), this.former.close()]);
    await this.store.close();
  }

  /** End what goes on beside the capture: uploads, reading back, what is done again and again. */
  async #endWork(): Promise<void> {
    await this.exports.close();
    await Promise.all([this.uploader.stop(), this.former.stop()]);
    await this.#parts.settling.close();
    await Promise.all(this.#loops);
  }

  async #begin(): Promise<void> {
    const { settings, isDrain } = this.#options;
    this.#parts.watch.look();
    await this.uploader.start();
    await this.former.start();
    await this.#parts.settling.resume(this.store);
    this.#loops = [
      this.rheed.run(this.#stop.signal),
      this.growth.run(this.#stop.signal),
      watchRunFiles(
        this.growth,
        { ...this.#options, store: this.store, clock: this.#parts.watch.steady },
        this.#stop.signal,
      ),
      exportAfterGrowths(
        this.growth,
        this.exports,
        { ...this.#options, store: this.store, clock: this.#parts.watch.steady },
        this.#stop.signal,
      ),
      this.#every(TICK_MS, () => {
        this.#parts.watch.look();
        this.recorder.tick();
        this.limits.tick();
        this.#parts.sources.look();
        this.#options.journal.settle();
        this.#options.onChange();
      }),
      this.#every(LOOK_MS, () => this.#lookForQueue()),
      this.#every(SWEEP_MS, async () => {
        while ((await this.store.sweep(this.#options.clock.nowMs())) > 0);
      }),
      this.#every(ROOM_MS, () => this.#parts.room.measure(), true),
    ];
    for (const source of settings.sources) {
      if (!isDrain || source.kind === 'log') this.#parts.sources.start(source);
    }
  }

  async #lookForQueue(): Promise<void> {
    const look = await this.store.look();
    this.#parts.storeState.takeLook(look);
    if (look.away?.code === 'store.replaced')
      this.#options.onLost(new AgentError({ ...look.away, retry: 'after-human' }));
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
