// Reads a stream back: whole while it is small, else from a window near its end. Elapsed seconds count from the
// measurement's start, which the interface does not define closer; so the window reaches back over points that are known
// to be there, and is believed only when they come back with the start that was assumed.
//
// Bounds: two reads, the window and, where that is not believed, the whole, which is held in memory. A start may differ by
// 2 ms, since stamps come back as whole milliseconds.
import { HeldSeries } from '../client/held-series.ts';
import type { SeriesAnswer, UploadQueue, UploadService } from './ports.ts';

/** Stamps come back as whole milliseconds; so much may a start differ, milliseconds. */
const START_TOLERANCE_MS = 2;

export interface BackRead {
  /** By channel name; none where the service has no series for the stream. */
  readonly series: ReadonlyMap<string, HeldSeries>;
  /** Only points after this stamp were read; null: all. */
  readonly fromMs: number | null;
}

/**
 * Read a stream back from the service. Takes the stream's id and its entry, and whether nothing less than the whole will do.
 *
 * @returns its points, all or those of a window.
 * @throws the ServiceError of the read.
 */
export async function readBack(
  streamId: number,
  dataId: string,
  { queue, service }: { queue: UploadQueue; service: Pick<UploadService, 'readTimeSeries'> },
  signal: AbortSignal,
  isWhole = false,
): Promise<BackRead> {
  const whole = { data_id: dataId, return_null_if_missing: true };
  const window = isWhole ? null : await queue.readWindow(streamId);
  if (window) {
    const elapsed = (window.fromMs - window.startMs) / 1000;
    const answer = await service.readTimeSeries({ ...whole, elapsed_seconds: elapsed }, { signal });
    if (answer && startsAt(answer.properties ?? {}, window.startMs)) {
      return { series: seriesOf(answer.properties ?? {}), fromMs: window.fromMs };
    }
  }
  const answer = await service.readTimeSeries(whole, { signal });
  return { series: seriesOf(answer?.properties ?? {}), fromMs: null };
}

type Properties = Readonly<Record<string, SeriesAnswer | null>>;

/** Whether there are points, and all of them count from this start. */
function startsAt(properties: Properties, startMs: number): boolean {
  let points = 0;
  for (const series of Object.values(properties)) {
    for (const [i, stamp] of (series?.unix_timestamp_ms ?? []).entries()) {
      const relative = series?.relative_time_seconds?.[i];
      if (stamp === null || relative === null || relative === undefined) return false;
      if (Math.abs(stamp - relative * 1000 - startMs) > START_TOLERANCE_MS) return false;
      points += 1;
    }
  }
  return points > 0;
}

function seriesOf(properties: Properties): Map<string, HeldSeries> {
  const numbers = (array: SeriesAnswer['values']) => Float64Array.from(array ?? [], (one) => one ?? Number.NaN);
  const held = (series: SeriesAnswer | null) =>
    new HeldSeries(numbers(series?.unix_timestamp_ms), numbers(series?.values));
  return new Map(Object.entries(properties).map(([name, series]) => [name, held(series)]));
}
