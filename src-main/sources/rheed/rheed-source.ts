// A frame counter as a source: it looks at the counter some times a second and makes a reading of its figures each second.
// What happens to the counter (lost frames, a new run, a stop) is kept as marks, in the same commit as the state that knows
// of it, so after a restart no frame is counted twice and no loss is told twice.
//
// Bounds: a look each 0.1 s, each 0.5 s at a counter that is stalled; one reading a second, none from 12 s after the last
// frame on, once one has said that the rate is 0; stamps rise by 1 ms at least. A capture is not waited for: what is held is
// the recorder's to bound.
import { z } from 'zod';
import { formatCount, formatDuration } from '../../model/format.ts';
import type { Mark } from '../../model/marks.ts';
import { type Clock, systemClock } from '../../platform/clock.ts';
import { type Capture, NOT_RUNNING, type Source, type SourceSink } from '../source.ts';
import { type Figures, FrameTally, type TallyState } from './count/frame-tally.ts';
import type { CounterEvent, CounterReader } from './count/sighting.ts';
import { type CounterOptions, openCounterReader } from './readers/counter-options.ts';
import type { CounterPort } from './readers/port-reader.ts';
import { declareFigures, FIGURE_NAMES, figureValues } from './rheed-channels.ts';

/** Looks at a counter that counts, and at one that is stalled, milliseconds apart. */
const LOOK_MS = 100;
const LOOK_STILL_MS = 500;
/** Readings of the figures, milliseconds apart. */
const FIGURES_MS = 1000;
/** After this long without a frame no more readings are made once one has said that the rate is 0, milliseconds. */
const QUIET_MS = 12_000;
/** Losses are told no more often than this, milliseconds; each has its mark. */
const LOSSES_MS = 600_000;
/** Without a look for longer than this, there is a gap, milliseconds. */
const AWAY_MS = 10_000;

const KEY = 'counter';
// No stamp before the first reading: JSON knows no infinity.
const Stored = z.object({
  atMs: z.number(),
  stampMs: z.number().nullable(),
  tally: z.custom<TallyState>(),
  reader: z.unknown(),
});

/** How a counter stands, for the part that starts and ends sessions by it. */
export interface CounterView extends Figures {
  /** When the run that counts now, or the last one, began; null before the first frame. */
  readonly beganMs: number | null;
  /** Frames that had been counted when it began. */
  readonly beganCounted: number;
  readonly lastFrameMs: number | null;
  readonly atMs: number;
}

export interface RheedSourceOptions {
  readonly id: string;
  readonly counter: CounterOptions;
  /** Frames per second that are expected; null: not said. */
  readonly fps: number | null;
  /** Numbers wrap around here; null: at any usual end. */
  readonly rollsOverAt?: number | null;
  /** Zone of times in names. */
  readonly timeZone: string;
  /** Without a frame for so long the counter is stalled, milliseconds. */
  readonly stallAfterMs?: number;
  readonly clock?: Clock;
  readonly openPort?: (port: string) => CounterPort;
  /** Told each second how the counter stands. */
  readonly onCounter?: (view: CounterView) => void;
  /** Told after each look how many frames were counted so far. */
  readonly onCount?: (counted: number) => void;
}

/**
 * Make the source of a frame counter.
 *
 * @param options - what to read and how often frames are expected.
 * @returns a source whose channels are the figures of the counter. Frames that are there at the very first start are not
 *   counted; those that come while nobody watches are, where the counter still tells them later.
 * @throws `run` rejects with `rheed.pattern`, `rheed.match` (a person), `rheed.folder-missing`, `rheed.file-missing` (later).
 */
export function openRheedSource(options: RheedSourceOptions): Source {
  return { id: options.id, kind: 'rheed', run: (sink, signal) => new CounterRun(options, sink).run(signal) };
}

class CounterRun {
  readonly #options: RheedSourceOptions;
  readonly #sink: SourceSink;
  readonly #clock: Clock;
  #tally!: FrameTally;
  #reader!: CounterReader;
  #stampMs = Number.NEGATIVE_INFINITY;
  #beganMs: number | null = null;
  #beganCounted = 0;
  #formerCounted = 0;
  #hasKept = false;
  #wasStill = true;
  /** The last reading said a rate: a person would take the camera for running for good. */
  #hasSaidRate = false;
  #numberStamped: number | null = null;
  /** Losses that were not told yet, and how the counter stood when they were told last. */
  #losses = 0;
  #toldLosses = { atMs: Number.NEGATIVE_INFINITY, counted: 0, lost: 0 };
  /** What the last reading counted; what is new is said, however long ago it was. */
  #said = { counted: 0, lost: 0 };

  constructor(options: RheedSourceOptions, sink: SourceSink) {
    this.#options = options;
    this.#sink = sink;
    this.#clock = options.clock ?? systemClock;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { counter, fps, rollsOverAt = null, timeZone, stallAfterMs = 2000, openPort } = this.#options;
    const stored = (await this.#sink.positions()).get(KEY);
    const former = stored === undefined ? undefined : Stored.parse(JSON.parse(stored));
    this.#tally = new FrameTally({ setRate: fps, rollsOverAt, stallAfterMs }, former?.tally);
    const monotonicMs = () => this.#clock.monotonicMs();
    this.#reader = openCounterReader({ counter, timeZone, monotonicMs, state: former?.reader, openPort });
    this.#sink.declare(declareFigures(this.#reader.describe(), FIGURES_MS));
    this.#stampMs = former?.stampMs ?? this.#stampMs;
    this.#formerCounted = former?.tally.counted ?? 0;
    this.#said = { counted: this.#formerCounted, lost: former?.tally.lost ?? 0 };
    this.#toldLosses = { atMs: Number.NEGATIVE_INFINITY, ...this.#said };
    try {
      if (former) this.#tellGap(former.atMs, this.#clock.nowMs());
      await this.#watch(signal);
    } catch (error) {
      // From when on it could not be seen.
      if (former === undefined) this.#hand(this.#clock.nowMs());
      throw error;
    } finally {
      this.#reader.close();
    }
  }

  async #watch(signal: AbortSignal): Promise<void> {
    let dueMs = this.#clock.monotonicMs();
    while (!signal.aborted) {
      const nowMs = this.#clock.nowMs();
      const sightings = await this.#reader.look(nowMs);
      this.#tally.take(sightings, this.#clock.nowMs());
      this.#tally.settle(nowMs);
      this.#options.onCount?.(this.#tally.state.counted);
      const isDue = this.#clock.monotonicMs() >= dueMs;
      if (isDue) {
        this.#hand(this.#clock.nowMs());
        dueMs = Math.max(dueMs + FIGURES_MS, this.#clock.monotonicMs());
      }
      await this.#clock.sleep(this.#wasStill ? LOOK_STILL_MS : LOOK_MS, signal);
    }
  }

  /** Make a reading of the figures, and hand it over with what happened since the last. */
  #hand(nowMs: number): void {
    const figures = this.#tally.figures();
    const events = [...this.#reader.takeEvents(), ...this.#tally.takeEvents()];
    for (const event of events) if (event.kind !== 'lost') this.#note(event);
    this.#noteLosses(
      events.filter(({ kind }) => kind === 'lost'),
      figures,
      nowMs,
    );
    const state = this.#tally.state;
    if (this.#wasStill && !figures.isStill) {
      this.#beganMs = this.#tally.firstFrameMs ?? nowMs;
      this.#beganCounted = this.#formerCounted;
    }
    this.#formerCounted = figures.counted;
    this.#wasStill = figures.isStill;
    const { lastFrameMs } = state;
    this.#options.onCounter?.({
      ...figures,
      beganMs: this.#beganMs,
      beganCounted: this.#beganCounted,
      lastFrameMs,
      atMs: nowMs,
    });
    const isSaid = figures.counted === this.#said.counted && (figures.lost ?? 0) === this.#said.lost;
    const isOld = lastFrameMs === null || nowMs - lastFrameMs > QUIET_MS;
    const isQuiet = isOld && isSaid && !this.#hasSaidRate;
    // Where counting begins is kept at once: what comes while the agent is off is told by it.
    if (isQuiet && events.length === 0 && this.#hasKept) return;
    this.#hasKept = true;
    const blocks = isQuiet ? [] : [this.#reading(figures, nowMs)];
    const stored = { atMs: nowMs, stampMs: this.#stampMs, tally: state, reader: this.#reader.state() };
    const capture: Capture = {
      blocks,
      positions: [{ key: KEY, value: JSON.stringify(stored) }],
      marks: events.map((event) => this.#mark(event)),
      rowsRead: blocks.length,
      refusals: [],
      refusedCount: 0,
      origin: 'live',
    };
    // Not waited for: the camera does not wait either. The recorder bounds what it holds.
    this.#sink.capture(capture).catch((thrown: unknown) => {
      const why = thrown instanceof Error ? thrown.message : String(thrown);
      this.#sink.gap(nowMs - FIGURES_MS, nowMs, `the figures of this second were not stored: ${why}`);
    });
  }

  /** A reading stands at the time of its newest frame, so that frame numbers and times belong together. */
  #reading(figures: Figures, nowMs: number) {
    const isFresh = figures.counted !== this.#numberStamped && figures.frameMs !== null;
    this.#numberStamped = figures.counted;
    this.#said = { counted: figures.counted, lost: figures.lost ?? 0 };
    const wantedMs = isFresh ? Math.min(figures.frameMs ?? nowMs, nowMs) : nowMs;
    this.#stampMs = Math.max(wantedMs, this.#stampMs + 1);
    // What is not known is no point: the one before it stands.
    if (figures.perSecond !== null) this.#hasSaidRate = figures.perSecond !== 0;
    const values = Float64Array.from(figureValues(figures));
    return { channels: FIGURE_NAMES, timesMs: Float64Array.of(this.#stampMs), values };
  }

  #mark({ atMs, text }: CounterEvent): Mark {
    return { timeMs: atMs, text, place: this.#reader.describe(), line: null, byte: null };
  }

  /** The first loss is told at once, those that follow as a sum: a camera that loses a few all the time hides nothing else. */
  #noteLosses(losses: readonly CounterEvent[], { counted, lost }: Figures, nowMs: number): void {
    this.#losses += losses.length;
    const { atMs, counted: countedThen, lost: lostThen } = this.#toldLosses;
    if (this.#losses === 0 || nowMs - atMs < LOSSES_MS) return;
    const missed = (lost ?? 0) - lostThen;
    const [first] = losses;
    if (this.#losses === 1 && first) this.#note(first);
    else if (missed > 0) {
      const part = (100 * missed) / (missed + Math.max(0, counted - countedThen));
      const text = `${formatCount(missed)} frames lost in ${formatCount(this.#losses)} places ${Number.isFinite(atMs) ? `in the last ${formatDuration(nowMs - atMs)} ` : ''}(${part.toFixed(1)} %)`;
      this.#note({ kind: 'lost', atMs: nowMs, text });
    }
    this.#losses = 0;
    this.#toldLosses = { atMs: nowMs, counted, lost: lost ?? 0 };
  }

  #note({ kind, text }: CounterEvent): void {
    const isWarning = [
      'lost',
      'went-back',
      'jumped',
      'stands-still',
      'index-differs',
      'passed-over',
      'unreadable',
    ].includes(kind);
    // What ends a standstill takes the place of what reported it.
    const code = kind === 'goes-on' || kind === 'stands-still' ? 'standstill' : kind;
    const message = `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
    this.#sink.note({ level: isWarning ? 'warning' : 'info', code: `rheed.${code}`, message, hint: hintOf(kind) });
  }

  #tellGap(fromMs: number, nowMs: number): void {
    const { lastFrameMs } = this.#tally.state;
    // A counter that stood still when the agent ended has told all there was.
    const wasCounting = lastFrameMs !== null && fromMs - lastFrameMs < QUIET_MS;
    if (wasCounting && nowMs - fromMs > AWAY_MS) this.#sink.gap(fromMs, nowMs, NOT_RUNNING);
  }
}

function hintOf(kind: CounterEvent['kind']): string {
  switch (kind) {
    case 'lost':
      return 'The camera program dropped them. Its disk may be too slow, or its PC too busy.';
    case 'stands-still':
      return 'Expected if recording was stopped. Otherwise check the camera software.';
    case 'went-back':
      return 'Right if the recording began again. A counter that wraps around needs rolls_over_at in the settings, for example 256.';
    case 'passed-over':
    case 'unreadable':
      return 'Correct the counter in the settings; `epistream check` shows what is seen.';
    default:
      return '';
  }
}
