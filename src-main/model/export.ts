// Exports: which forms there are, and points as they take them from the queue, cut by time.

/** The forms, each with what it is. */
export const EXPORT_FORMATS = {
  csv: 'wide CSV: a row for each instant, a column for each channel',
  parquet: 'Parquet: a row for each point',
  nexus: 'HDF5 in the classes of NeXus',
  'nomad-mbe': 'the same HDF5, and beside it an archive.json for NOMAD: MolecularBeamEpitaxy',
  'nomad-sputter': 'the same HDF5, and beside it an archive.json for NOMAD: SputterDeposition',
  package: 'zip with series, gaps, notes, events, receipts and settings, described as an RO-Crate',
} as const;
export type ExportFormat = keyof typeof EXPORT_FORMATS;
export const EXPORT_FORMAT_NAMES = Object.keys(EXPORT_FORMATS) as [ExportFormat, ...ExportFormat[]];

/** How the name of a file of each form ends. */
export const EXPORT_EXTENSIONS: Readonly<Record<ExportFormat, string>> = {
  csv: '.csv',
  parquet: '.parquet',
  nexus: '.h5',
  'nomad-mbe': '.h5',
  'nomad-sputter': '.h5',
  package: '.zip',
};

/** What becomes of the points of one step, and how it is said. */
export const RESAMPLE_METHODS = {
  mean: 'mean',
  first: 'first',
  last: 'last',
  min: 'smallest',
  max: 'largest',
} as const;
export type ResampleMethod = keyof typeof RESAMPLE_METHODS;
export const RESAMPLE_METHOD_NAMES = Object.keys(RESAMPLE_METHODS) as [ResampleMethod, ...ResampleMethod[]];

/** Points of some channels of a stream on one time axis. */
export interface SpanOfPoints {
  readonly streamId: number;
  readonly channelIds: readonly number[];
  /** Unix milliseconds, in the order in which they were stored. */
  readonly timesMs: Float64Array;
  /** Column after column: as many values as `timesMs` has for the first channel, then for the second, ... */
  readonly values: Float64Array;
}

export interface StoredSpan {
  /** Every stored point up to this instant (Unix ms, not included) is told; it may be earlier than was asked for. */
  readonly toMs: number;
  readonly spans: readonly SpanOfPoints[];
  /** Points of chunks that no longer match their checksum, and touch this span: they are not told. */
  readonly damagedPoints: number;
}
