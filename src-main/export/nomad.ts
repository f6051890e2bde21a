// An archive for NOMAD beside the HDF5: the growth in the classes of nomad-material-processing. No Oasis was ever asked what it
// makes of it. Source: nomad-material-processing, vapor_deposition/general.py, pvd/{general,mbe,sputtering}.py.
//
// - Numbers are SI, times seconds since the start of the step, and instants carry their zone: NOMAD takes a naive one as UTC.
// - Only what was measured is written (`value`, `time`). `set_value` is not: the schema takes two of them as a linear ramp, and a
//   log does not say that.
// - A channel is taken for a quantity of the schema only where its unit and its name leave one reading; `description` says which
//   were taken as what, and that all others stand in the HDF5 alone.
//
// Bounds: one channel stands in memory while it is written, 30 bytes a point.
import { randomUUID } from 'node:crypto';
import type { Dataset, File } from 'h5wasm/node';
import { instant } from '../delivery/receipt/receipt-words.ts';
import { loadHdf5, logPathOf } from './nexus.ts';
import type { ExportHead } from './points.ts';
import { toSi } from './si-units.ts';

const POINTS_AT_ONCE = 8192;

export const NOMAD_CLASSES = {
  'nomad-mbe': 'nomad_material_processing.vapor_deposition.pvd.mbe.MolecularBeamEpitaxy',
  'nomad-sputter': 'nomad_material_processing.vapor_deposition.pvd.sputtering.SputterDeposition',
} as const;

const SOURCE_WORDS = /\b(source|cell|effusion|target|magnetron|cathode|gun)\b/i;
const SUBSTRATE_WORDS = /\bsubstrate\b/i;

/** A channel of a source, whatever its units were. */
interface Chosen {
  /** Its series: one for each unit that it had. */
  readonly series: readonly number[];
  readonly sourceId: string;
  readonly channel: string;
  readonly units: readonly string[];
}

/** What the channels are in the schema. */
function choose({ series }: ExportHead) {
  const channels = new Map<string, { -readonly [N in keyof Chosen]: Chosen[N] }>();
  for (const [index, { sourceId, channel, unit }] of series.entries()) {
    const key = JSON.stringify([sourceId, channel]);
    const one = channels.get(key) ?? { series: [], sourceId, channel, units: [] };
    channels.set(key, { ...one, series: [...one.series, index], units: [...one.units, unit] });
  }
  const of = (quantity: string) =>
    [...channels.values()].filter(({ units }) => units.every((unit) => toSi(unit)?.quantity === quantity));
  const only = (found: readonly Chosen[]) => (found.length === 1 ? (found[0] ?? null) : null);
  // In names an underscore or a hyphen parts words.
  const says = ({ channel }: Chosen, words: RegExp) => words.test(channel.replaceAll(/[_-]+/g, ' '));
  return {
    pressure: only(of('pressure')),
    substrate: only(of('temperature').filter((one) => says(one, SUBSTRATE_WORDS))),
    flows: of('standardFlow'),
    sources: of('power').filter((one) => says(one, SOURCE_WORDS) && !says(one, SUBSTRATE_WORDS)),
  };
}

/**
 * Write the archive.
 *
 * @param head - what is exported.
 * @param nomadClass - `m_def` of the entry.
 * @param local - the HDF5, on a local disk.
 * @param fileName - how the HDF5 is called where the archive will stand.
 * @returns pieces of JSON.
 */
export async function* nomadArchive(
  head: ExportHead,
  nomadClass: string,
  local: string,
  fileName: string,
): AsyncGenerator<string> {
  const h5 = await loadHdf5();
  const file = new h5.File(local, 'r');
  try {
    const mark = randomUUID();
    const text = JSON.stringify(archiveOf(head, nomadClass, fileName, mark), null, 1);
    for (const piece of text.split(new RegExp(`("${mark} [\\d,]+ (?:time|value)")`))) {
      const [, series, what] = new RegExp(`^"${mark} ([\\d,]+) (time|value)"$`).exec(piece) ?? [];
      if (series === undefined) yield piece;
      else yield* numbersOf(file, head, series.split(',').map(Number), what === 'value' ? 'value' : 'time');
    }
  } finally {
    file.close();
  }
}

async function* numbersOf(
  file: File,
  head: ExportHead,
  series: readonly number[],
  what: 'time' | 'value',
): AsyncGenerator<string> {
  const read = (index: number, name: string) => {
    const found = file.get(`${logPathOf(index, head.series.length)}/${name}`) as Dataset;
    return found.shape?.[0] ? (found.value as Float64Array) : new Float64Array(0);
  };
  const times = joined(series.map((index) => read(index, 'time')));
  const order = Uint32Array.from(times.keys()).sort((a, b) => (times[a] as number) - (times[b] as number) || a - b);
  const valuesOf = (index: number) => {
    const si = toSi(head.series[index]?.unit ?? '');
    return read(index, 'value').map((number) => inSi(number, si));
  };
  const numbers = what === 'time' ? times : joined(series.map(valuesOf));
  yield '[';
  for (let at = 0; at < order.length; at += POINTS_AT_ONCE) {
    const some = Array.from(order.subarray(at, at + POINTS_AT_ONCE), (i) => jsonNumber(numbers[i] as number));
    yield (at === 0 ? '' : ',') + some.join(',');
  }
  yield ']';
}

function joined(parts: readonly Float64Array[]): Float64Array {
  const whole = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** A zero keeps its sign where nothing is added. */
const inSi = (number: number, si: ReturnType<typeof toSi>): number =>
  si ? (si.offset === 0 ? number : number + si.offset) * si.factor : number;

/** JSON knows the sign of a zero, and no infinity: what no double can hold in SI is beyond every double there, too. */
function jsonNumber(number: number): string {
  if (Object.is(number, -0)) return '-0.0';
  return Number.isFinite(number) ? String(number) : `${number < 0 ? '-' : ''}1e999`;
}

function archiveOf(head: ExportHead, nomadClass: string, fileName: string, mark: string) {
  const { title, fromMs, toMs, growth } = head;
  const chosen = choose(head);
  const startMs = Math.floor(fromMs);
  const seriesOf = ({ series }: Chosen) => ({ value: `${mark} ${series} value`, time: `${mark} ${series} time` });
  const { pressure, substrate, flows, sources } = chosen;
  const part = growth?.parts.at(-1);
  const sample = part?.newSampleName ?? part?.sampleId ?? null;
  const step = {
    name: title,
    start_time: instant(startMs),
    duration: (toMs - startMs) / 1000,
    environment: {
      ...(pressure ? { pressure: seriesOf(pressure) } : {}),
      ...(flows.length > 0
        ? { gas_flow: flows.map((flow) => ({ gas: { name: flow.channel }, flow_rate: seriesOf(flow) })) }
        : {}),
    },
    ...(substrate ? { sample_parameters: [{ substrate_temperature: seriesOf(substrate) }] } : {}),
    ...(sources.length > 0
      ? { sources: sources.map((one) => ({ name: one.channel, vapor_source: { power: seriesOf(one) } })) }
      : {}),
  };
  return {
    data: {
      m_def: nomadClass,
      name: title,
      datetime: instant(growth?.startedMs ?? startMs),
      end_time: instant(growth?.endedMs ?? toMs),
      ...(growth ? { lab_id: growth.id } : {}),
      ...(sample === null ? {} : { samples: [{ name: sample }] }),
      description: descriptionOf(head, chosen, fileName),
      steps: [step],
    },
  };
}

function descriptionOf(head: ExportHead, chosen: ReturnType<typeof choose>, fileName: string): string {
  const { pressure, substrate, flows, sources } = chosen;
  const named = (what: string, some: readonly (Chosen | null)[]) =>
    some.flatMap((one) =>
      one ? [`${what}: ${one.sourceId}/${one.channel}, captured in ${one.units.join(', then ')}.`] : [],
    );
  const taken = [
    ...named('Chamber pressure', [pressure]),
    ...named('Substrate temperature', [substrate]),
    ...named('Gas flow', flows),
    ...named('Power of a source', sources),
  ];
  const all = new Set(head.series.map(({ sourceId, channel }) => JSON.stringify([sourceId, channel]))).size;
  const left = all - taken.length;
  return [
    `Captured by Epistream ${head.version}; all ${all} channels with their gaps are in ${fileName}.`,
    ...taken,
    `${left} channels are in that file alone: their names and units do not say what they are in this schema.`,
    ...(head.gaps.length > 0 ? [`${head.gaps.length} gaps: intervals without values, nothing was filled.`] : []),
    ...head.notes.map(({ timeMs, text }) => `${instant(timeMs)} ${text}`),
  ].join('\n');
}
