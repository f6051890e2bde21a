// A serial source with an emulated instrument and a sink: on a line and a clock that the test plays, or in real time behind
// a pseudo-terminal (behind TCP where there is none).
import type { InstrumentInput, OptionValue } from '../../../src-main/model/instrument.ts';
import { type Clock, systemClock } from '../../../src-main/platform/clock.ts';
import { LineHub } from '../../../src-main/sources/serial/line/line-hub.ts';
import { loadInstrument } from '../../../src-main/sources/serial/profile/profile-library.ts';
import { openSerialSource, type SerialSourceOptions } from '../../../src-main/sources/serial/serial-source.ts';
import { type SourceReport, superviseSource } from '../../../src-main/sources/supervise.ts';
import { VirtualClock } from '../../simulation/virtual-clock.ts';
import { MemorySink } from '../logs/log-sink.ts';
import { type Dialog, type Instrument, InstrumentEmulator } from './instrument-emulator.ts';
import { PLAYED_PORT, PlayedPort } from './played-port.ts';
import { hasPty, Pty } from './pty.ts';

interface RigOptions {
  readonly instrument: string | InstrumentInput;
  readonly options?: Readonly<Record<string, OptionValue>>;
  readonly address?: string | number | null;
  readonly talk: readonly Dialog[];
  readonly everyMs?: number;
  readonly timeoutMs?: number;
}

export interface RealRigOptions extends RigOptions {
  /** `tcp`: straight, where pauses within a reply matter: what carries bytes to a port is a process, which waits for its turn. */
  readonly through?: 'pty' | 'tcp';
  /** Done when the port is plugged in and the source is not started yet. */
  readonly before?: (emulator: InstrumentEmulator, pty: Pty | null) => Promise<void> | void;
}

export interface PlayedRigOptions extends RigOptions {
  /** The instrument, where it is not one that a dialog describes. */
  readonly makePort?: (clock: VirtualClock) => PlayedPort;
  /** Done when the port is there and the source is not started yet. */
  readonly before?: (emulator: PlayedPort, clock: VirtualClock) => void;
}

/** What there is in both, so that one test can be tried on either. */
export interface AnyRig {
  readonly sink: MemorySink;
  readonly emulator: Instrument & { send(bytes: Uint8Array): void };
  readonly reports: SourceReport[];
  /** Of the instrument: who waits for it waits in `until` or `pass`. */
  readonly clock: Clock;
  /**
   * Wait until a condition of the sink, the reports or the emulator holds.
   *
   * @throws what the source says when it waits for a person: it will not go on.
   */
  readonly until: (isDone: () => boolean) => Promise<void>;
  /** Let time pass, milliseconds. */
  readonly pass: (durationMs: number) => Promise<void>;
  readonly unplug: () => Promise<void>;
  readonly plugIn: () => Promise<void>;
  readonly stop: () => Promise<void>;
  /** What ends the source: to see who listens. */
  readonly signal: AbortSignal;
}

export interface Rig extends AnyRig {
  readonly emulator: InstrumentEmulator;
  /** Null where the machine has no pseudo-terminals, or none is wanted. */
  readonly pty: Pty | null;
}

export interface PlayedRig extends AnyRig {
  readonly emulator: PlayedPort;
  readonly clock: VirtualClock;
  readonly hub: LineHub;
}

/** What is to be done when the test has finished: `onTestFinished`, of the test's own context where tests run side by side. */
export type AtEnd = (work: () => Promise<void>) => void;

/** How often a condition is looked at in real time, milliseconds. */
const LOOK_MS = 10;
/** What has not come after so long a time, played, never comes, milliseconds. */
const NEVER_MS = 3_600_000;

/** A profile with timing for tests: short gaps, no boot wait. */
function quickProfile(choice: RigOptions): InstrumentInput {
  const { instrument, options = {}, address = null } = choice;
  // A profile given whole has the timing that its test wants.
  if (typeof instrument !== 'string') return instrument;
  const profile = loadInstrument({ instrument, options, line: {}, address });
  return { ...profile, timing: { ...profile.timing, gap_ms: 2, settle_ms: 20 } };
}

/** Run a supervised source. */
function runSource(options: RigOptions, port: string, clock: Clock, extra: Partial<SerialSourceOptions>) {
  const sink = new MemorySink();
  const reports: SourceReport[] = [];
  const failed = Promise.withResolvers<never>();
  // A test may await it or leave it.
  failed.promise.catch(() => {});
  const abort = new AbortController();
  const source: SerialSourceOptions = {
    id: 'rig',
    port,
    instrument: quickProfile(options),
    options: {},
    line: {},
    address: null,
    everyMs: options.everyMs ?? 20,
    timeoutMs: options.timeoutMs ?? 300,
    expect: null,
    hub: new LineHub(),
    clock,
    ...extra,
  };
  const running = superviseSource({
    open: () => openSerialSource(source),
    sink,
    // Waits between two tries are short; all other times are those of the clock.
    clock: { ...bound(clock), sleep: (ms, signal) => clock.sleep(Math.min(ms, 50), signal) },
    signal: abort.signal,
    onState: (report) => {
      reports.push(report);
      if (report.state === 'failed') failed.reject(report.error);
    },
  });
  return { sink, reports, failed: failed.promise, abort, running };
}

const bound = (clock: Clock) => ({ nowMs: () => clock.nowMs(), monotonicMs: () => clock.monotonicMs() });

/** Start a source in real time; it is stopped when the test has finished. */
export async function startRig(
  atEnd: AtEnd,
  options: RealRigOptions,
  extra: Partial<SerialSourceOptions> = {},
): Promise<Rig> {
  const emulator = await InstrumentEmulator.start(options.talk);
  const pty = hasPty && options.through !== 'tcp' ? await Pty.plug(emulator.tcpPort) : null;
  await options.before?.(emulator, pty);
  const clock = systemClock;
  const port = pty?.path ?? `tcp://127.0.0.1:${emulator.tcpPort}`;
  const { sink, reports, failed, abort, running } = runSource(options, port, clock, extra);
  const stop = async () => {
    abort.abort();
    await running;
  };
  atEnd(async () => {
    await stop();
    await pty?.remove();
    await emulator.stop();
  });
  return {
    sink,
    emulator,
    pty,
    reports,
    clock,
    until: async (isDone) => {
      while (!isDone()) await Promise.race([clock.sleep(LOOK_MS), failed]);
    },
    pass: (durationMs) => clock.sleep(durationMs),
    unplug: async () => (pty ? await pty.unplug() : emulator.hangUp()),
    plugIn: async () => await pty?.plugIn(),
    stop,
    signal: abort.signal,
  };
}

/**
 * Start a source on a played line and clock; it is stopped when the test has finished.
 *
 * Time passes in `until`, `pass` and `stop` only. What `until` waits for and has not come after an hour is a fault.
 */
export async function startPlayedRig(
  atEnd: AtEnd,
  options: PlayedRigOptions,
  extra: Partial<SerialSourceOptions> = {},
): Promise<PlayedRig> {
  const clock = new VirtualClock();
  const emulator = options.makePort?.(clock) ?? new PlayedPort(options.talk, clock);
  options.before?.(emulator, clock);
  const hub = new LineHub(
    async () => [],
    () => emulator.transport,
  );
  const { sink, reports, failed, abort, running } = runSource(options, PLAYED_PORT, clock, { hub, ...extra });
  const until = async (isDone: () => boolean) => {
    // What failed for good does not go on: it is told instead.
    const isFailed = () => reports.at(-1)?.state === 'failed';
    const hasCome = await clock.passUntil(() => isDone() || isFailed(), NEVER_MS);
    if (isFailed() && !isDone()) await failed;
    if (!hasCome) throw new Error('an hour passed, and it has not come');
  };
  const stop = async () => {
    abort.abort();
    await clock.passWhile(running, NEVER_MS);
  };
  atEnd(stop);
  return {
    sink,
    emulator,
    reports,
    clock,
    hub,
    until,
    pass: (durationMs) => clock.pass(durationMs),
    unplug: () => emulator.unplug(),
    plugIn: () => emulator.plugIn(),
    stop,
    signal: abort.signal,
  };
}
