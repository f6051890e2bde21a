// A serial instrument as a source: `openSerialSource` keeps the promise of source.ts with one SerialRun for each run.
import type { InstrumentInput, LineOverrides, OptionValue } from '../../model/instrument.ts';
import { type Clock, systemClock } from '../../platform/clock.ts';
import type { Source } from '../source.ts';
import type { PortReference } from './line/find-port.ts';
import type { LineHub } from './line/line-hub.ts';
import { SerialRun } from './poll/serial-run.ts';
import { compileProfile } from './profile/compile-profile.ts';
import { loadInstrument } from './profile/profile-library.ts';

export interface SerialSourceOptions {
  readonly id: string;
  /** A path, `tcp://host:port`, or a USB adapter by its number. */
  readonly port: PortReference;
  /** A name of resources/instruments, or the profile itself. */
  readonly instrument: string | InstrumentInput;
  readonly options: Readonly<Record<string, OptionValue>>;
  readonly line: LineOverrides;
  readonly address: string | number | null;
  /** Time between two polls, milliseconds; null: as the profile says. */
  readonly everyMs: number | null;
  /** Longest wait for a reply, milliseconds; null: as the profile says. */
  readonly timeoutMs: number | null;
  /** Part of the identity that a person expects; null: the one it had at first. */
  readonly expect: string | null;
  readonly hub: LineHub;
  readonly clock?: Clock;
}

/**
 * Make the source of a serial instrument.
 *
 * @param options - settings of the source, and the hub of lines that all sources share.
 * @returns a source that polls (or hears) until aborted. Its stamps are the steady clock at the first byte of a reply.
 * @throws throws AgentError when the profile cannot be used (`serial.profile-broken`, `serial.not-read-only`). `run` rejects
 *   when the line cannot be opened, is gone or stays silent; all of that may be tried again.
 */
export function openSerialSource(options: SerialSourceOptions): Source {
  const { id, port, hub, expect, everyMs, timeoutMs, clock = systemClock } = options;
  const profile = loadInstrument(options);
  const timing = timeoutMs === null ? profile.timing : { ...profile.timing, timeout_ms: timeoutMs };
  const driver = compileProfile({ ...profile, timing }, everyMs);
  return {
    id,
    kind: 'serial',
    run: (sink, signal) => new SerialRun({ id, port, driver, hub, clock, expect }, sink, signal).run(),
  };
}
