// The service's interface as one value: a row for every endpoint. Client, embedded service, published document and
// contract tests all follow from it; nothing of the interface is written a second time. Paths stand exactly as the
// interface writes them: a trailing slash is part of the path. The section is the part of the interface that says so.
import { z } from 'zod';
import {
  ChunkChannels,
  ChunkReceipt,
  DataEntry,
  Instrument,
  OpticalFrames,
  RawDataLink,
  RheedMetadata,
  RheedSettings,
  SimsProfile,
  StreamStart,
  synthSourceTypes,
  TargetLayer,
  TargetMaterialLayer,
  TimeSeries,
  XpsResult,
} from './resources.ts';
import { listOf, mapOf, maybe } from './shape.ts';

export interface Endpoint {
  readonly section: string;
  readonly summary: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: `/${string}`;
  /** Names in the path's braces. */
  readonly params: z.ZodObject | null;
  readonly query: z.ZodObject | null;
  readonly body: z.ZodObject | null;
  /** Status of a success. */
  readonly success: 200 | 201;
  readonly response: z.ZodType;
  /** How long a success may be for what was asked, bytes; more is not read. */
  readonly answerMaxBytes: (request: Record<string, unknown>) => number;
}

const KB = 1024;
const MB = 1024 * KB;
/** One small record. */
const record = () => 256 * KB;
/** One result with its curves: some 100,000 points. */
const result = () => 16 * MB;
/** Entries that come when no limit is given, and at most. */
const ENTRIES_MAX = 10_000;

/** A list of so many records of 4 kB each at most, one with another, and room for a long one. */
const listOfUpTo = (count: number) => MB + count * 4 * KB;
const asManyAs = (given: unknown) => (Array.isArray(given) ? given.length : 0);

const none = { params: null, query: null, body: null } as const;
/** Names of streams, sessions and samples: longer ones make each search slow, characters. */
const NAME_MAX = 1000;
/** Length of a keyword, characters; and how many there may be. */
const KEYWORD_MAX = 200;
const KEYWORDS_MAX = 50;

/** An id as a parameter. It stays a plain text: an unknown one is told as unknown. */
const id = z.string().meta({ format: 'uuid' });
/** An id that stands in a path: `.` and `..` would lead to another row's path before they are sent. */
const uuid = (what: string) =>
  id
    .min(1)
    .refine((text) => text !== '.' && text !== '..', 'not an id')
    .describe(`${what}, UUID`);
const byDataId = z.object({ data_id: uuid('Data entry') });

export const table = {
  ingestChunk: {
    ...none,
    section: '4.1',
    summary: 'Ingest multi-channel chunk',
    method: 'POST',
    path: '/metrology/stream/chunk/multi',
    body: z.object({
      data_id: uuid('Data entry that the start of the stream gave'),
      chunk_index: z.int().nonnegative().describe('Place of the chunk in its channels, from 0'),
      channels: ChunkChannels.describe('Map from channel name to its points'),
    }),
    success: 201,
    answerMaxBytes: ({ channels }) => 64 * KB + Object.keys(channels ?? {}).length * 4 * KB,
    response: listOf(ChunkReceipt),
  },
  initializeStream: {
    ...none,
    section: '4.2',
    summary: 'Initialize tool-state stream',
    method: 'POST',
    path: '/tool-state/stream/initialize',
    body: z.object({
      points_per_chunk: z.int().positive().describe('Points of a channel in a chunk; fixed for the stream'),
      stream_name: maybe(z.string().max(NAME_MAX)).describe('Name people read, at most 1000 characters'),
      synth_source_id: maybe(z.int()).describe("Growth instrument of the caller's organization"),
      physical_sample_id: maybe(id).describe('Existing physical sample, UUID'),
      project_id: maybe(id).describe('Project, UUID'),
    }),
    success: 200,
    answerMaxBytes: record,
    response: StreamStart,
  },
  readTimeSeries: {
    ...none,
    section: '4.3',
    summary: 'Get metrology time series',
    method: 'GET',
    path: '/metrology/{data_id}/timeseries/',
    params: byDataId,
    query: z.object({
      return_null_if_missing: z
        .boolean()
        .optional()
        .meta({ default: false })
        .describe('Answer null instead of an error when there is no series'),
      elapsed_seconds: z.number().optional().describe('Only points after this time since the start, seconds'),
    }),
    success: 200,
    answerMaxBytes: () => 256 * MB,
    response: TimeSeries.nullable(),
  },
  startRheedStream: {
    ...none,
    section: '4.4',
    summary: 'Start RHEED stream',
    method: 'POST',
    path: '/rheed/stream/',
    body: z.object({
      data_item_name: z.string().max(NAME_MAX).describe('Name of the session, at most 1000 characters'),
      fps_capture_rate: z.number().positive().max(120).describe('Frames per second, above 0, at most 120'),
      project_id: maybe(id).describe('Project, UUID'),
      physical_sample_id: maybe(id).describe('Physical sample, UUID'),
      create_physical_sample_name: maybe(z.string().max(NAME_MAX)).describe(
        'Physical sample to create; only without physical_sample_id',
      ),
      rotational_period: maybe(z.number()).describe('Period of the sample rotation, seconds'),
      rotations_per_min: maybe(z.int()).describe('Turns per minute'),
    }),
    success: 200,
    answerMaxBytes: record,
    response: id.describe('Data entry of the session, UUID'),
  },
  readRheedSettings: {
    ...none,
    section: '4.5',
    summary: 'Get RHEED stream settings',
    method: 'GET',
    path: '/rheed/stream/{data_id}',
    params: byDataId,
    success: 200,
    answerMaxBytes: record,
    response: RheedSettings,
  },
  readRheedMetadata: {
    ...none,
    section: '4.6',
    summary: 'Get RHEED processed metadata',
    method: 'GET',
    path: '/rheed/processed_metadata',
    query: z.object({ data_ids: z.array(uuid('Data entry')).min(1).describe('Entries asked for, in order') }),
    success: 200,
    answerMaxBytes: ({ data_ids: ids }) => listOfUpTo(asManyAs(ids)),
    response: listOf(RheedMetadata),
  },
  readOpticalFrames: {
    ...none,
    section: '4.7',
    summary: 'Get optical video frames',
    method: 'GET',
    path: '/optical/frame/video_single_frames/{data_id}',
    params: byDataId,
    success: 200,
    answerMaxBytes: result,
    response: OpticalFrames,
  },
  listDataEntries: {
    ...none,
    section: '4.8',
    summary: 'List data entries',
    method: 'GET',
    path: '/data_entries/',
    query: z.object({
      data_ids: z.array(id).optional().describe('Only these entries, UUIDs'),
      physical_sample_ids: z.array(id).optional().describe('Only entries of these physical samples, UUIDs'),
      data_type: z
        .string()
        .optional()
        .describe(
          'Only this kind of characterization; rheed_video finds every kind of RHEED, metrology tool_state too',
        ),
      status: z
        .enum(['success', 'pending', 'error', 'running', 'all'])
        .optional()
        .meta({ default: 'all' })
        .describe('Only this state; default all'),
      keywords: z
        .array(z.string().max(KEYWORD_MAX))
        .max(KEYWORDS_MAX)
        .optional()
        .describe('Words to look for, at most 50, each at most 200 characters'),
      include_organization_data: z
        .boolean()
        .optional()
        .meta({ default: true })
        .describe("Also entries of the caller's organization; default true"),
      limit: z
        .int()
        .nonnegative()
        .max(ENTRIES_MAX)
        .optional()
        .meta({ default: ENTRIES_MAX })
        .describe('Entries at most; default and maximum 10000'),
      offset: z.int().nonnegative().optional().meta({ default: 0 }).describe('Entries to skip; default 0'),
    }),
    success: 200,
    answerMaxBytes: ({ limit = ENTRIES_MAX }) => listOfUpTo(Number(limit)),
    response: listOf(DataEntry),
  },
  readRawData: {
    ...none,
    section: '4.9',
    summary: 'Get raw data',
    method: 'GET',
    path: '/data_entries/raw_data/{data_id}',
    params: byDataId,
    query: z.object({
      return_as: z
        .enum(['bytes', 'url-download', 'url-embed'])
        .describe('The file itself, or a pre-signed address of it'),
    }),
    success: 200,
    answerMaxBytes: record,
    response: RawDataLink,
  },
  readXps: {
    ...none,
    section: '4.10',
    summary: 'Get XPS data',
    method: 'GET',
    path: '/xps/{data_id}',
    params: byDataId,
    success: 200,
    answerMaxBytes: result,
    response: XpsResult,
  },
  readSims: {
    ...none,
    section: '4.11',
    summary: 'Get SIMS data',
    method: 'GET',
    path: '/sims/{data_id}',
    params: byDataId,
    success: 200,
    answerMaxBytes: result,
    response: listOf(SimsProfile),
  },
  createInstrument: {
    ...none,
    section: '4.12',
    summary: 'Create synthesis instrument',
    method: 'POST',
    path: '/instruments/synthesis/',
    body: z.object({
      name: z.string().describe('Instrument name'),
      label: z.string().describe('Instrument label'),
      type: z.enum(synthSourceTypes).describe('Kind of growth tool'),
      serial_id: maybe(z.string()).describe('Serial identifier'),
    }),
    success: 200,
    answerMaxBytes: record,
    response: Instrument,
  },
  listTargetMaterials: {
    ...none,
    section: '4.13',
    summary: 'List target materials',
    method: 'GET',
    path: '/target-materials/',
    success: 200,
    answerMaxBytes: () => listOfUpTo(ENTRIES_MAX),
    response: listOf(TargetMaterialLayer),
  },
  updateTargetLayer: {
    ...none,
    section: '4.14',
    summary: 'Update target material layer',
    method: 'PATCH',
    path: '/target-materials/layers/',
    body: z.object({
      layer_id: z.int().describe('Position within the stack'),
      sample_id: maybe(z.int()).describe('Target material that the layer belongs to'),
      composition_string: maybe(z.string()).describe('Chemical composition'),
      element_dict: maybe(mapOf(z.number())).describe('Element symbol to count or fraction'),
      orientation: maybe(z.string()).describe('Crystallographic orientation'),
      space_group: maybe(z.string()).describe('Space group'),
      mp_id: maybe(z.string()).describe('Identifier in an external materials database'),
      id: maybe(z.int()).describe('Identifier of the layer record'),
    }),
    success: 200,
    answerMaxBytes: record,
    response: TargetLayer,
  },
  createProject: {
    ...none,
    section: '4.15',
    summary: 'Create project',
    method: 'POST',
    path: '/projects/',
    body: z.object({
      name: z.string().min(1).describe('Name, not empty'),
      notes: maybe(z.string()).describe('Free text'),
    }),
    success: 200,
    answerMaxBytes: record,
    response: id.describe('The new project, UUID'),
  },
  updateProjectSamples: {
    ...none,
    section: '4.16',
    summary: 'Update project samples',
    method: 'POST',
    path: '/projects/{project_id}/physical_samples',
    params: z.object({ project_id: uuid('Project') }),
    body: z.object({
      physical_sample_ids: listOf(id).describe('Physical samples, UUIDs'),
      set: z
        .boolean()
        .optional()
        .meta({ default: false })
        .describe('Replace the samples of the project instead of adding to them; default false'),
    }),
    success: 200,
    answerMaxBytes: () => listOfUpTo(ENTRIES_MAX),
    response: listOf(z.string()).describe('Physical samples now in the project, UUIDs'),
  },
  removeTags: {
    ...none,
    section: '4.17',
    summary: 'Remove tags from data items',
    method: 'DELETE',
    path: '/tags/data-items/',
    body: z.object({
      data_ids: listOf(id).describe('Data items to untag, UUIDs'),
      tag_ids: listOf(id).describe('Tags to take off, UUIDs'),
    }),
    success: 200,
    answerMaxBytes: record,
    response: z.looseObject({}),
  },
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof table;

type InputOf<S> = S extends z.ZodType ? z.input<S> : unknown;
type ParsedOf<S> = S extends z.ZodType ? z.output<S> : unknown;
type Row<N extends EndpointName> = (typeof table)[N];

/** What a caller gives: parameters of path, query and body in one object, under the interface's own names. */
export type Request<N extends EndpointName> = InputOf<Row<N>['params']> &
  InputOf<Row<N>['query']> &
  InputOf<Row<N>['body']>;

/** The same, checked. */
export type ParsedRequest<N extends EndpointName> = ParsedOf<Row<N>['params']> &
  ParsedOf<Row<N>['query']> &
  ParsedOf<Row<N>['body']>;

/** What a success answers. */
export type Response<N extends EndpointName> = z.output<Row<N>['response']>;

export const endpointNames = Object.keys(table) as readonly EndpointName[];
