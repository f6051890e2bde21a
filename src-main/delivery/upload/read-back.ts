// What the service holds of a chunk whose outcome is not known, judged from what it gives back. The service takes stamps
// as seconds and gives them as whole milliseconds, so points are compared by count and by (millisecond +-1, value).
// Pure. A wrong "there" would lose points, a wrong "absent" double them: what is neither to the point is not decided here.
import type { SealedChunk } from '../../model/queue.ts';

/** A series as the service gives it back. */
export interface ReadSeries {
  readonly unix_timestamp_ms: readonly number[];
  readonly values: readonly number[];
}

/**
 * `there`: the chunk's points are stored, besides what was acknowledged before. `absent`: just what was acknowledged
 * before. `short`: less than that, so the read is void (it may lag behind the writes). `differs`: anything else.
 */
type Verdict = 'there' | 'absent' | 'short' | 'differs';

export interface ChannelVerdict {
  readonly channelId: number;
  readonly name: string;
  readonly verdict: Verdict;
  /** Points the service holds, and points that were acknowledged before. */
  readonly found: number;
  readonly acknowledged: number;
}

/**
 * Judge each channel of a chunk.
 *
 * @param series - the whole series of the stream by channel name (null: the service has none yet).
 * @param others - other waiting chunks of the stream that may be there as well.
 * @returns a verdict a channel, in the chunk's order.
 */
export function judge(
  chunk: SealedChunk,
  series: ReadonlyMap<string, ReadSeries> | null,
  others: readonly SealedChunk[] = [],
): ChannelVerdict[] {
  return chunk.channels.map((channel) => {
    const read = series?.get(channel.name);
    const found = read?.values.length ?? 0;
    const { id: channelId, name, acknowledged } = channel;
    const columns = [chunk, ...others].flatMap((one) => columnOf(one, name) ?? []);
    const verdict = judgeChannel(columns, acknowledged, read, found);
    return { channelId, name, verdict, found, acknowledged };
  });
}

/** The points that a chunk has of a channel. */
interface Column {
  readonly timesMs: Float64Array;
  readonly values: Float64Array;
}

function columnOf({ timesMs, channels }: SealedChunk, name: string): Column | null {
  const values = channels.find((channel) => channel.name === name)?.values;
  return values ? { timesMs, values } : null;
}

/** Judge the first of some columns, each of which may be there or not. */
function judgeChannel(
  columns: readonly Column[],
  acknowledged: number,
  read: ReadSeries | undefined,
  found: number,
): Verdict {
  const more = found - acknowledged;
  if (more < 0) return 'short';
  if (more === 0 || !read) return 'absent';
  // All that are there can be found. So where those that can be found are just as many points as are there, it is those.
  const seen = columns.filter((column) => holds(read, column));
  const points = seen.reduce((sum, { values }) => sum + values.length, 0);
  const isSeen = seen[0] === columns[0];
  if (points === more) return isSeen ? 'there' : 'absent';
  return seen.length === columns.length && points < more ? 'there' : 'differs';
}

/** Whether every point is among those read, each used once. */
function holds(read: ReadSeries, { timesMs, values }: Column): boolean {
  const left = new Map<number, number[]>();
  for (const [i, value] of read.values.entries()) {
    const stamps = left.get(value);
    const stamp = read.unix_timestamp_ms[i] as number;
    if (stamps) stamps.push(stamp);
    else left.set(value, [stamp]);
  }
  // Nearest stamps of equal values pair off in order, so both sides are walked in rising order.
  for (const stamps of left.values()) stamps.sort((a, b) => b - a);
  const order = Array.from(timesMs.keys()).sort((a, b) => (timesMs[a] as number) - (timesMs[b] as number));
  for (const i of order) {
    const stamps = left.get(values[i] as number);
    const timeMs = timesMs[i] as number;
    while (stamps && stamps.length > 0 && (stamps.at(-1) as number) < timeMs - 1) stamps.pop();
    const stamp = stamps?.pop();
    if (stamp === undefined || Math.abs(stamp - timeMs) > 1) return false;
  }
  return true;
}
