import type { OptionValue, SourceEntry } from '../../state/sources.ts';
import { findBaudFault, findIdFault, toSourceId } from './field-checks.ts';

type Line = Readonly<Record<string, unknown>>;

/** What the form of an instrument on a line holds. */
export interface SerialValues {
  readonly id: string;
  /** A path, `tcp://host:port`; with `adapter` the place where it is now. */
  readonly port: string;
  /** Number in the USB adapter by which the port is found; empty: by its path. */
  readonly adapter: string;
  /** Empty: none chosen, or described in the settings. */
  readonly instrument: string;
  readonly options: Readonly<Record<string, OptionValue>>;
  readonly address: string;
  /** A duration such as 1s; empty: as the instrument says. */
  readonly every: string;
  /** Baud rate; empty: as the instrument says. */
  readonly baud: string;
  /** Other settings of the line that differ; kept as they are. */
  readonly line: Line;
}

interface Written {
  readonly port?: string | { usb_serial?: string | null };
  readonly instrument?: unknown;
  readonly options?: SerialValues['options'];
  readonly address?: string | number | null;
  readonly every?: string | null;
  readonly line?: Line & { baud?: number };
}

/** The fields as they stand for an entry of the settings; null: those of a new one. */
export function toSerialValues(entry: SourceEntry | null): SerialValues {
  const {
    port = '',
    instrument = '',
    options = {},
    address = null,
    every = null,
    line = {},
  } = (entry ?? {}) as Written;
  const { baud, ...rest } = line;
  return {
    id: entry?.id ?? '',
    port: typeof port === 'string' ? port : '',
    adapter: typeof port === 'string' ? '' : (port.usb_serial ?? ''),
    instrument: typeof instrument === 'string' ? instrument : '',
    options,
    address: address === null ? '' : String(address),
    every: every ?? '',
    baud: baud === undefined ? '' : String(baud),
    line: rest,
  };
}

/** The instrument is described in the settings file itself; the form leaves that alone. */
export const isDescribed = (entry: SourceEntry | null): boolean =>
  typeof (entry as Written | null)?.instrument === 'object';

/** A number where it is one: addresses of some protocols are, of others are not. */
export function toAddress(text: string): string | number | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  return /^(0|[1-9]\d{0,4})$/.test(trimmed) ? Number(trimmed) : trimmed;
}

/** The entry as it would stand in the settings: what the form does not show stays. */
export function toSerialEntry(values: SerialValues, entry: SourceEntry | null): SourceEntry {
  const {
    options: _,
    address: __,
    every: ___,
    line: ____,
    port: formerPort,
    ...former
  } = (entry ?? {}) as Record<string, unknown>;
  const address = toAddress(values.address);
  const line = { ...(values.baud.trim() === '' ? {} : { baud: Number(values.baud) }), ...values.line };
  const adapter = { ...(typeof formerPort === 'object' ? formerPort : {}), usb_serial: values.adapter };
  return {
    ...former,
    id: toSourceId(values.id),
    kind: 'serial',
    port: values.adapter === '' ? values.port.trim() : adapter,
    ...(isDescribed(entry) && values.instrument === '' ? {} : { instrument: values.instrument }),
    ...(Object.keys(values.options).length === 0 ? {} : { options: values.options }),
    ...(address === null ? {} : { address }),
    ...(values.every.trim() === '' ? {} : { every: values.every.trim() }),
    ...(Object.keys(line).length === 0 ? {} : { line }),
  };
}

export type SerialFaults = Partial<Record<keyof SerialValues, string>>;

/** Find what cannot go to the agent as it stands, a sentence for each field; the agent checks everything again. */
export function findSerialFaults(values: SerialValues, entry: SourceEntry | null): SerialFaults {
  const faults: SerialFaults = {};
  const id = findIdFault(values.id);
  if (id) faults.id = id;
  if (values.port.trim() === '' && values.adapter === '')
    faults.port = 'Choose a port, or type COM3 or tcp://host:port.';
  if (values.instrument === '' && !isDescribed(entry)) faults.instrument = 'Choose the instrument.';
  const baud = findBaudFault(values.baud);
  if (baud) faults.baud = baud;
  return faults;
}
