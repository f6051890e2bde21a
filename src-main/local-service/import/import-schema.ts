// What an import file holds: JSON in the shapes of the interface's part 2, under plain headings. UUIDs and numbers may be
// left out where nothing refers to them; what is given is kept. Files stand beside the import file and are named by path.
import { z } from 'zod';
import {
  DataEntry,
  Instrument,
  OpticalFrame,
  RheedMetadata,
  SimsProfile,
  synthSourceTypes,
  TargetMaterialLayer,
  TimeSeries,
  XpsResult,
} from '../../interface/resources.ts';

const name = z.string().min(1).max(1000);
const uuid = z.string().regex(/^[0-9A-Za-z-]{1,64}$/, 'expected a UUID');
const file = z.string().min(1).describe('Path of a file, from the folder of the import file');

const Sample = z.strictObject({ physical_sample_id: uuid, name });
const Project = z.strictObject({
  project_id: uuid,
  name,
  notes: z.string().nullish(),
  physical_sample_ids: z.array(uuid).default([]),
});
const Tag = z.strictObject({ tag_id: uuid, name });
const ImportedInstrument = Instrument.extend({
  synth_source_id: z.int().positive().nullish(),
  source_name: name,
  source_label: name,
  synth_source_type: z.enum(synthSourceTypes),
});
const Layer = TargetMaterialLayer.extend({ sample_name: name, layer_id: z.int() });
const Frame = OpticalFrame.extend({ image_uuid: uuid, file });

const Entry = DataEntry.extend({
  data_id: uuid,
  raw_name: name,
  char_source_type: name,
  upload_datetime: z.iso.datetime({ offset: true }),
  tags: z.array(z.string()).default([]).describe('UUIDs of tags of this file'),
  projects: z.array(z.string()).default([]).describe('UUIDs of projects of this file'),
  raw_file: file.optional().describe('The original file'),
  rheed: RheedMetadata.omit({ data_id: true }).optional(),
  optical: z.looseObject({ frames: z.array(Frame) }).optional(),
  xps: XpsResult.optional(),
  sims: z.array(SimsProfile.extend({ species_name: name })).optional(),
  time_series: TimeSeries.optional(),
});

/** An import file. Headings it does not have add nothing. */
export const ImportFile = z.strictObject({
  physical_samples: z.array(Sample).default([]),
  projects: z.array(Project).default([]),
  tags: z.array(Tag).default([]),
  instruments: z.array(ImportedInstrument).default([]),
  target_materials: z.array(Layer).default([]),
  data_entries: z.array(Entry).default([]),
});

export type ImportFile = z.infer<typeof ImportFile>;
export type ImportEntry = z.infer<typeof Entry>;
