// A time series of the service (4.3) on its way into an export. The service gives it channel after channel and an export
// takes it by time, so it lies on the local disk meanwhile: for each channel its times and its values, as doubles.
//
// Bounds: what the client holds, 64 KiB; a channel whose times do not rise stands in memory as a whole while it is put in
// order, 16 bytes a point.
import { closeSync, openSync, readFileSync, readSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

export const Spool = z.object({
  /** Name of the entry; empty: the service tells none. */
  title: z.string(),
  series: z.array(z.object({ channel: z.string(), unit: z.string(), points: z.number(), file: z.string() })),
});
export type Spool = z.infer<typeof Spool>;

/** Reads a series; the client of the service does. */
export interface SeriesReader {
  scanTimeSeries(
    request: { data_id: string; return_null_if_missing: true },
    listener: {
      onNumbers(property: string, array: 'times' | 'values', from: number, numbers: Float64Array): void;
      onProperty(property: string, points: number, units: string | null): void;
    },
  ): Promise<unknown>;
}

const ENDINGS = { times: '.times', values: '.values' } as const;

/**
 * Read the series of an entry into files.
 *
 * @param reader - the client.
 * @param dataId - the entry.
 * @param folder - of the local disk; exists.
 * @returns its channels; none when the entry has no series.
 * @throws those of the call and of the file system.
 */
export async function writeSpool(reader: SeriesReader, dataId: string, folder: string): Promise<Spool['series']> {
  const series: Spool['series'] = [];
  let open: { files: Record<'times' | 'values', number>; file: string; last: number; isRising: boolean } | null = null;
  const begin = () => {
    const file = join(folder, `${dataId.replaceAll(/[^\w-]/g, '_')}-${series.length}`);
    const files = { times: openSync(file + ENDINGS.times, 'w'), values: openSync(file + ENDINGS.values, 'w') };
    return { files, file, last: Number.NEGATIVE_INFINITY, isRising: true };
  };
  const end = () => {
    if (open) for (const file of Object.values(open.files)) closeSync(file);
    open = null;
  };
  try {
    await reader.scanTimeSeries(
      { data_id: dataId, return_null_if_missing: true },
      {
        onNumbers: (_, array, from, numbers) => {
          open ??= begin();
          writeAll(open.files[array], new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength), from * 8);
          if (array === 'values') {
            // What has no value is no point; it is left out where the channel is put in order.
            if (!numbers.every(Number.isFinite)) open.isRising = false;
            return;
          }
          for (const timeMs of numbers) {
            if (!(timeMs >= open.last)) open.isRising = false;
            open.last = timeMs;
          }
        },
        onProperty: (channel, count, units) => {
          open ??= begin();
          const { file, isRising } = open;
          end();
          series.push({ channel, unit: units ?? '', points: isRising ? count : putInOrder(file), file });
        },
      },
    );
    return series;
  } finally {
    end();
  }
}

function writeAll(file: number, bytes: Uint8Array, at: number): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done, at + done);
}

/** Sort a channel by time, points without a number left out; gives how many are left. */
function putInOrder(file: string): number {
  const [times, values] = [doublesOf(file + ENDINGS.times), doublesOf(file + ENDINGS.values)];
  const order = Uint32Array.from(times.keys())
    .filter((i) => Number.isFinite(times[i]) && Number.isFinite(values[i]))
    .sort((a, b) => (times[a] as number) - (times[b] as number) || a - b);
  for (const [ending, numbers] of [
    [ENDINGS.times, times],
    [ENDINGS.values, values],
  ] as const) {
    writeFileSync(file + ending, new Uint8Array(Float64Array.from(order, (i) => numbers[i] as number).buffer));
  }
  return order.length;
}

function doublesOf(path: string): Float64Array {
  const bytes = readFileSync(path);
  return new Float64Array(Uint8Array.from(bytes).buffer);
}

/** A channel of a spool, read by time. */
export class SpooledChannel {
  readonly channel: string;
  readonly unit: string;
  readonly points: number;
  readonly #times: number;
  readonly #values: number;

  /** Takes the channel; its files stay open until the process ends. */
  constructor({ channel, unit, points, file }: Spool['series'][number]) {
    this.channel = channel;
    this.unit = unit;
    this.points = points;
    this.#times = openSync(file + ENDINGS.times, 'r');
    this.#values = openSync(file + ENDINGS.values, 'r');
  }

  /** First and last time, Unix ms; null where there are no points. */
  get span(): { readonly firstMs: number; readonly lastMs: number } | null {
    return this.points === 0 ? null : { firstMs: this.#timeAt(0), lastMs: this.#timeAt(this.points - 1) };
  }

  /** The place of the first point at or after a time, Unix ms; as many as there are points when there is none. */
  placeOf(timeMs: number): number {
    let [low, high] = [0, this.points];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#timeAt(middle) < timeMs) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Points [from, to) by their places. */
  read(from: number, to: number): { timesMs: Float64Array; values: Float64Array } {
    return { timesMs: readDoubles(this.#times, from, to), values: readDoubles(this.#values, from, to) };
  }

  #timeAt(place: number): number {
    return readDoubles(this.#times, place, place + 1)[0] as number;
  }
}

function readDoubles(file: number, from: number, to: number): Float64Array {
  const numbers = new Float64Array(Math.max(0, to - from));
  const bytes = new Uint8Array(numbers.buffer);
  for (let done = 0; done < bytes.length; ) {
    const read = readSync(file, bytes, done, bytes.length - done, from * 8 + done);
    if (read === 0) throw new RangeError('a spool is shorter than it was told');
    done += read;
  }
  return numbers;
}
