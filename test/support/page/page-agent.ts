// A small agent for tests of the page alone: real handlers behind the real contract, with pictures set by the test.
import type { Snapshot } from '../../../src-main/contract/snapshot.ts';
import type { Argument, FeedName, FeedValue, Handlers, Value } from '../../../src-main/contract/table.ts';
import { AgentError } from '../../../src-main/model/agent-error.ts';
import { idleCatalogue, idleExports, idleLibrary } from './page-catalogue.ts';
import { idleSetup } from './page-setup.ts';
import { firstRunSnapshot, runningSnapshot } from './page-snapshot.ts';
import { pageStreams } from './page-streams.ts';

export interface PageAgent {
  readonly handlers: Handlers;
  readonly subscribe: <F extends FeedName>(feed: F, listener: (value: FeedValue<F>) => void) => () => void;
  /** Show this picture; revision and time are set. */
  show(make: (atMs: number) => Snapshot): void;
  /** Arguments of `tool.connect`, as they arrived. */
  readonly connected: Argument<'tool', 'connect'>[];
  /** Arguments of `stream.sendAgain`, as they arrived. */
  readonly sentAgain: Argument<'stream', 'sendAgain'>[];
  readonly formerChosen: Argument<'service', 'chooseFormer'>[];
  /** What the next calls answer instead, by name; removed by setting undefined. */
  readonly faults: Partial<
    Record<'trial.start' | 'tool.connect' | 'plot.read' | 'stream.sendAgain', AgentError | undefined>
  >;
  readonly listeners: Set<unknown>;
  stop(): void;
}

const channels = [
  { sourceId: 'growth', channel: 'substrate temperature', unit: '°C', mean: 612, swing: 4, periodMs: 21_000 },
  { sourceId: 'growth', channel: 'Ga cell temperature', unit: '°C', mean: 918, swing: 1.5, periodMs: 34_000 },
  { sourceId: 'growth', channel: 'chamber pressure', unit: 'Torr', mean: 3.2e-9, swing: 4e-10, periodMs: 45_000 },
  { sourceId: 'growth', channel: 'RHEED intensity', unit: 'counts', mean: 1_400, swing: 380, periodMs: 3_100 },
  { sourceId: 'chamber-log', channel: 'gauge 1', unit: 'mbar', mean: 4.1e-9, swing: 3e-10, periodMs: 60_000 },
  { sourceId: 'chamber-log', channel: '<img src=x onerror=alert(1)>', unit: '', mean: 1, swing: 0, periodMs: 1_000 },
];
const INTERVAL_MS = 250;
/** What changes is shown at once; besides, a page that hears nothing believes that the agent is gone. */
const PUSH_MS = 1000;
/** Silent stretch of every minute, so that a gap can be seen. */
const isSilent = (timeMs: number) => timeMs % 60_000 > 40_000 && timeMs % 60_000 < 46_000;

/** Make the agent, in its first run; a trial makes it run. */
export function makePageAgent(): PageAgent {
  let make: (atMs: number) => Snapshot = firstRunSnapshot;
  let revision = 0;
  const listeners = new Set<(value: Snapshot) => void>();
  const faults: PageAgent['faults'] = {};
  const connected: Argument<'tool', 'connect'>[] = [];
  const sentAgain: Argument<'stream', 'sendAgain'>[] = [];
  const formerChosen: Argument<'service', 'chooseFormer'>[] = [];

  const snapshot = () => ({ ...make(Date.now()), revision: ++revision });
  const push = () => {
    for (const listener of listeners) listener(snapshot());
  };
  const show = (next: typeof make) => {
    make = next;
    push();
  };
  const pushing = setInterval(push, PUSH_MS);
  const fail = (name: keyof typeof faults) => {
    const fault = faults[name];
    if (fault) throw fault;
  };

  const noCounter = new AgentError({ code: 'rheed.no-source', message: 'This tool has no frame counter.', hint: '' });

  const noGrowth = new AgentError({ code: 'growth.none', message: 'This agent keeps no growths.', hint: '' });

  const handlers: Handlers = {
    snapshot: { read: async () => snapshot() },
    trial: {
      start: async () => {
        fail('trial.start');
        show(runningSnapshot);
        return null;
      },
    },
    tool: {
      connect: async (argument) => {
        fail('tool.connect');
        connected.push(argument);
        show((atMs) => runningSnapshot(atMs, { isTrial: false, toolName: argument.toolName }));
        return null;
      },
    },
    service: {
      keepKey: async () => null,
      pause: async () => null,
      goOn: async () => null,
      chooseFormer: async (argument) => {
        formerChosen.push(argument);
        return null;
      },
    },
    stream: {
      ...pageStreams(snapshot),
      sendAgain: async (argument) => {
        fail('stream.sendAgain');
        sentAgain.push(argument);
        show(runningSnapshot);
        return { chunks: 2, points: 20, stream: null, left: 0, damaged: 0, settled: 0, resentIn: [] };
      },
    },
    rheed: {
      listSessions: async () => [],
      start: async () => Promise.reject(noCounter),
      change: async () => Promise.reject(noCounter),
      end: async () => null,
      preview: async () => Promise.reject(noCounter),
      proposeNames: async () => Promise.reject(noCounter),
      retry: async () => Promise.reject(noCounter),
    },
    growth: {
      read: async () => null,
      start: async () => Promise.reject(noGrowth),
      change: async () => Promise.reject(noGrowth),
      end: async () => Promise.reject(noGrowth),
      note: async () => ({ timeMs: Date.now() }),
      answer: async () => Promise.reject(noGrowth),
      list: async () => ({ growths: [], next: null }),
    },
    alarm: { test: async () => [] },
    plot: {
      listChannels: async () => channels.map(({ sourceId, channel, unit }) => ({ sourceId, channel, unit })),
      read: async (argument) => {
        fail('plot.read');
        return readLines(argument);
      },
      readMarks: async () => ({ marks: [], next: null }),
      readGaps: async () => [],
      readRefused: async () => [],
      listOlder: async () => [],
      readOlder: async () => null,
    },
    catalogue: idleCatalogue,
    exports: idleExports,
    library: idleLibrary,
    ...idleSetup,
    source: { ...idleSetup.source, previewLog: async ({ folder, timeZone }) => preview(folder, timeZone) },
  };
  return {
    handlers,
    subscribe: (_feed, listener) => {
      const heard = listener as (value: Snapshot) => void;
      listeners.add(heard);
      return () => listeners.delete(heard);
    },
    show,
    connected,
    sentAgain,
    formerChosen,
    faults,
    listeners,
    stop: () => clearInterval(pushing),
  };
}

function readLines({ channels: wanted, fromMs, toMs, maxPoints }: Argument<'plot', 'read'>): Value<'plot', 'read'> {
  const stepMs = Math.max(INTERVAL_MS, (toMs - fromMs) / maxPoints);
  return channels
    .filter(({ sourceId, channel }) => wanted.some((one) => one.sourceId === sourceId && one.channel === channel))
    .map(({ sourceId, channel, unit, mean, swing, periodMs }) => {
      const timesMs: number[] = [];
      for (let timeMs = Math.ceil(fromMs / stepMs) * stepMs; timeMs <= toMs; timeMs += stepMs) {
        if (!isSilent(timeMs)) timesMs.push(timeMs);
      }
      const values = timesMs.map((timeMs) => mean + swing * Math.sin((2 * Math.PI * timeMs) / periodMs));
      return { sourceId, channel, unit, timesMs, values, readFromMs: null, statistics: null };
    });
}

function preview(folder: string, timeZone: string): Value<'source', 'previewLog'> {
  if (folder.includes('missing')) {
    throw new AgentError({
      code: 'log.folder-missing',
      message: `There is no folder ${folder}.`,
      hint: 'Check the spelling, or that the drive is connected.',
    });
  }
  const isOdd = folder.includes('odd');
  return {
    ...{ files: 2, bytes: 2048, oldestMs: 0, newestMs: 0, answers: [], zoneChange: null },
    clock:
      folder.includes('zone') && timeZone !== 'UTC'
        ? {
            stampMs: Date.UTC(2026, 10, 20, 18, 40, 13),
            writtenMs: Date.UTC(2026, 10, 20, 19, 40, 14),
            zones: ['UTC', 'Europe/London'],
          }
        : null,
    file: `${folder}/run_07.csv`,
    channels: isOdd ? [] : ['substrate temperature', 'gauge 1'],
    leftOut: isOdd ? [] : ['operator'],
    dialect: isOdd ? '' : 'auto',
    reasons: [],
    rows: isOdd
      ? [{ text: '12/06/2023 00:00:01.734,1', timeMs: null, values: [] }]
      : [
          {
            text: '2026-11-20 19:40:12,612.3,3.2E-09,Kim',
            timeMs: Date.UTC(2026, 10, 20, 18, 40, 12),
            values: [612.3, 3.2e-9],
          },
          {
            text: '2026-11-20 19:40:13,612.4,Open,Kim',
            timeMs: Date.UTC(2026, 10, 20, 18, 40, 13),
            values: [612.4, null],
          },
        ],
    problem: isOdd ? 'Day and month cannot be told apart in "12/06/2023 00:00:01.734".' : '',
    hint: isOdd ? 'Write how times are written, for example dd/MM/yyyy HH:mm:ss.SSS.' : '',
  };
}
