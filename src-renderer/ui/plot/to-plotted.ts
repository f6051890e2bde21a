import type { KnownGap } from '../../format/line-gaps.ts';
import { channelKey } from './line-key.ts';
import type { PlottedLine, Statistics } from './plotted-line.ts';

/** A line of a channel as the agent tells it: times are Unix milliseconds, rising, and as many as values. */
interface ChannelLine {
  readonly sourceId: string;
  readonly channel: string;
  readonly unit: string;
  readonly timesMs: readonly number[];
  readonly values: readonly (number | null)[];
  readonly statistics?: Statistics | null;
}

/** Make a line ready to be drawn over time, with its place in the row of colours and the gaps of its own source. */
export function toPlotted(
  line: ChannelLine,
  colour: number,
  gaps: readonly (KnownGap & { readonly sourceId: string })[],
): PlottedLine {
  const { sourceId, channel, unit, timesMs, values, statistics = null } = line;
  const own = gaps.filter((gap) => gap.sourceId === sourceId);
  const at = { key: channelKey(line), name: channel, title: sourceId, unit };
  return { ...at, xs: timesMs, values, colour, gaps: own, statistics };
}
