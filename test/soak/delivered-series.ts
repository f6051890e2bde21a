// What the service of a soak holds, as any client reads it: channels by name, their entries one after the other by their
// first point, each in the order of the service.
import type { ServiceClient } from '../../src-main/delivery/client/client.ts';

export interface Series {
  readonly timesMs: number[];
  readonly values: number[];
}

/** Read everything. Stamps are whole milliseconds: finer than that nothing was sent. */
export async function readSeries(client: ServiceClient): Promise<Map<string, Series>> {
  const pieces = new Map<string, Series[]>();
  for (const { data_id } of await client.listDataEntries({})) {
    const series = await client.readTimeSeries({ data_id, return_null_if_missing: true });
    for (const [name, property] of Object.entries(series?.properties ?? {})) {
      const timesMs = (property?.unix_timestamp_ms ?? []).map((timeMs) => Math.round(timeMs ?? Number.NaN));
      const values = (property?.values ?? []).map((value) => value ?? Number.NaN);
      if (timesMs.length > 0) pieces.set(name, [...(pieces.get(name) ?? []), { timesMs, values }]);
    }
  }
  return new Map([...pieces].map(([name, some]) => [name, join(some)]));
}

function join(pieces: readonly Series[]): Series {
  const sorted = pieces.toSorted((a, b) => (a.timesMs[0] ?? 0) - (b.timesMs[0] ?? 0));
  return { timesMs: sorted.flatMap(({ timesMs }) => timesMs), values: sorted.flatMap(({ values }) => values) };
}
