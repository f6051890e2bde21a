import { parseDecimal } from '../../format/number.ts';
import type { SourceEntry } from '../../state/sources.ts';
import { findBaudFault, findIdFault, toSourceId } from './field-checks.ts';

const counterTypes = ['images', 'movie', 'counter-file', 'log', 'serial'] as const;
export type CounterType = (typeof counterTypes)[number];

/** What the form of a frame counter holds; fields of other types wait unseen. */
export interface RheedValues {
  readonly id: string;
  readonly type: CounterType;
  readonly path: string;
  readonly match: string;
  /** How `{time}` in the pattern is written; empty: it has none. */
  readonly timeFormat: string;
  readonly port: string;
  readonly baud: string;
  readonly ask: string;
  readonly pattern: string;
  readonly fps: string;
  readonly rpm: string;
  readonly start: 'by-hand' | 'by-counter';
}

interface Written {
  readonly counter?: Record<string, unknown> & { type?: CounterType };
  readonly fps_capture_rate?: number | null;
  readonly rotation_rpm?: number | null;
  readonly session?: Record<string, unknown> & { start?: RheedValues['start'] };
}

const text = (value: unknown) => (value === undefined || value === null ? '' : String(value));

/** The fields as they stand for an entry of the settings; null: those of a new one. */
export function toRheedValues(entry: SourceEntry | null): RheedValues {
  const { counter = {}, fps_capture_rate: fps, rotation_rpm: rpm, session } = (entry ?? {}) as Written;
  return {
    id: entry?.id ?? '',
    type: counter.type ?? 'images',
    path: text(counter.path),
    match: text(counter.match),
    timeFormat: text(counter.time_format),
    port: text(counter.port),
    baud: text(counter.baud),
    ask: text(counter.ask),
    pattern: text(counter.pattern),
    fps: text(fps),
    rpm: text(rpm),
    start: session?.start ?? 'by-hand',
  };
}

type OwnField = 'path' | 'match' | 'timeFormat' | 'port' | 'baud' | 'ask' | 'pattern';

/** What a field is called in the settings, where it is called something else. */
const settingOf: Readonly<Partial<Record<OwnField, string>>> = { timeFormat: 'time_format' };

/** Which fields a type has. */
const fieldsOf: Readonly<Record<CounterType, readonly OwnField[]>> = {
  images: ['path', 'match', 'timeFormat'],
  movie: ['path', 'match'],
  'counter-file': ['path', 'pattern'],
  log: ['path', 'match', 'pattern'],
  serial: ['port', 'baud', 'ask', 'pattern'],
};

const HAS_TIME = /\{time\}/;
const HAS_PLACE = /\{(frame|time)\}/;

/** The fields that are shown: how a time is written is asked only where the pattern has one. */
export const shownFieldsOf = ({ type, match }: RheedValues): readonly OwnField[] =>
  fieldsOf[type].filter((name) => name !== 'timeFormat' || HAS_TIME.test(match));

/** The pattern does not say yet where the number or the time stands: the folder can tell. */
const isMatchOpen = ({ type, match }: RheedValues): boolean => type === 'images' && !HAS_PLACE.test(match);

/** The entry as it would stand in the settings: what the form does not show stays, unless the type is another one. */
export function toRheedEntry(values: RheedValues, entry: SourceEntry | null): SourceEntry {
  const {
    counter: formerCounter,
    session: formerSession,
    ...rest
  } = (entry ?? {}) as Written & Record<string, unknown>;
  const { fps_capture_rate: _, rotation_rpm: __, ...former } = rest;
  const shown = ['path', 'match', 'time_format', 'port', 'baud', 'ask', 'pattern'];
  const isSame = formerCounter?.type === values.type;
  const kept = Object.entries(isSame ? (formerCounter ?? {}) : {}).filter(([name]) => !shown.includes(name));
  const filled = shownFieldsOf(values).filter((name) => values[name].trim() !== '');
  const own = filled.map((name) => [
    settingOf[name] ?? name,
    name === 'baud' ? Number(values[name]) : values[name].trim(),
  ]);
  const { start: ___, ...session } = formerSession ?? {};
  const wanted =
    values.start === 'by-hand' && formerSession?.start === undefined ? session : { ...session, start: values.start };
  return {
    ...former,
    id: toSourceId(values.id),
    kind: 'rheed',
    counter: { ...Object.fromEntries(kept), type: values.type, ...Object.fromEntries(own) },
    ...(values.fps.trim() === '' ? {} : { fps_capture_rate: parseDecimal(values.fps) }),
    ...(values.rpm.trim() === '' ? {} : { rotation_rpm: parseDecimal(values.rpm) }),
    ...(Object.keys(wanted).length === 0 ? {} : { session: wanted }),
  };
}

export type RheedFaults = Partial<Record<keyof RheedValues, string>>;

/** Find what cannot go to the agent as it stands, a sentence for each field; the agent checks everything again. */
export function findRheedFaults(values: RheedValues): RheedFaults {
  const faults: RheedFaults = {};
  const id = findIdFault(values.id);
  const has = (name: OwnField) => fieldsOf[values.type].includes(name);
  if (id) faults.id = id;
  if (has('path') && values.path.trim() === '') faults.path = 'Name the folder or file that the camera writes.';
  if (isMatchOpen(values)) faults.match = 'Start the test: it finds the pattern in the folder.';
  if (has('port') && values.port.trim() === '') faults.port = 'Give a port such as COM3 or tcp://host:port.';
  const baud = has('baud') ? findBaudFault(values.baud) : undefined;
  if (baud) faults.baud = baud;
  const isPositive = (typed: string) => typed.trim() === '' || (parseDecimal(typed) ?? 0) > 0;
  if (!isPositive(values.fps) || (parseDecimal(values.fps) ?? 0) > 120)
    faults.fps = 'Give a number above 0, at most 120, or nothing.';
  if (!isPositive(values.rpm)) faults.rpm = 'Give a number above 0 such as 4.97, or nothing.';
  return faults;
}
