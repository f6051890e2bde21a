// A serial source with an emulated instrument behind a pseudo-terminal (behind TCP where there is none), and a sink.
import type { InstrumentInput, OptionValue } from '../../src-main/model/instrument.ts';
import { systemClock } from '../../src-main/platform/clock.ts';
import { LineHub } from '../../src-main/sources/serial/line-hub.ts';
import { loadInstrument } from '../../src-main/sources/serial/profile-library.ts';
import { openSerialSource, type SerialSourceOptions } from '../../src-main/sources/serial/serial-source.ts';
import { type SourceReport, superviseSource } from '../../src-main/sources/supervise.ts';
import { type Dialog, InstrumentEmulator } from './instrument-emulator.ts';
import { MemorySink } from './log-sink.ts';
import { hasPty, Pty } from './pty.ts';

export interface RigOptions {
  readonly instrument: string | InstrumentInput;
  readonly options?: Readonly<Record<string, OptionValue>>;
  readonly address?: string | number | null;
  readonly talk: readonly Dialog[];
  readonly everyMs?: number;
  readonly timeoutMs?: number;
  /** `tcp`: straight, where pauses within a reply matter: what carries bytes to a port is a process, which waits for its turn. */
  readonly through?: 'pty' | 'tcp';
  /** Done when the port is plugged in and the source is not started yet. */
  readonly before?: (emulator: InstrumentEmulator, pty: Pty | null) => Promise<void> | void;
}

export interface Rig {
  readonly sink: MemorySink;
  readonly emulator: InstrumentEmulator;
  /** Null where the machine has no pseudo-terminals, or none is wanted. */
  readonly pty: Pty | null;
  readonly reports: SourceReport[];
  /**
   * Wait until a condition of the sink holds.
   *
   * **Errors**: what the source says when it waits for a person: it will not go on.
   */
  readonly until: (isDone: () => boolean) => Promise<void>;
  readonly stop: () => Promise<void>;
  /** What ends the source: to see who listens. */
  readonly signal: AbortSignal;
}

/** What is to be done when the test has finished: `onTestFinished`, of the test's own context where tests run side by side. */
export type AtEnd = (work: () => Promise<void>) => void;

/** A profile with timing for tests: short gaps, no boot wait. */
function quickProfile(choice: Pick<RigOptions, 'instrument' | 'options' | 'address'>): InstrumentInput {
  const { instrument, options = {}, address = null } = choice;
  // A profile given whole has the timing that its test wants.
  if (typeof instrument !== 'string') return instrument;
  const profile = loadInstrument({ instrument, options, line: {}, address });
  return { ...profile, timing: { ...profile.timing, gap_ms: 2, settle_ms: 20 } };
}

/** Start a supervised source; it is stopped when the test has finished. */
export async function startRig(
  atEnd: AtEnd,
  options: RigOptions,
  extra: Partial<SerialSourceOptions> = {},
): Promise<Rig> {
  const emulator = await InstrumentEmulator.start(options.talk);
  const pty = hasPty && options.through !== 'tcp' ? await Pty.plug(emulator.tcpPort) : null;
  await options.before?.(emulator, pty);
  const sink = new MemorySink();
  const reports: SourceReport[] = [];
  const failed = Promise.withResolvers<never>();
  // Told to whoever waits; nobody need.
  failed.promise.catch(() => {});
  const abort = new AbortController();
  const hub = new LineHub();
  const source: SerialSourceOptions = {
    id: 'rig',
    port: pty?.path ?? `tcp://127.0.0.1:${emulator.tcpPort}`,
    instrument: quickProfile(options),
    options: {},
    line: {},
    address: null,
    everyMs: options.everyMs ?? 20,
    timeoutMs: options.timeoutMs ?? 300,
    expect: null,
    hub,
    ...extra,
  };
  const running = superviseSource({
    open: () => openSerialSource(source),
    sink,
    // Waits between two tries are short here; all other times are real.
    clock: { ...systemClock, sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 50), signal) },
    signal: abort.signal,
    onState: (report) => {
      reports.push(report);
      if (report.state === 'failed') failed.reject(report.error);
    },
  });
  const stop = async () => {
    abort.abort();
    await running;
  };
  atEnd(async () => {
    await stop();
    await pty?.remove();
    await emulator.stop();
  });
  const until = (isDone: () => boolean) => Promise.race([sink.until(isDone), failed.promise]);
  return { sink, emulator, pty, reports, until, stop, signal: abort.signal };
}
