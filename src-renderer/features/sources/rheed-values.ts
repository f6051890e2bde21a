import type { SourceEntry } from '../../state/sources.ts';
import { findBaudFault, findIdFault } from './field-checks.ts';

const counterTypes = ['images', 'movie', 'counter-file', 'log', 'serial'] as const;
export type CounterType = (typeof counterTypes)[number];

/** What the form of a frame counter holds; fields of other types wait unseen. */
export interface RheedValues {
  readonly id: string;
  readonly type: CounterType;
  readonly path: string;
  readonly match: string;
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
    port: text(counter.port),
    baud: text(counter.baud),
    ask: text(counter.ask),
    pattern: text(counter.pattern),
    fps: text(fps),
    rpm: text(rpm),
    start: session?.start ?? 'by-hand',
  };
}

/** Which fields a type has. */
export const fieldsOf: Readonly<
  Record<CounterType, readonly ('path' | 'match' | 'port' | 'baud' | 'ask' | 'pattern')[]>
> = {
  images: ['path', 'match'],
  movie: ['path', 'match'],
  'counter-file': ['path', 'pattern'],
  log: ['path', 'match', 'pattern'],
  serial: ['port', 'baud', 'ask', 'pattern'],
};

/** The entry as it would stand in the settings: what the form does not show stays, unless the type is another one. */
export function toRheedEntry(values: RheedValues, entry: SourceEntry | null): SourceEntry {
  const {
    counter: formerCounter,
    session: formerSession,
    ...rest
  } = (entry ?? {}) as Written & Record<string, unknown>;
  const { fps_capture_rate: _, rotation_rpm: __, ...former } = rest;
  const shown = ['path', 'match', 'port', 'baud', 'ask', 'pattern'];
  const isSame = formerCounter?.type === values.type;
  const kept = Object.entries(isSame ? (formerCounter ?? {}) : {}).filter(([name]) => !shown.includes(name));
  const filled = fieldsOf[values.type].filter((name) => values[name].trim() !== '');
  const own = filled.map((name) => [name, name === 'baud' ? Number(values[name]) : values[name].trim()]);
  const { start: ___, ...session } = formerSession ?? {};
  const wanted =
    values.start === 'by-hand' && formerSession?.start === undefined ? session : { ...session, start: values.start };
  return {
    ...former,
    id: values.id.trim(),
    kind: 'rheed',
    counter: { ...Object.fromEntries(kept), type: values.type, ...Object.fromEntries(own) },
    ...(values.fps.trim() === '' ? {} : { fps_capture_rate: Number(values.fps) }),
    ...(values.rpm.trim() === '' ? {} : { rotation_rpm: Number(values.rpm) }),
    ...(Object.keys(wanted).length === 0 ? {} : { session: wanted }),
  };
}

export type RheedFaults = Partial<Record<keyof RheedValues, string>>;

/** Find what cannot go to the agent as it stands, a sentence for each field; the agent checks everything again. */
export function findRheedFaults(values: RheedValues): RheedFaults {
  const faults: RheedFaults = {};
  const id = findIdFault(values.id);
  const has = (name: (typeof fieldsOf)['images'][number]) => fieldsOf[values.type].includes(name);
  if (id) faults.id = id;
  if (has('path') && values.path.trim() === '') faults.path = 'Name the folder or file that the camera writes.';
  if (values.type === 'images' && !/\{(frame|time)\}/.test(values.match)) {
    faults.match = 'Say where the number or the time stands, for example **/*_{frame}.bmp.';
  }
  if (has('port') && values.port.trim() === '') faults.port = 'Give a port such as COM3 or tcp://host:port.';
  const baud = has('baud') ? findBaudFault(values.baud) : undefined;
  if (baud) faults.baud = baud;
  const isPositive = (typed: string) => typed.trim() === '' || Number(typed) > 0;
  if (!isPositive(values.fps) || Number(values.fps) > 120)
    faults.fps = 'Give a number above 0, at most 120, or nothing.';
  if (!isPositive(values.rpm)) faults.rpm = 'Give a number above 0 such as 4.97, or nothing.';
  return faults;
}
