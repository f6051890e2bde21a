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
 * @returns a verdict a channel, in the chunk's order.
 */
export function judge(chunk: SealedChunk, series: ReadonlyMap<string, ReadSeries> | null): ChannelVerdict[] {
  return chunk.channels.map((channel) => {
    const read = series?.get(channel.name);
    const found = read?.values.length ?? 0;
    const { id: channelId, name, acknowledged } = channel;
    const verdict = judgeChannel(chunk, channel.values, acknowledged, read, found);
    return { channelId, name, verdict, found, acknowledged };
  });
}

function judgeChannel(
  chunk: SealedChunk,
  values: Float64Array,
  acknowledged: number,
  read: ReadSeries | undefined,
  found: number,
): Verdict {
  if (found < acknowledged) return 'short';
  if (found === acknowledged) return 'absent';
  if (found < acknowledged + chunk.rows || !read) return 'differs';
  return holds(read, chunk.timesMs, values) ? 'there' : 'differs';
}

/** Whether every point is among those read, each used once. */
function holds(read: ReadSeries, timesMs: Float64Array, values: Float64Array): boolean {
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
