import type { Argument } from '../../../src-main/contract/table.ts';
import { fieldFaults } from '../../format/field-faults.ts';
import type { SourceEntry } from '../../state/sources.ts';
import { USUAL_MATCH } from '../../ui/sources/log-fields.tsx';
import { findIdFault, toSourceId } from './field-checks.ts';

/** What the form of a log folder holds. */
export interface LogValues {
  readonly id: string;
  readonly path: string;
  readonly match: string;
  /** `auto`, a name, or empty: `described` holds it. */
  readonly dialect: string;
  /** What the form cannot show in its fields; null: nothing. */
  readonly described: Mapping | null;
  readonly timeFormat: string;
  /** Empty: as the tool. */
  readonly timeZone: string;
  readonly backfill: 'from-now' | 'all' | 'date';
  readonly backfillDate: string;
}

type Mapping = Record<string, unknown> & { time?: Record<string, unknown>; like?: string };

const isMapping = (value: unknown): value is Mapping => typeof value === 'object' && value !== null;

/** The fields as they stand for an entry of the settings; null: those of a new one. */
export function toLogValues(entry: SourceEntry | null): LogValues {
  const {
    path = '',
    match = USUAL_MATCH,
    dialect = 'auto',
    time_zone: zone = '',
    backfill = 'from-now',
  } = (entry ?? {}) as { path?: string; match?: string; dialect?: unknown; time_zone?: string; backfill?: string };
  const isDate = /^\d/.test(backfill);
  return {
    id: entry?.id ?? '',
    path,
    match: entry === null ? match : ((entry as { match?: string }).match ?? '**/*'),
    ...toDialectFields(dialect),
    timeZone: zone,
    backfill: isDate ? 'date' : (backfill as 'from-now' | 'all'),
    backfillDate: isDate ? backfill : '',
  };
}

/** The fields that say a dialect: as in the settings, or as an answer to a question of the preview. */
export function toDialectFields(dialect: unknown): Pick<LogValues, 'dialect' | 'described' | 'timeFormat'> {
  if (!isMapping(dialect)) return { dialect: String(dialect), described: null, timeFormat: '' };
  const timeFormat = String(dialect.time?.format ?? '');
  if (isOnlyTime(dialect)) return { dialect: dialect.like ?? 'auto', described: null, timeFormat };
  return { dialect: '', described: dialect, timeFormat };
}

/** Nothing but a time format, and perhaps what it is like: the form can say that. */
function isOnlyTime({ like: _, time, ...rest }: Mapping): boolean {
  return Object.keys(rest).length === 0 && Object.keys(time ?? {}).every((key) => key === 'format');
}

/** The dialect as the settings say it; the described one keeps all that the form does not show. */
function toDialect({ dialect, described, timeFormat }: LogValues): string | Mapping {
  const format = timeFormat.trim();
  if (dialect === '' && described !== null) {
    const { format: _, ...time } = described.time ?? {};
    const wanted = format === '' ? time : { ...time, format };
    const { time: __, ...rest } = described;
    return Object.keys(wanted).length === 0 ? rest : { ...rest, time: wanted };
  }
  if (format === '') return dialect;
  return { ...(dialect === 'auto' ? {} : { like: dialect }), time: { format } };
}

/**
 * Form the argument of `source.previewLog`: the part of the values that decides what a preview shows, and the zone of the
 * entry where another one replaces it.
 */
export function toLogQuestion(
  values: LogValues,
  toolZone: string,
  entry: SourceEntry | null,
): Argument<'source', 'previewLog'> {
  const { path, match, timeZone } = values;
  const dialect = toDialect(values);
  const zone = timeZone || toolZone;
  const oldZone = entry && (toLogValues(entry).timeZone || toolZone);
  const change = oldZone === null || oldZone === zone ? {} : { oldZone };
  return { folder: path.trim(), match: match.trim(), timeZone: zone, ...change, timeFormat: '', dialect };
}

/** The entry as it would stand in the settings: what the form does not show stays. */
export function toLogEntry(values: LogValues, entry: SourceEntry | null): SourceEntry {
  const dialect = toDialect(values);
  const { time_zone: _, dialect: __, ...former } = (entry ?? {}) as Record<string, unknown>;
  return {
    ...former,
    id: toSourceId(values.id),
    kind: 'log',
    path: values.path.trim(),
    match: values.match.trim(),
    ...(dialect === 'auto' ? {} : { dialect }),
    ...(values.timeZone === '' ? {} : { time_zone: values.timeZone }),
    backfill: values.backfill === 'date' ? values.backfillDate.trim() : values.backfill,
  };
}

export type LogFaults = Partial<Record<keyof LogValues, string>>;

/** Find what cannot go to the agent as it stands, a sentence for each field; the agent checks everything again. */
export function findLogFaults(values: LogValues): LogFaults {
  const faults: LogFaults = {};
  const id = findIdFault(values.id);
  if (id) faults.id = id;
  if (values.path.trim() === '') faults.path = fieldFaults.folder;
  if (values.match.trim() === '') faults.match = fieldFaults.match;
  if (values.backfill === 'date' && !/^\d{4}-\d\d-\d\d$/.test(values.backfillDate.trim())) {
    faults.backfillDate = 'Give the first day, for example 2026-11-01.';
  }
  return faults;
}
