// What a run is started with, and the parts that it is made of, in the order in which they are made: each is given what it
// needs, and that is there already. What is told against this order goes through `RunEvents`.

import type { ServiceClient } from '../../delivery/client/client.ts';
import type { FindProxy } from '../../delivery/client/proxy.ts';
import { Uploader, type UploaderOptions } from '../../delivery/upload/uploader.ts';
import { GrowthBook } from '../../growth/growth-book.ts';
import { GrowthEntries } from '../../growth/growth-entries.ts';
import type { GrowthManager } from '../../growth/growth-manager.ts';
import type { SessionManager } from '../../growth/rheed-session/session-manager.ts';
import type { AgentError } from '../../model/agent-error.ts';
import { LIMITS_SOURCE } from '../../model/growth.ts';
import { columnsOfCommit, giveBack } from '../../model/spent-memory.ts';
import type { Clock } from '../../platform/clock.ts';
import { ClockWatch } from '../../platform/clock-watch.ts';
import type { StartWork } from '../../platform/work-process.ts';
import { Recorder } from '../../queue/recorder/recorder.ts';
import type { Store } from '../../queue/store/store.ts';
import type { Settings } from '../../settings/settings.ts';
import { gateByAccount } from '../service-link/account-gate.ts';
import { gateByClock } from '../service-link/clock-gate.ts';
import { gateByPause, Pause } from '../service-link/pause-gate.ts';
import { gateByQueue } from '../service-link/queue-gate.ts';
import { openServiceLink, type ServiceLink } from '../service-link/service-link.ts';
import { LimitWatch, limitsInForce } from '../status/limit-watch.ts';
import { recordClock } from './clock-events.ts';
import { Confirmer } from './confirmer.ts';
import { DiskRoom } from './disk-room.ts';
import { formerDataOf } from './former-data.ts';
import { FormerServices } from './former-services.ts';
import { openGrowths } from './growth-wiring.ts';
import { isolateErrors } from './isolate-errors.ts';
import type { Journal } from './journal.ts';
import { recordLine } from './line-events.ts';
import { makeNonce } from './nonce.ts';
import { openSessionManager } from './rheed-wiring.ts';
import { RunEvents } from './run-events.ts';
import { SettingsInForce } from './settings-in-force.ts';
import { Settling } from './settling.ts';
import { SourceRuns } from './source-runs.ts';
import { StoreState } from './store-state.ts';

/** Longest that a request can still reach the service after this side gave it up, milliseconds. */
const HOLD_OFF_MS = 15_000;

export interface PipelineOptions {
  readonly settings: Settings;
  /** The queue file; its folder exists. */
  readonly queuePath: string;
  /** Folder of the embedded service. */
  readonly serviceFolder: string;
  readonly apiKey: () => string | null;
  /** Key of a service that the settings no longer name; left out: none is known. */
  readonly formerKey?: (address: string) => string | null;
  /** How the desktop finds its proxy; left out: by the environment alone. */
  readonly systemProxy?: FindProxy | undefined;
  readonly clock: Clock;
  readonly journal: Journal;
  /** Of the program; stands in what is exported. */
  readonly version: string;
  /** Starts the processes that write exports; left out: as Node does. */
  readonly startWork?: StartWork | undefined;
  /** Something that the screen shows has changed. */
  readonly onChange: () => void;
  /** The run cannot go on: another file has taken the place of its queue. */
  readonly onLost: (error: AgentError) => void;
  /** Read the log folders to the end that they have now, and stop there. */
  readonly isDrain: boolean;
  /** It goes on from a run that ended for other settings alone: nobody is asked whether it is the same growth. */
  readonly goesOn: boolean;
}

/** What a run stands on: open already, and closed by who opened it. */
export interface Ground {
  readonly store: Store;
  readonly link: ServiceLink;
  /** A part met a fault that is nobody else's to tell. */
  readonly onFault: (fault: AgentError) => void;
  /** Ends the capture and what is done beside it. */
  readonly signal: AbortSignal;
}

export interface PipelineParts {
  readonly inForce: SettingsInForce;
  readonly storeState: StoreState;
  readonly room: DiskRoom;
  readonly watch: ClockWatch;
  readonly pause: Pause;
  readonly rheed: SessionManager;
  readonly uploader: Uploader;
  readonly former: FormerServices;
  readonly recorder: Recorder;
  readonly growth: GrowthManager;
  readonly limits: LimitWatch;
  readonly settling: Settling;
  readonly sources: SourceRuns;
}

/**
 * Make the parts of a run; nothing is read, sent or told yet. Takes what it is started with (`onChange` never throws), and
 * what it stands on.
 *
 * @throws those of the store.
 */
export async function makeParts(options: PipelineOptions, ground: Ground): Promise<PipelineParts> {
  const { settings, queuePath, apiKey, clock, journal, onChange, isDrain, goesOn } = options;
  const { store, link, onFault, signal } = ground;
  const events = new RunEvents();
  const inForce = new SettingsInForce(settings);
  const storeState = new StoreState(journal, onChange);
  const room = new DiskRoom(queuePath, store, journal);
  const watch = new ClockWatch(clock, events.clock.tell);
  // Waits end when they should, whatever is done to the wall clock meanwhile.
  const { steady } = watch;

  const pause = new Pause();
  const gate = (to: ServiceLink, key: () => string | null): ServiceClient => {
    const account = { store, serviceAddress: to.mark, apiKey: key };
    const named: ServiceClient = to.isEmbedded ? to.client : gateByAccount(to.client, account);
    const bound = gateByQueue(named, () => storeState.away);
    return gateByClock(gateByPause(bound, pause), () => (watch.isPlausible ? null : clock.nowMs()));
  };
  const service = gate(link, apiKey);
  const serviceAddress = link.mark;

  const book = await GrowthBook.open(store);
  const rheed = await openSessionManager({
    service,
    serviceAddress,
    store,
    clock: steady,
    journal,
    onChange,
    onSession: events.session.tell,
    isHeld: book.isHeld,
    settings,
    holdOffMs: HOLD_OFF_MS,
  });
  const entries = new GrowthEntries(book, rheed);
  const formerData = formerDataOf({
    service,
    serviceAddress,
    store,
    clock: steady,
    journal,
    tool: settings.tool,
    holdOffMs: HOLD_OFF_MS,
    events,
    onStream: (id) => void uploader.notify([id]),
  });
  const finalizePath = settings.service.finalize.toolState;
  const uploads = {
    entries,
    queue: store,
    clock: steady,
    random: Math.random,
    policy: { resend: settings.service.resend, holdOffMs: HOLD_OFF_MS },
    window: settings.service.uploadWindow,
    onChange,
    onDelivered: events.delivered.tell,
    onFailure: (streamId: number, { code, message, hint }: AgentError) =>
      journal.record({ level: 'warning', code, message, hint }, `stream ${streamId}`),
  };
  const onLine: UploaderOptions['onLine'] = (fault, before) => recordLine(journal, fault, before, steady.nowMs());
  const uploader: Uploader = new Uploader({
    ...uploads,
    service,
    serviceAddress,
    former: formerData,
    finalizePath,
    onLine,
  });
  const keyFor = options.formerKey ?? (() => null);
  const former = new FormerServices({
    store,
    journal,
    onChange,
    named: link.mark,
    shared: uploads,
    cutter: formerData.cutter,
    open: (at) =>
      openServiceLink({
        settings: { ...settings.service, url: at },
        folder: options.serviceFolder,
        onFault,
        onPathMoved: ({ code, message, hint }) => journal.record({ level: 'warning', code, message, hint }),
        systemProxy: options.systemProxy,
        apiKey: () => keyFor(at),
      }),
    gate: (to) => gate(to, () => keyFor(to.mark)),
    onMoved: (ids) => uploader.notify(ids),
    hasKey: (at) => keyFor(at) !== null,
  });
  const recorder = await Recorder.open({
    store: {
      load: store.load,
      commit: async (commit) => {
        await store.together(() => {
          const committed = store.commit(commit);
          uploader.prefetch(new Set(commit.chunks.map(({ streamId }) => streamId)));
          return committed;
        });
        // Now it is on disk. One that was refused is offered again as it is.
        giveBack(columnsOfCommit(commit));
      },
    },
    clock,
    timeZone: settings.tool.timeZone,
    toolName: settings.tool.name,
    synthSourceId: settings.tool.synthSourceId,
    ruleOf: inForce.ruleOf,
    makeNonce,
    onCommitted: isolateErrors((ids) => {
      onChange();
      return uploader.notify(ids);
    }, onFault),
    onStoreState: isolateErrors(storeState.take, onFault),
  });
  // A stream belongs to the service that it was begun at: what comes now goes to the one that the settings name.
  const elsewhere = (await store.uploadStreams()).filter(({ service: at }) => at !== null && at !== link.mark);
  recorder.endStreams(({ id }) => elsewhere.some((stream) => stream.id === id));
  const growth = await openGrowths({
    store,
    clock: steady,
    journal,
    recorder,
    sessions: rheed,
    uploader,
    inForce,
    onChange,
    isAsking: !isDrain && !goesOn,
    book,
    entries,
  });
  const serviceOf = async (streamId: number) => {
    const at = (await store.streamFacts(streamId))?.service ?? link.mark;
    return at === link.mark ? link.client : former.clientOf(at);
  };
  const confirmer = new Confirmer({ store, serviceOf, clock: steady }, journal, signal);
  const settling = new Settling(confirmer, (streamId) => uploader.end(streamId));
  const limits = await LimitWatch.open({
    journal,
    onChange,
    nowMs: () => steady.nowMs(),
    limits: () => limitsInForce(inForce.now),
    isGrowing: () => growth.current !== null,
    kept: () => store.limitStates(),
    keep: (states) => store.putLimitStates(states),
    mark: (text, timeMs) =>
      recorder.mark({ sourceId: LIMITS_SOURCE, timeMs, text, place: 'limits', line: null, byte: null }),
  });
  const onLive: LimitWatch['read'] = (sourceId, blocks) => limits.read(sourceId, blocks);
  const sources = new SourceRuns({ ...options, store, recorder, rheed, inForce, steady, onLive, signal });

  events.cut.hear(({ streamId, rest, done }) => {
    recorder.endStreams(({ id }) => id === streamId);
    void recorder.flush().then(() => done(rest && recorder.takeIds(rest.channels)));
  });
  events.session.hear((session) => growth.onSession(session));
  events.delivered.hear(isolateErrors((streamId) => settling.settle(streamId), onFault));
  events.clock.hear((event) => {
    recordClock(journal, event, uploader);
    onChange();
  });
  return {
    inForce,
    storeState,
    room,
    watch,
    pause,
    rheed,
    uploader,
    former,
    recorder,
    growth,
    limits,
    settling,
    sources,
  };
}
