// The catalogue of the service as the screen asks for it: pages of entries, what an entry holds by its type, and taking
// tags off. Every answer is bounded; a question with a ticket can be given up.
import { z } from 'zod';
import { call, nothing, text } from './row.ts';

/** Entries of a page at most. */
const PAGE_MAX = 1000;
/** Lines, profiles and the like that are listed for an entry at most. */
export const LINES_MAX = 60;
/** Frames of a video that are told at most. */
export const FRAMES_MAX = 500;
/** Entries that a call takes tags off at most. */
const UNTAG_MAX = 100;

/** Names a question, so that it can be given up with `catalogue.giveUp`; any text that is used once. */
const ticket = text(64).min(1);
const dataId = text(200).min(1).describe('UUID of the entry');
const ofEntry = z.object({ ticket, dataId });

/** Tag or project of an entry; without an id it can be shown, not acted on. */
export const LabelView = z.object({ id: z.string().nullable(), name: z.string() });

/** A field that the interface does not describe, as text. */
export const FieldView = z.object({ name: z.string(), text: z.string() });

/** An entry of the catalogue. Texts longer than 1,000 characters are cut. */
export const EntryView = z.object({
  dataId: z.string(),
  name: z.string(),
  type: z.string().describe('kind of characterization, open list'),
  status: z.string().describe('state of the processing, open list'),
  uploadedMs: z.number().nullable().describe('Unix time, milliseconds'),
  accessedMs: z.number().nullable().describe('Unix time, milliseconds'),
  sampleId: z.string().nullable(),
  sampleName: z.string().nullable(),
  tags: z.array(LabelView),
  projects: z.array(LabelView),
  made: z
    .object({
      tool: z.string(),
      source: z.string(),
      start: z.string().describe('local time of the tool, 2026-11-20 19:40:12'),
      words: z.string().describe('name of the growth; empty: none'),
    })
    .nullable()
    .describe('what the name says, where it is that of a stream'),
});

export const EntryDetail = EntryView.extend({ more: z.array(FieldView) });

export const SeriesLine = z.object({
  name: z.string(),
  unit: z.string(),
  points: z.int().describe('points that the service has'),
  timesMs: z.array(z.number()).describe('Unix time, milliseconds, rising; thinned keeping minima and maxima'),
  values: z.array(z.number().nullable()).describe('null: a hole'),
});

const line = { xs: z.array(z.number()).describe('rising'), ys: z.array(z.number()) };

export const XpsView = z.object({
  ...line,
  points: z.int(),
  peaks: z.array(z.object({ label: z.string(), energyEv: z.number() })),
  unplacedPeaks: z.int().describe('peaks in which no position was found'),
  composition: z.array(
    z.object({ element: z.string(), fraction: z.number().nullable(), uncertainty: z.number().nullable() }),
  ),
  formula: z.string(),
  setElements: z.array(z.string()),
  foundElements: z.array(z.string()),
  updatedMs: z.number().nullable(),
});

export const SimsView = z.object({
  species: z.string(),
  depthUnit: z.string(),
  unit: z.string(),
  points: z.int(),
  ...line,
  more: z.array(FieldView),
});

const FrameView = z.object({
  imageId: z.string().nullable(),
  fileType: z.string(),
  widthPx: z.int().nullable(),
  heightPx: z.int().nullable(),
  more: z.array(FieldView),
});

/** A picture that was looked at before it came here: its kind by its first bytes, its size within bounds. */
export const PictureView = z.object({
  mediaType: z.enum(['image/png', 'image/jpeg', 'image/gif']),
  base64: z.string(),
  widthPx: z.int(),
  heightPx: z.int(),
  sizeBytes: z.int(),
});

export const catalogue = {
  list: call(
    z.object({
      ticket,
      dataIds: z.array(dataId).max(100),
      sampleIds: z.array(text(200).min(1)).max(100),
      type: text(200).describe('empty: any'),
      status: z.enum(['success', 'pending', 'error', 'running', 'all']),
      keywords: z.array(text(200).min(1)).max(20),
      isOrganization: z.boolean().describe("also entries of others of the caller's organization"),
      limit: z.int().min(1).max(PAGE_MAX),
      offset: z.int().nonnegative(),
    }),
    z.object({ entries: z.array(EntryView), isLast: z.boolean().describe('the service has no more') }),
  ),
  /** Null: the service knows no such entry. */
  entry: call(ofEntry, EntryDetail.nullable()),
  /** Null: the entry has no time series. */
  series: call(
    z.object({ ticket, dataId, maxPoints: z.int().min(10).max(4000).describe('of a line') }),
    z.object({ lines: z.array(SeriesLine), left: z.int().describe('further lines that are not told here') }).nullable(),
  ),
  rheedSettings: call(
    ofEntry,
    z.object({
      name: z.string(),
      fps: z.number().nullable(),
      rotationalPeriod: z.number().nullable().describe('frames per turn in answers of the service'),
      rotationsPerMin: z.number().nullable(),
      sampleId: z.string().nullable(),
      createdSample: z.string().nullable(),
      projectId: z.string().nullable(),
    }),
  ),
  /** Null: the service answered nothing for this entry. */
  rheedMetadata: call(
    ofEntry,
    z
      .object({
        fps: z.number().nullable(),
        frames: z.int().nullable(),
        innerStart: z.int().nullable(),
        innerEnd: z.int().nullable(),
        outerStart: z.int().nullable(),
        outerEnd: z.int().nullable(),
      })
      .nullable(),
  ),
  frames: call(ofEntry, z.object({ frames: z.array(FrameView), total: z.int() })),
  /** The raw file of an entry, or the frame of a video, as a picture. */
  picture: call(ofEntry, PictureView),
  xps: call(ofEntry, XpsView),
  sims: call(ofEntry, z.object({ profiles: z.array(SimsView), left: z.int() })),
  /** Ask the service for the raw file: the screen's browser saves it by one request for the path. */
  rawFile: call(
    z.object({ dataId, name: text(1000).describe('used when the service tells none') }),
    z.object({
      path: z.string(),
      fileName: z.string().describe('safe on every system'),
      originalName: z.string().describe('as the service gave it'),
      sizeBytes: z.number().nullable().describe('null: the service does not say'),
    }),
  ),
  /** An address that opens the raw file without the key, for a short time. */
  rawLink: call(ofEntry, z.object({ url: z.string(), fileName: z.string(), format: z.string() })),
  /** Take every one of these tags off every one of these entries. */
  untag: call(
    z.object({
      ticket,
      dataIds: z.array(dataId).min(1).max(UNTAG_MAX),
      tagIds: z.array(text(200).min(1)).min(1).max(100),
    }),
    z.object({ failed: z.array(z.object({ dataId: z.string(), message: z.string(), hint: z.string() })) }),
  ),
  /** Give up a question that nobody waits for any more. */
  giveUp: call(z.object({ ticket }), nothing),
} as const;
