// Makes the demo data set in resources/demo, always the same: `npx n24 resources/scripts/make-demo.ts`.
// The story: an oxide film and a III-V stack, grown on two tools, measured afterwards.
import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import {
  createRandom,
  depthProfile,
  glow,
  normal,
  round,
  type SimsLayer,
  surveyCounts,
  titanateLines,
} from './demo-physics.ts';

const folder = join(import.meta.dirname, '..', 'demo');
const random = createRandom(20261120);
const GROWTH_START = Date.parse('2026-11-17T09:12:00Z');

/** An identifier that stays the same whenever the set is made again. */
function uuid(name: string): string {
  const hex = createHash('sha256').update(`epistream demo ${name}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

const at = (minutes: number) => new Date(GROWTH_START + minutes * 60_000).toISOString();
const csv = (header: string, rows: readonly (readonly number[])[]) =>
  `${header}\n${rows.map((row) => row.join()).join('\n')}\n`;

const samples = {
  titanate: { physical_sample_id: uuid('sample titanate'), name: 'STO-112 SrTiO3 on LSAT' },
  stack: { physical_sample_id: uuid('sample stack'), name: 'G3-047 GaAs/AlGaAs/InGaAs' },
  nickelate: { physical_sample_id: uuid('sample nickelate'), name: 'NNO-009 NdNiO3 on LaAlO3' },
};
const tags = {
  reference: { tag_id: uuid('tag reference'), name: 'reference' },
  inSitu: { tag_id: uuid('tag in situ'), name: 'in situ' },
  check: { tag_id: uuid('tag check'), name: 'to be checked' },
};
const projects = {
  oxides: {
    project_id: uuid('project oxides'),
    name: 'Oxide heterostructures',
    notes: 'Titanate buffers for nickelate films.',
    physical_sample_ids: [samples.titanate.physical_sample_id, samples.nickelate.physical_sample_id],
  },
  calibration: {
    project_id: uuid('project calibration'),
    name: 'III-V rate calibration',
    notes: 'Growth rates from SIMS of layer stacks.',
    physical_sample_ids: [samples.stack.physical_sample_id],
  },
};

interface EntryGiven {
  readonly name: string;
  readonly type: string;
  readonly minutes: number;
  readonly sample?: keyof typeof samples;
  readonly project?: keyof typeof projects;
  readonly tags?: readonly (keyof typeof tags)[];
  readonly status?: string;
}

function entry(given: EntryGiven, more: object = {}) {
  const { name, type, minutes, sample, project, status = 'success' } = given;
  return {
    data_id: uuid(`entry ${name}`),
    raw_name: name,
    char_source_type: type,
    pipeline_status: status,
    upload_datetime: at(minutes),
    physical_sample_id: sample ? samples[sample].physical_sample_id : null,
    tags: (given.tags ?? []).map((tag) => tags[tag].tag_id),
    projects: project ? [projects[project].project_id] : [],
    ...more,
  };
}

/** XPS survey of the titanate film, with the carbon that every sample picks up in air. */
function makeXps() {
  const fractions = { Sr: 0.186, Ti: 0.184, O: 0.565, C: 0.065 };
  const energies = Array.from({ length: 1301 }, (_, index) => round(650 - index * 0.5, 1));
  const counts = surveyCounts(titanateLines, fractions, energies, random);
  writeFileSync(
    join(folder, 'sto-112-survey.csv'),
    csv(
      'binding_energy_eV,counts',
      energies.map((energy, index) => [energy, counts[index] ?? 0]),
    ),
  );
  const measured = Object.entries(fractions).map(
    ([element, part]) => [element, round(part + 0.004 * normal(random), 4)] as const,
  );
  return entry(
    {
      name: 'sto-112-survey.csv',
      type: 'xps',
      minutes: 190,
      sample: 'titanate',
      project: 'oxides',
      tags: ['reference'],
    },
    {
      raw_file: 'sto-112-survey.csv',
      xps: {
        xps_id: uuid('xps titanate'),
        binding_energies: energies,
        intensities: counts,
        predicted_composition: Object.fromEntries(measured),
        composition_uncertainty: Object.fromEntries(
          measured.map(([element, part]) => [element, round(0.02 * part + 0.004, 4)]),
        ),
        set_elements: ['Sr', 'Ti', 'O', 'C'],
        predicted_elements: ['Sr', 'Ti', 'O', 'C'],
        predicted_formula: 'SrTiO3',
        detected_peaks: titanateLines
          .filter(({ sensitivity }) => sensitivity >= 1)
          .map(({ element, name, energyEv }) => ({ element, line: name, position: energyEv })),
        dict_formula: { Sr: 1, Ti: 1, O: 3 },
        last_updated: at(195),
      },
    },
  );
}

/** Atoms of one kind on their sublattice in GaAs, per cubic centimetre: 4 / (0.56533 nm)^3. */
const SITES = 2.214e22;

/** SIMS of the stack: GaAs cap, AlGaAs barrier, InGaAs well, GaAs substrate; silicon in the barrier. */
function makeSims() {
  const layers: SimsLayer[] = [
    { thicknessNm: 30, concentrations: { Ga: SITES, As: SITES } },
    { thicknessNm: 60, concentrations: { Al: 0.3 * SITES, Ga: 0.7 * SITES, As: SITES, Si: 2e18 } },
    { thicknessNm: 20, concentrations: { In: 0.2 * SITES, Ga: 0.8 * SITES, As: SITES } },
    { thicknessNm: 1000, concentrations: { Ga: SITES, As: SITES } },
  ];
  const depths = Array.from({ length: 361 }, (_, index) => round(index * 0.5, 1));
  const floors: Record<string, number> = { Al: 3e16, As: 1e17, Ga: 1e17, In: 2e15, Si: 4e15 };
  return entry(
    { name: 'g3-047-depth-profile.csv', type: 'sims', minutes: 1620, sample: 'stack', project: 'calibration' },
    {
      sims: Object.keys(floors).map((species) => ({
        id: uuid(`sims ${species}`),
        processed_data_id: uuid('sims processed'),
        species_name: species,
        depths,
        depth_units: 'nm',
        concentrations: depthProfile(layers, species, depths, { mixingNm: 2.2, floor: floors[species] ?? 0, random }),
        concentration_units: 'atoms/cm^3',
        species_metadata: { primary_ion: 'Cs+', impact_energy_keV: 1, detection_floor: floors[species] },
        last_updated: at(1630),
      })),
    },
  );
}

/** Temperature of the substrate during the growth, degrees Celsius: up, hold, down. */
function temperatureAt(seconds: number): number {
  const up = Math.min(1, seconds / 240);
  const down = Math.min(1, Math.max(0, (seconds - 1080) / 300));
  return 200 + 550 * up * (1 - down) + 1.2 * Math.sin(seconds / 37);
}

/** Growth rate of the film, nm/s: a unit cell of 0.3905 nm each 24 s, between 300 s and 1020 s. */
const RATE = 0.3905 / 24;
const thicknessAt = (seconds: number) => RATE * Math.min(Math.max(seconds - 300, 0), 720);

function makeMetrology() {
  const seconds = Array.from({ length: 1400 }, (_, index) => index);
  const series = (values: number[], units: string) => ({
    relative_time_seconds: seconds,
    unix_timestamp_ms: seconds.map((second) => GROWTH_START + second * 1000),
    values,
    units,
  });
  return entry(
    { name: 'sto-112-growth', type: 'metrology', minutes: 0, sample: 'titanate', project: 'oxides', tags: ['inSitu'] },
    {
      time_series: {
        properties: {
          thickness: series(
            seconds.map((s) => round(thicknessAt(s) + 0.02 * normal(random), 3)),
            'nm',
          ),
          temperature: series(
            seconds.map((s) => round(temperatureAt(s) + 0.4 * normal(random), 2)),
            'C',
          ),
        },
        series_max_time: 1399,
      },
    },
  );
}

/** RHEED of the growth: the specular spot oscillates once a unit cell and fades as the surface roughens. */
function makeRheed() {
  const fps = 30;
  const stepMs = 200;
  const times = Array.from({ length: 1080 * 5 }, (_, index) => index * stepMs);
  const intensity = times.map((ms) => {
    const layers = thicknessAt(ms / 1000) / 0.3905;
    const isGrowing = ms > 300_000 && ms < 1_020_000;
    const swing = isGrowing ? 42 * Math.exp(-layers / 14) * Math.cos(2 * Math.PI * layers) : 0;
    const level = 120 - 20 * (1 - Math.exp(-layers / 10)) + (isGrowing ? 0 : 8);
    return round(level + swing + 1.5 * normal(random), 2);
  });
  return entry(
    {
      name: 'sto-112-rheed.avi',
      type: 'rheed_video',
      minutes: 1,
      sample: 'titanate',
      project: 'oxides',
      tags: ['inSitu', 'reference'],
    },
    {
      rheed: {
        fps,
        total_frames: 1080 * fps,
        inner_start: 300 * fps,
        inner_end: 1020 * fps,
        outer_start: 240 * fps,
        outer_end: 1075 * fps,
      },
      time_series: {
        properties: {
          specular_intensity: {
            relative_time_seconds: times.map((ms) => ms / 1000),
            unix_timestamp_ms: times.map((ms) => GROWTH_START + ms),
            values: intensity,
            units: 'counts',
          },
        },
        series_max_time: (times.at(-1) ?? 0) / 1000,
      },
    },
  );
}

const FRAME = { width: 160, height: 120 };

/** The sample holder seen through the viewport: a square sample on a round plate, glowing as hot as it is. */
function drawFrame(temperatureC: number): Buffer {
  const image = new PNG({ ...FRAME, colorType: 2 });
  const plate = glow(temperatureC + 273.15 - 60);
  const sample = glow(temperatureC + 273.15);
  for (let y = 0; y < FRAME.height; y++) {
    for (let x = 0; x < FRAME.width; x++) {
      const [dx, dy] = [x - 80, (y - 60) * 1.15];
      const isSample = Math.abs(dx) < 18 && Math.abs(dy) < 18;
      const isPlate = Math.hypot(dx, dy) < 48;
      const wall = 14 + 6 * Math.exp(-Math.hypot(dx - 60, dy + 50) / 30);
      const colour = isSample ? sample : isPlate ? plate : [0, 0, 0];
      const noise = 2 * normal(random);
      for (const channel of [0, 1, 2]) {
        const level = (colour[channel] ?? 0) + wall * (isPlate ? 0.8 : 1) + noise;
        image.data[(y * FRAME.width + x) * 4 + channel] = Math.round(Math.min(255, Math.max(0, level)));
      }
      image.data[(y * FRAME.width + x) * 4 + 3] = 255;
    }
  }
  return PNG.sync.write(image, { colorType: 2 });
}

function makeOptical() {
  const minutes = [0, 1, 2, 3, 4, 10, 18, 19, 20, 21, 22, 23];
  const frames = minutes.map((minute, index) => {
    const file = `viewport-${String(index).padStart(2, '0')}.png`;
    writeFileSync(join(folder, file), drawFrame(temperatureAt(minute * 60)));
    return {
      image_uuid: uuid(`frame ${index}`),
      processed_file_metadata: { file_type: 'png', ...FRAME, time_seconds: minute * 60 },
      file,
    };
  });
  return entry(
    { name: 'sto-112-viewport', type: 'optical', minutes: 2, sample: 'titanate', project: 'oxides', tags: ['inSitu'] },
    { optical: { frames } },
  );
}

function layer(
  sample_name: string,
  substrate: string,
  layer_id: number,
  composition: string,
  elements: Record<string, number>,
  more: object,
) {
  return {
    sample_name,
    substrate,
    layer_id,
    composition_string: composition,
    element_dict: elements,
    orientation: '(001)',
    space_group: null,
    mp_id: null,
    detail_notes_id: null,
    detail_note_content: null,
    sample_metadata: { substrate_size_mm: [10, 10], miscut_degrees: 0.1 },
    ...more,
  };
}

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const stackName = 'GaAs/AlGaAs/InGaAs on GaAs';
const content = {
  physical_samples: Object.values(samples),
  tags: Object.values(tags),
  projects: Object.values(projects),
  instruments: [
    {
      source_name: 'MBE-1',
      source_label: 'Oxide MBE, eight cells',
      synth_source_type: 'mbe',
      source_metadata: { manufacture_year: 2019, serial_identifier: 'OX-0193', inputs: 8 },
    },
    {
      source_name: 'Sputter-2',
      source_label: 'Magnetron sputter, three guns',
      synth_source_type: 'sputter',
      source_metadata: { manufacture_year: 2014, serial_identifier: null, inputs: 3 },
    },
  ],
  target_materials: [
    layer(
      'SrTiO3 on LSAT',
      'LSAT (001)',
      1,
      'SrTiO3',
      { Sr: 1, Ti: 1, O: 3 },
      {
        space_group: 'Pm-3m',
        mp_id: 'mp-5229',
        detail_notes_id: uuid('note'),
        detail_note_content: '30 unit cells, 750 C, 1e-6 Torr oxygen.',
      },
    ),
    layer(stackName, 'GaAs (001)', 1, 'In0.2Ga0.8As', { In: 0.2, Ga: 0.8, As: 1 }, { space_group: 'F-43m' }),
    layer(stackName, 'GaAs (001)', 2, 'Al0.3Ga0.7As', { Al: 0.3, Ga: 0.7, As: 1 }, { space_group: 'F-43m' }),
    layer(stackName, 'GaAs (001)', 3, 'GaAs', { Ga: 1, As: 1 }, { space_group: 'F-43m', mp_id: 'mp-2534' }),
  ],
  data_entries: [
    makeMetrology(),
    makeRheed(),
    makeOptical(),
    makeXps(),
    makeSims(),
    entry({
      name: 'nno-009-before-anneal.tif',
      type: 'sem',
      minutes: 2900,
      sample: 'nickelate',
      project: 'oxides',
      status: 'error',
      tags: ['check'],
    }),
    entry({
      name: 'nno-009-raman.txt',
      type: 'raman',
      minutes: 2950,
      sample: 'nickelate',
      project: 'oxides',
      status: 'pending',
    }),
  ],
};
// A line an item, so that a fault's line number names one of them.
const headings = Object.entries(content).map(([heading, items]) => {
  return `"${heading}":[\n${items.map((item: unknown) => JSON.stringify(item)).join(',\n')}\n]`;
});
writeFileSync(join(folder, 'demo.json'), `{${headings.join(',\n')}}\n`);
