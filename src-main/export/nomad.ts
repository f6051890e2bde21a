// An archive for NOMAD beside the HDF5: the growth in the classes of nomad-material-processing. No Oasis was ever asked what it
// makes of it. Source: nomad-material-processing, vapor_deposition/general.py, pvd/{general,mbe,sputtering}.py.
//
// - Numbers are SI, times seconds since the start of the step, and instants carry their zone: NOMAD takes a naive one as UTC.
// - Only what was measured is written (`value`, `time`). `set_value` is not: the schema takes two of them as a linear ramp, and a
//   log does not say that.
// - A channel is taken for a quantity of the schema only where its unit and its name leave one reading; `description` says which
//   were taken as what, and that all others stand in the HDF5 alone.
//
// Bounds: numbers are read from the HDF5 and written POINTS_AT_ONCE at a time.
import { randomUUID } from 'node:crypto';
import type { Dataset } from 'h5wasm/node';
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

interface Chosen {
  readonly index: number;
  readonly name: string;
  readonly unit: string;
}

/** What the channels are in the schema; each index is that of a series. */
function choose({ series }: ExportHead) {
  // In names an underscore or a hyphen parts words.
  const all = series.map(({ channel, unit }, index) => ({ index, name: channel.replaceAll(/[_-]+/g, ' '), unit }));
  const of = (quantity: string) => all.filter(({ unit }) => toSi(unit)?.quantity === quantity);
  const only = (found: readonly Chosen[]) => (found.length === 1 ? (found[0] ?? null) : null);
  return {
    pressure: only(of('pressure')),
    substrate: only(of('temperature').filter(({ name }) => SUBSTRATE_WORDS.test(name))),
    flows: of('standardFlow'),
    sources: of('power').filter(({ name }) => SOURCE_WORDS.test(name) && !SUBSTRATE_WORDS.test(name)),
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
  const { File } = await loadHdf5();
  const file = new File(local, 'r');
  try {
    const mark = randomUUID();
    const text = JSON.stringify(archiveOf(head, nomadClass, fileName, mark), null, 1);
    for (const piece of text.split(new RegExp(`("${mark} \\d+ (?:time|value)")`))) {
      const [, index, what] = new RegExp(`^"${mark} (\\d+) (time|value)"$`).exec(piece) ?? [];
      if (index === undefined) yield piece;
      else
        yield* numbersOf(
          file.get(`${logPathOf(Number(index), head.series.length)}/${what}`) as Dataset,
          what === 'value' ? toSi(head.series[Number(index)]?.unit ?? '') : null,
        );
    }
  } finally {
    file.close();
  }
}

async function* numbersOf(dataset: Dataset, si: ReturnType<typeof toSi>): AsyncGenerator<string> {
  const count = dataset.shape?.[0] ?? 0;
  yield '[';
  for (let at = 0; at < count; at += POINTS_AT_ONCE) {
    const numbers = dataset.slice([[at, Math.min(count, at + POINTS_AT_ONCE)]]) as Float64Array;
    const converted = si ? Array.from(numbers, (number) => (number + si.offset) * si.factor) : [...numbers];
    yield (at === 0 ? '' : ',') + converted.join(',');
  }
  yield ']';
}

function archiveOf(head: ExportHead, nomadClass: string, fileName: string, mark: string) {
  const { title, fromMs, toMs, growth } = head;
  const chosen = choose(head);
  const startMs = Math.floor(fromMs);
  const seriesOf = ({ index }: Chosen) => ({ value: `${mark} ${index} value`, time: `${mark} ${index} time` });
  const captured = ({ index }: Chosen) => head.series[index]?.channel ?? '';
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
        ? { gas_flow: flows.map((flow) => ({ gas: { name: captured(flow) }, flow_rate: seriesOf(flow) })) }
        : {}),
    },
    ...(substrate ? { sample_parameters: [{ substrate_temperature: seriesOf(substrate) }] } : {}),
    ...(sources.length > 0
      ? { sources: sources.map((one) => ({ name: captured(one), vapor_source: { power: seriesOf(one) } })) }
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
    some.flatMap((one) => {
      const series = one && head.series[one.index];
      return series ? [`${what}: ${series.sourceId}/${series.channel}, captured in ${series.unit}.`] : [];
    });
  const taken = [
    ...named('Chamber pressure', [pressure]),
    ...named('Substrate temperature', [substrate]),
    ...named('Gas flow', flows),
    ...named('Power of a source', sources),
  ];
  const left = head.series.length - taken.length;
  return [
    `Captured by Epistream ${head.version}; all ${head.series.length} channels with their gaps are in ${fileName}.`,
    ...taken,
    `${left} channels are in that file alone: their names and units do not say what they are in this schema.`,
    ...(head.gaps.length > 0 ? [`${head.gaps.length} gaps: intervals without values, nothing was filled.`] : []),
    ...head.notes.map(({ timeMs, text }) => `${instant(timeMs)} ${text}`),
  ].join('\n');
}
