import { dirname, resolve } from 'node:path';
import type { ChannelLimit } from '../model/channel.ts';
import type { Dialect } from '../model/dialect.ts';
import type { ExportFormat } from '../model/export.ts';
import type { Instrument, LineOverrides, OptionValue } from '../model/instrument.ts';
import { type Backfill, isWholePath } from './fields.ts';
import { fillRheed, type RheedOwnSettings } from './rheed-settings.ts';
import {
  type CheckedFile,
  type Resend,
  type ROLLOVERS,
  resendOf,
  UPLOAD_WINDOW_MAX,
  type UpdatesWhen,
} from './schema.ts';

type Rollover = (typeof ROLLOVERS)[number];

export interface ServiceSettings {
  /** `embedded`, or an address without trailing slash. */
  readonly url: string;
  /** Absolute path of a PEM file; null: the usual authorities. */
  readonly caFile: string | null;
  /** `system`, `none`, or the address of a proxy. */
  readonly proxy: string;
  readonly resend: Resend;
  /** Chunks of a stream that may be on their way at a time; 1 under `verify`. */
  readonly uploadWindow: number;
  /** Path templates that hold `{data_id}`; null: the call is not made. */
  readonly finalize: { readonly toolState: string | null; readonly rheed: string | null };
  /** Paths of chunks and series, in the order in which they are tried; none: those of the interface. */
  readonly paths: { readonly ingestChunk: readonly string[]; readonly readTimeSeries: readonly string[] };
}

interface ToolSettings {
  readonly name: string;
  readonly synthSourceId: number | null;
  /** IANA name. */
  readonly timeZone: string;
}

/** How the streams of one source are cut; resolved from the source and the defaults. */
interface StreamSettings {
  /** 1 to 1000, or `auto`. */
  readonly pointsPerChunk: number | 'auto';
  readonly rollover: Rollover;
  /** Null: a quiet stream is never closed. */
  readonly closeAfterQuietMs: number | null;
}

export interface LogSourceSettings extends StreamSettings {
  readonly id: string;
  readonly kind: 'log';
  /** Absolute path of the folder; a relative one is resolved against the settings file's folder. */
  readonly path: string;
  /** Glob with `/`. */
  readonly match: string;
  /** `auto`, the name of a dialect, or the dialect itself with its defaults filled in. */
  readonly dialect: string | Dialect;
  /** IANA name of the zone of stamps that carry none. */
  readonly timeZone: string;
  /** `ask`: nobody has said; old data is skipped, and the source asks. */
  readonly backfill: Backfill | 'ask';
  /** Files named by run that follow one another: one log, or things of their own. */
  readonly runs: 'continue' | 'apart';
  /** What is done where the columns of a file change on its way. */
  readonly columnsChange: 'ask' | 'accept';
}

interface SimulatorSourceSettings extends StreamSettings {
  readonly id: string;
  readonly kind: 'simulator';
  /** 0 to 2^32 - 1. */
  readonly seed: number;
  /** Growth time per real time, above 0 to 1000. */
  readonly speed: number;
  /** Real time between two readings, 10 ms to 1 h. */
  readonly intervalMs: number;
  /** A camera beside the growth, in a folder of its own; absent: none. */
  readonly camera?: { readonly folder: string; readonly fps: number; readonly keep: number };
}

export interface SerialSourceSettings extends StreamSettings {
  readonly id: string;
  readonly kind: 'serial';
  /** A path, `tcp://host:port`, or a USB adapter by what is written in it. */
  readonly port:
    | string
    | { readonly usbSerial: string | null; readonly vid: string | null; readonly pid: string | null };
  /** A name of resources/instruments, or the instrument itself. */
  readonly instrument: string | Instrument;
  readonly options: Readonly<Record<string, OptionValue>>;
  readonly address: string | number | null;
  /** Null: as the instrument says. */
  readonly everyMs: number | null;
  readonly timeoutMs: number | null;
  readonly line: LineOverrides;
  readonly expect: string | null;
}

export interface RheedSourceSettings extends StreamSettings, RheedOwnSettings {}

export type SourceSettings = RheedSourceSettings | LogSourceSettings | SerialSourceSettings | SimulatorSourceSettings;

/** What begins and ends growths, and what is written after them. */
interface GrowthSettings {
  /** Absolute path of the folder of run-start and run-end files; null: none. */
  readonly runFiles: string | null;
  /** Files that are written once a growth has ended, each into a folder by its absolute path. */
  readonly after: readonly { readonly format: ExportFormat; readonly folder: string }[];
}

/** Updates of the installed desktop program. */
export interface UpdatesSettings {
  /** Folder of a web server, without trailing slash; null: none. */
  readonly url: string | null;
  readonly when: UpdatesWhen;
}

/** A mail server, and who gets mail by it. */
export interface MailSettings {
  readonly host: string;
  readonly port: number;
  readonly secure: 'starttls' | 'tls' | 'none';
  readonly from: string;
  readonly to: readonly string[];
  /** Null: no log-in. */
  readonly user: string | null;
}

/** Where alarms are sent; null: not there. */
export interface AlarmSettings {
  readonly webhook: string | null;
  readonly mail: MailSettings | null;
}

/** The settings of an agent with every default filled in. */
export interface Settings {
  readonly version: 1;
  readonly service: ServiceSettings;
  readonly tool: ToolSettings;
  readonly streamDefaults: StreamSettings;
  readonly growth: GrowthSettings;
  readonly updates: UpdatesSettings;
  /** Keep the PC awake while recording. */
  readonly keepAwake: boolean;
  readonly alarm: AlarmSettings;
  readonly limits: readonly ChannelLimit[];
  readonly sources: readonly SourceSettings[];
}

/**
 * Fill in what a checked file leaves open.
 *
 * @param checked - the file's content.
 * @param file - its path: relative paths in it count from its folder.
 * @returns settings in which nothing is absent; the zone of this PC where the tool names none.
 */
export function fillSettings(checked: CheckedFile, file: string): Settings {
  const whole = (path: string) => (isWholePath(path) ? path : resolve(dirname(file), path));
  const { service, tool } = checked;
  const timeZone = tool.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const streamDefaults: StreamSettings = {
    pointsPerChunk: checked.stream_defaults.points_per_chunk,
    rollover: checked.stream_defaults.rollover,
    closeAfterQuietMs: checked.stream_defaults.close_after_quiet,
  };
  const sources = checked.sources.map((source): SourceSettings => {
    const { id, points_per_chunk: pointsPerChunk = streamDefaults.pointsPerChunk } = source;
    if (source.kind === 'simulator') {
      const { kind, seed, speed, interval: intervalMs } = source;
      return { id, kind, seed, speed, intervalMs, ...streamDefaults, pointsPerChunk };
    }
    if (source.kind === 'rheed') {
      return { ...fillRheed(source, whole, timeZone), ...streamDefaults, pointsPerChunk };
    }
    if (source.kind === 'serial') {
      const { kind, instrument, options, address, every, timeout, line, expect } = source;
      const { usb_serial: usbSerial = null, ...usb } = typeof source.port === 'string' ? {} : source.port;
      const port = typeof source.port === 'string' ? source.port : { vid: null, pid: null, ...usb, usbSerial };
      const own = { port, instrument, options, address, everyMs: every, timeoutMs: timeout, line, expect };
      return { id, kind, ...own, ...streamDefaults, pointsPerChunk };
    }
    const { kind, match, dialect, backfill = 'ask', rollover = streamDefaults.rollover } = source;
    const { runs, columns_change: columnsChange } = source;
    const place = { path: whole(source.path), match, timeZone: source.time_zone ?? timeZone };
    return { id, kind, ...place, dialect, backfill, runs, columnsChange, ...streamDefaults, pointsPerChunk, rollover };
  });
  const resend = resendOf(service);
  return {
    version: checked.version,
    service: {
      url: service.url,
      proxy: service.proxy,
      caFile: service.ca_file === null ? null : whole(service.ca_file),
      resend,
      uploadWindow: service.upload_window ?? (resend === 'repeat' ? UPLOAD_WINDOW_MAX : 1),
      finalize: { toolState: service.finalize?.tool_state ?? null, rheed: service.finalize?.rheed ?? null },
      paths: { ingestChunk: service.paths.chunk ?? [], readTimeSeries: service.paths.series ?? [] },
    },
    tool: { name: tool.name, synthSourceId: tool.synth_source_id, timeZone },
    streamDefaults,
    growth: {
      runFiles: checked.growth.run_files === null ? null : whole(checked.growth.run_files),
      after: checked.growth.after.map(({ export: format, to }) => ({ format, folder: whole(to) })),
    },
    updates: checked.updates,
    keepAwake: checked.keep_awake,
    alarm: checked.alarm,
    limits: checked.limits.map(fillLimit),
    sources,
  };
}

/** Fill in what an entry leaves open. */
function fillLimit(entry: CheckedFile['limits'][number]): ChannelLimit {
  const { source: sourceId, on_delay: onDelayMs, off_delay: offDelayMs, while: when, ...rest } = entry;
  return { sourceId, onDelayMs, offDelayMs, isAlways: when === 'always', ...rest };
}
