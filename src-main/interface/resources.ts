// Every resource of the service, field by field: meaning, unit, shape, and where it comes from. Of an answer, only what
// the agent cannot do without is required; all else may be missing or null. Unknown fields are kept, and open lists
// (statuses, source types) are plain text. The numbers in brackets are the parts of the service's interface.
import { z } from 'zod';
import { CHANNEL_NAME_MAX } from '../model/channel.ts';
import { listOf, mapOf, maybe, numbers } from './shape.ts';

const iso = z.string().meta({ format: 'date-time' });
/** Told as a UUID to readers of the interface, and taken as any text: the agent repeats what the service gave. */
const uuid = z.string().meta({ format: 'uuid' });
const composition = mapOf(z.number().nullable());

/** Tag or project inside an entry. The interface leaves the item open; seen are `{id, name}` and a bare string. */
const Label = z.union([
  z.string(),
  z.looseObject({
    id: maybe(uuid).describe('UUID'),
    name: maybe(z.string()).describe('Name'),
  }),
]);

/** Catalogue item (2.1). */
export const DataEntry = z.looseObject({
  data_id: uuid.describe('Data entry identifier, UUID; given by the service'),
  raw_name: maybe(z.string()).describe('Original file name of an upload, or the name a stream was started with'),
  char_source_type: maybe(z.string()).describe(
    'Kind of characterization, open list: rheed_video, xps, sem, optical, raman, photoluminescence, metrology, tool_state, ...',
  ),
  pipeline_status: maybe(z.string()).describe(
    'State of the processing, open list: success, pending, error, running, ...',
  ),
  upload_datetime: maybe(iso).describe('Time of upload or of the start of the stream, ISO 8601'),
  last_accessed_datetime: maybe(iso).describe('Time the data were last read, ISO 8601'),
  physical_sample_id: maybe(uuid).describe('UUID of the physical sample measured; null when none is linked'),
  physical_sample_name: maybe(z.string()).describe('Name of that physical sample'),
  tags: maybe(listOf(Label)).describe('Tags on the entry, each {id, name} or a bare name'),
  projects: maybe(listOf(Label)).describe('Projects the entry belongs to, each {id, name} or a bare name'),
});

/** One property of a time series (2.2). The three arrays have the same length. */
const Series = z.looseObject({
  relative_time_seconds: numbers.describe('Times since the start of the measurement, seconds'),
  unix_timestamp_ms: numbers.describe('Unix times, whole milliseconds'),
  values: numbers.describe('Measured values, in `units`'),
  units: maybe(z.string()).describe('Unit of the values, as the sender stated it; null when never stated'),
});

/** Metrology time series (2.2). Each property has its own time base. */
export const TimeSeries = z.looseObject({
  properties: mapOf(Series).describe('Map from property (channel) name to its series'),
  series_max_time: maybe(z.number()).describe('Largest relative_time_seconds over all properties, seconds'),
});

/** One channel of a chunk (2.3), as it is sent. Both arrays have the same length, at least 1. */
export const ChunkChannel = z.object({
  timestamps: listOf(z.number(), { min: 1 }).describe('Unix times, seconds, fractions allowed; finite'),
  values: listOf(z.number(), { min: 1 }).describe('Measured values in `units`; finite'),
  units: maybe(z.string()).describe('Unit of the values, as instrument or log states it'),
});

/** Name of a channel. Half of a surrogate pair cannot be written as UTF-8: stored, it would become another name. */
export const ChannelName = z
  .string()
  .min(1)
  .max(CHANNEL_NAME_MAX)
  .refine((name) => name.isWellFormed(), 'not well-formed Unicode');

/** Channels of a chunk by name (2.3). */
export const ChunkChannels = mapOf(ChunkChannel, ChannelName)
  .refine((channels) => Object.keys(channels).length > 0, 'expected at least one channel')
  .meta({ minProperties: 1 });

/** What the service says it holds of a channel after a chunk (2.3). The agent counts on every field. */
export const ChunkReceipt = z.looseObject({
  data_id: uuid.describe('Stream the chunk went to, UUID'),
  channel_name: z.string().describe('Channel concerned'),
  chunk_index: z.int().describe('Index of the chunk that was stored'),
  total_points: z.int().nonnegative().describe('Points now stored for this channel, all chunks together'),
});

/** Result of starting a tool-state stream (2.4). */
export const StreamStart = z.looseObject({
  data_id: uuid.describe('Data entry of the stream, UUID: where chunks go and the series is read'),
  processed_data_id: maybe(uuid).describe('Processed tool-state entry, UUID'),
});

/** Settings of a RHEED streaming session (2.5). Unset values are null. */
export const RheedSettings = z.looseObject({
  data_item_name: maybe(z.string()).describe('Name of the session'),
  fps_capture_rate: maybe(z.number()).describe(
    'Capture rate of the recording source, frames per second, above 0, at most 120',
  ),
  project_id: maybe(uuid).describe('UUID of the project'),
  physical_sample_id: maybe(uuid).describe('UUID of the physical sample'),
  create_physical_sample_name: maybe(z.string()).describe('Name of the physical sample that the start created'),
  rotational_period: maybe(z.number()).describe(
    'Period of the sample rotation: frames per turn here, seconds in the start request',
  ),
  rotations_per_min: maybe(z.number()).describe('Turns per minute, whole number'),
});

/** Processed RHEED video (2.6). */
export const RheedMetadata = z.looseObject({
  data_id: uuid.describe('Data entry, UUID'),
  fps: maybe(z.number()).describe('Frame rate of the video, frames per second'),
  total_frames: maybe(z.int()).describe('Frames in the video'),
  inner_start: maybe(z.int()).describe('First frame of the inner analysis window; null when not set'),
  inner_end: maybe(z.int()).describe('Last frame of the inner analysis window; null when not set'),
  outer_start: maybe(z.int()).describe('First frame of the outer analysis window; null when not set'),
  outer_end: maybe(z.int()).describe('Last frame of the outer analysis window; null when not set'),
});

/** Saved frame of an optical video (2.7). */
export const OpticalFrame = z.looseObject({
  image_uuid: maybe(uuid).describe('UUID of the frame image'),
  processed_file_metadata: maybe(
    z.looseObject({
      file_type: maybe(z.string()).describe('Image type, for example png'),
      width: maybe(z.int()).describe('Width, pixels'),
      height: maybe(z.int()).describe('Height, pixels'),
    }),
  ).describe('File of the processed frame'),
});

/** Saved frames of an optical video (2.7). */
export const OpticalFrames = z.looseObject({
  video_uuid: maybe(uuid).describe('UUID of the video'),
  frames: maybe(listOf(OpticalFrame)).describe('Saved frames, in order'),
});

/** Peak of an XPS spectrum (2.8): an element label and a position; the names of the two are not given. */
const XpsPeak = z.looseObject({});

/** XPS result (2.8). */
export const XpsResult = z.looseObject({
  data_id: maybe(uuid).describe('Data entry, UUID'),
  xps_id: maybe(z.union([z.string(), z.number()])).describe('Identifier of the result'),
  binding_energies: maybe(numbers).describe('Binding energies, eV'),
  intensities: maybe(numbers).describe('Counts at those energies; same length'),
  predicted_composition: maybe(composition).describe('Composition found: element symbol to atomic fraction, 0 to 1'),
  composition_uncertainty: maybe(composition).describe('Uncertainty of those fractions: element symbol to fraction'),
  set_elements: maybe(listOf(z.string().nullable())).describe('Elements the user asked for'),
  predicted_elements: maybe(listOf(z.string().nullable())).describe('Elements found in the spectrum'),
  predicted_formula: maybe(z.string()).describe('Formula found'),
  detected_peaks: maybe(listOf(XpsPeak)).describe('Peaks found, each with an element label and a position (eV)'),
  dict_formula: maybe(composition).describe('Formula as counts: element symbol to number of atoms'),
  last_updated: maybe(iso).describe('Time of the last change, ISO 8601'),
});

/** Depth profile of one species (2.9). `depths` and `concentrations` have the same length. */
export const SimsProfile = z.looseObject({
  data_id: maybe(uuid).describe('Data entry, UUID'),
  id: maybe(z.union([z.string(), z.number()])).describe('Identifier of the profile'),
  processed_data_id: maybe(uuid).describe('Processed data entry, UUID'),
  species_name: maybe(z.string()).describe('Chemical species, for example Si'),
  depths: maybe(numbers).describe('Depths from the surface, in `depth_units`'),
  depth_units: maybe(z.string()).describe('Unit of the depths, for example nm'),
  concentrations: maybe(numbers).describe('Concentration at each depth, in `concentration_units`'),
  concentration_units: maybe(z.string()).describe('Unit of the concentrations, for example atoms/cm^3'),
  species_metadata: maybe(z.looseObject({})).describe('Whatever else is known of the profile'),
  last_updated: maybe(iso).describe('Time of the last change, ISO 8601'),
});

/** Raw file of an entry (2.10), for url-download and url-embed. */
export const RawDataLink = z.looseObject({
  url: z.string().describe('Pre-signed address; fetched without the key'),
  file_name: maybe(z.string()).describe('Original file name; not safe to use as a path'),
  file_format: maybe(z.string()).describe('File format or extension'),
});

/** Kinds of growth tool (2.11, 4.12). */
export const synthSourceTypes = ['mbe', 'pvd', 'sputter', 'cvd', 'ald', 'pld'] as const;

/** Synthesis instrument (2.11). */
export const Instrument = z.looseObject({
  synth_source_id: z.int().describe('Identifier, whole number: what a stream is linked with'),
  source_name: maybe(z.string()).describe('Name of the instrument'),
  source_makes_id: maybe(z.int()).describe('Identifier of its make (manufacturer and model)'),
  synth_source_type: maybe(z.string()).describe('Kind of growth tool: mbe, pvd, sputter, cvd, ald, pld'),
  source_metadata: maybe(
    z.looseObject({
      manufacture_year: maybe(z.int()).describe('Year of manufacture'),
      serial_identifier: maybe(z.string()).describe('Serial identifier'),
      inputs: maybe(z.int()).describe('Number of inputs'),
    }),
  ).describe('More about the instrument'),
  user_id: maybe(z.string()).describe('Owner of the instrument'),
  last_updated: maybe(iso).describe('Time of the last change, ISO 8601'),
});

/** What a layer is (2.12), as the update answers it. */
export const TargetLayer = z.looseObject({
  id: maybe(z.int()).describe('Identifier of the layer record'),
  sample_id: maybe(z.int()).describe('Identifier of the target material it belongs to'),
  layer_id: maybe(z.int()).describe('Position within the stack'),
  composition_string: maybe(z.string()).describe('Chemical composition'),
  element_dict: maybe(composition).describe('Element symbol to count or fraction'),
  orientation: maybe(z.string()).describe('Crystallographic orientation, when known'),
  space_group: maybe(z.string()).describe('Space group, when known'),
  mp_id: maybe(z.string()).describe('Identifier in an external materials database, when matched'),
});

/** Layer record of the list (2.12): the layer and the target material it belongs to. */
export const TargetMaterialLayer = TargetLayer.extend({
  sample_name: maybe(z.string()).describe('Name of the target material'),
  substrate: maybe(z.string()).describe('Substrate the layers grow on'),
  detail_notes_id: maybe(z.string()).describe('Identifier of the linked note, when any'),
  detail_note_content: maybe(z.string()).describe('Text of that note'),
  sample_metadata: maybe(z.looseObject({})).describe('Whatever else is known of the target material'),
  user_id: maybe(z.string()).describe('Owner'),
  user_name: maybe(z.string()).describe('Name of the owner'),
  version: maybe(z.string()).describe('Version of the record schema'),
  last_updated: maybe(iso).describe('Time of the last change, ISO 8601'),
});

export type DataEntry = z.infer<typeof DataEntry>;
export type TimeSeries = z.infer<typeof TimeSeries>;
export type ChunkChannel = z.infer<typeof ChunkChannel>;
export type ChunkReceipt = z.infer<typeof ChunkReceipt>;
export type StreamStart = z.infer<typeof StreamStart>;
export type RheedSettings = z.infer<typeof RheedSettings>;
export type RheedMetadata = z.infer<typeof RheedMetadata>;
export type OpticalFrames = z.infer<typeof OpticalFrames>;
export type XpsResult = z.infer<typeof XpsResult>;
export type SimsProfile = z.infer<typeof SimsProfile>;
export type RawDataLink = z.infer<typeof RawDataLink>;
export type Instrument = z.infer<typeof Instrument>;
export type TargetLayer = z.infer<typeof TargetLayer>;
export type TargetMaterialLayer = z.infer<typeof TargetMaterialLayer>;
