// The sources of one run, each by itself: its panel, its way into the recorder, its end. When the settings change, only
// those sources restart of which anything changed; the others never notice.

import { isDeepStrictEqual } from 'node:util';
import type { SessionManager } from '../../growth/rheed-session/session-manager.ts';
import { formatSecond } from '../../model/format.ts';
import { countPoints, newestMs, type Readings } from '../../model/readings.ts';
import { type Clock, systemClock } from '../../platform/clock.ts';
import type { Recorder } from '../../queue/recorder/recorder.ts';
import type { Store } from '../../queue/store/store.ts';
import type { SourceSettings } from '../../settings/settings.ts';
import { HeldDesk } from '../../sources/log/follow/held-desk.ts';
import { openLogSource } from '../../sources/log/log-source.ts';
import { openLogReader } from '../../sources/log/reader/log-reader.ts';
import { namePort } from '../../sources/serial/line/find-port.ts';
import { LineHub } from '../../sources/serial/line/line-hub.ts';
import { openSerialSource } from '../../sources/serial/serial-source.ts';
import { openSimulatorSource } from '../../sources/simulator/simulator-source.ts';
import { NOT_RUNNING, type Source, type SourceNote, type SourceSink } from '../../sources/source.ts';
import { superviseSource } from '../../sources/supervise.ts';
import type { Journal } from './journal.ts';
import { openRheed, placeOfCounter } from './rheed-wiring.ts';
import type { SettingsInForce } from './settings-in-force.ts';
import { SourceJournal } from './source-journal.ts';
import { SourcePanel } from './source-panel.ts';
import { watchAngles } from './watch-angles.ts';

export interface SourceRunsParts {
  readonly store: Pick<Store, 'positions'>;
  readonly recorder: Recorder;
  readonly rheed: SessionManager;
  readonly inForce: Pick<SettingsInForce, 'begin'>;
  /** Stamps of what happened, and the clock that sources go by. */
  readonly clock: Clock;
  readonly steady: Clock;
  readonly journal: Journal;
  readonly onChange: () => void;
  /** Live readings came, good during the call. Never throws. */
  readonly onLive: (sourceId: string, blocks: readonly Readings[]) => void;
  readonly isDrain: boolean;
  /** The agent ran before, and goes on by other settings. */
  readonly goesOn: boolean;
  /** Ends them all. */
  readonly signal: AbortSignal;
}

interface Run {
  readonly settings: SourceSettings;
  /** Other settings took the place of those that ran. */
  readonly isChanged: boolean;
  readonly stop: AbortController;
  readonly panel: SourcePanel;
  readonly words: SourceJournal;
  done: Promise<void>;
  /** Captures that were handed over and are not on disk yet. */
  readonly underWay: Set<Promise<unknown>>;
}

export class SourceRuns {
  readonly #parts: SourceRunsParts;
  readonly #runs = new Map<string, Run>();
  readonly lines = new LineHub();
  readonly #heldDesks = new Map<string, HeldDesk>();

  constructor(parts: SourceRunsParts) {
    this.#parts = parts;
  }

  get panels(): readonly SourcePanel[] {
    return [...this.#runs.values()].map(({ panel }) => panel);
  }

  /** Where answers about stopped log files are given, by source; and what ends the streams of a source. */
  get heldFiles(): { desks: ReadonlyMap<string, HeldDesk>; closeStreams(sourceId: string): Promise<void> } {
    return { desks: this.#heldDesks, closeStreams: (sourceId) => this.#parts.recorder.closeStreams(sourceId) };
  }

  /** Look how each source fares, and tell what has changed. Called about once a second. */
  look(): void {
    for (const { panel, words } of this.#runs.values()) words.look(panel.view);
  }

  start(settings: SourceSettings): void {
    const previous = this.#runs.get(settings.id)?.panel;
    const { clock, steady, goesOn } = this.#parts;
    const { id, kind } = settings;
    const times = { nowMs: () => clock.nowMs(), monotonicMs: () => steady.monotonicMs() };
    const panel = new SourcePanel({ id, kind, place: placeOf(settings), clock: times, previous });
    const words = new SourceJournal(this.#parts.journal, id);
    const run: Run = {
      settings,
      isChanged: previous !== undefined || goesOn,
      stop: new AbortController(),
      panel,
      words,
      done: Promise.resolve(),
      underWay: new Set(),
    };
    this.#runs.set(settings.id, run);
    this.#parts.inForce.begin(settings);
    run.done = this.#supervise(run);
  }

  /**
   * Go over to other settings. Those that are the same run on; each other one is ended, all that it handed over is on disk,
   * and only then its successor reads its positions: so nothing is read twice and nothing is left out.
   */
  async change(wanted: readonly SourceSettings[]): Promise<void> {
    const byId = new Map(wanted.map((settings) => [settings.id, settings]));
    const leaving = [...this.#runs.values()].filter(
      ({ settings }) => !isDeepStrictEqual(settings, byId.get(settings.id)),
    );
    await Promise.all(leaving.map((run) => this.#end(run)));
    this.endStreamsOf(
      readOtherwise(
        leaving.map(({ settings }) => settings),
        wanted,
      ),
    );
    for (const { settings } of leaving) {
      if (byId.has(settings.id)) continue;
      this.#runs.delete(settings.id);
      this.#heldDesks.delete(settings.id);
      await this.#parts.recorder.closeStreams(settings.id);
      await this.#markRemoved(settings.id);
    }
    for (const settings of wanted) {
      if (!isDeepStrictEqual(this.#runs.get(settings.id)?.settings, settings)) this.start(settings);
    }
    // In the order of the settings, as the screen lists them.
    const sorted = wanted.flatMap(({ id }) => this.#runs.get(id) ?? []);
    this.#runs.clear();
    for (const run of sorted) this.#runs.set(run.settings.id, run);
    this.#parts.onChange();
  }

  /** End the streams of sources; what comes from now on opens new ones. */
  endStreamsOf(sourceIds: ReadonlySet<string>): void {
    this.#parts.recorder.endStreams(({ sourceId }) => sourceIds.has(sourceId));
  }

  /** Fulfilled when every source has ended. */
  async ended(): Promise<void> {
    await Promise.all([...this.#runs.values()].map(({ done }) => done));
  }

  /** In a growth nobody would know otherwise why its channels end. */
  async #markRemoved(sourceId: string): Promise<void> {
    const text = `Source ${sourceId} was removed.`;
    const timeMs = this.#parts.clock.nowMs();
    await this.#parts.recorder.mark({ sourceId, timeMs, text, place: 'settings', line: null, byte: null });
  }

  async #end(run: Run): Promise<void> {
    run.stop.abort();
    await run.done;
    await Promise.allSettled(run.underWay);
  }

  async #supervise(run: Run): Promise<void> {
    const { onChange, steady, signal } = this.#parts;
    const { settings, panel, words } = run;
    await superviseSource({
      open: () => this.#open(settings),
      sink: this.#sinkFor(run),
      clock: steady,
      signal: AbortSignal.any([signal, run.stop.signal]),
      onState: ({ state, error }) => {
        panel.setState(state, error?.message ?? '', error?.hint ?? '');
        if (error) {
          const { code, message, hint } = error;
          words.record({ level: 'warning', code, message, hint });
        }
        onChange();
      },
    });
  }

  #open(settings: SourceSettings): Source {
    const { isDrain, steady: clock, rheed, journal, recorder } = this.#parts;
    if (settings.kind === 'log') {
      const held = this.#heldDesks.get(settings.id) ?? new HeldDesk();
      this.#heldDesks.set(settings.id, held);
      const beforeNewColumns = () => recorder.closeStreams(settings.id);
      const options = { ...settings, isDrain, held, beforeNewColumns };
      // Other threads have the clocks of the machine: a source goes by any other clock on this one.
      return this.#parts.clock === systemClock ? openLogReader(options) : openLogSource({ ...options, clock });
    }
    if (settings.kind === 'rheed') return openRheed(settings, clock, rheed, journal);
    if (settings.kind === 'serial') return openSerialSource({ ...settings, hub: this.lines, clock });
    return openSimulatorSource({ ...settings, clock });
  }

  #sinkFor({ settings: { id: sourceId }, isChanged, panel, words, underWay }: Run): SourceSink {
    const { onChange, onLive, recorder, store } = this.#parts;
    const note = (news: SourceNote) => {
      panel.note(news);
      words.record(news);
      onChange();
    };
    const angles = watchAngles(note);
    return {
      positions: () => store.positions(sourceId),
      declare: (channels) => {
        angles.declare(channels);
        recorder.declare(sourceId, channels);
      },
      capture: async (capture) => {
        angles.read(capture.blocks);
        const points = capture.blocks.reduce((sum, block) => sum + countPoints(block), 0);
        const newest = newestMs(capture.blocks);
        panel.read(points, newest);
        if (capture.origin === 'live') onLive(sourceId, capture.blocks);
        const stored = recorder.capture(sourceId, capture);
        underWay.add(stored);
        try {
          await stored;
        } catch (thrown) {
          panel.dropped(points);
          throw thrown;
        } finally {
          underWay.delete(stored);
        }
        panel.captured(capture.rowsRead, points, capture.refusedCount, newest, capture.origin === 'live');
        onChange();
      },
      note,
      gap: (fromMs, toMs, told) => {
        const cause = isChanged ? told.replace(NOT_RUNNING, 'the settings were changed') : told;
        recorder.gap(sourceId, fromMs, toMs, cause);
        const message = `nothing from ${formatSecond(fromMs)} to ${formatSecond(toMs)}: ${cause}`;
        words.record({
          level: 'warning',
          code: 'source.gap',
          message,
          hint: 'The gap is listed.',
        });
      },
    };
  }
}

/**
 * Find the logs whose stamps or cells are read otherwise from now on: two ways to read would stand in one stream.
 *
 * @returns ids of sources that are in both.
 */
export function readOtherwise(
  before: readonly SourceSettings[],
  wanted: readonly SourceSettings[],
): ReadonlySet<string> {
  const ways = (of: readonly SourceSettings[]) =>
    new Map(of.flatMap((one) => (one.kind === 'log' ? [[one.id, [one.timeZone, one.dialect]] as const] : [])));
  const next = ways(wanted);
  return new Set([...ways(before)].flatMap(([id, way]) => (isDeepStrictEqual(way, next.get(id) ?? way) ? [] : [id])));
}

/** Where a source reads, for the screen. */
function placeOf(settings: SourceSettings): string {
  if (settings.kind === 'log') return settings.path;
  if (settings.kind === 'simulator') return 'simulated growth';
  if (settings.kind === 'rheed') return placeOfCounter(settings);
  const { address } = settings;
  return address === null ? namePort(settings.port) : `${namePort(settings.port)}, address ${address}`;
}
