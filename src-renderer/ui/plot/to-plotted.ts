import { LEVELS } from '../../format/levels.ts';
import type { KnownGap } from '../../format/line-gaps.ts';
import { channelKey } from './line-key.ts';
import type { PlottedLimit, PlottedLine, Statistics } from './plotted-line.ts';

/** A line of a channel as the agent tells it: times are Unix milliseconds, rising, and as many as values. */
interface ChannelLine {
  readonly sourceId: string;
  readonly channel: string;
  readonly unit: string;
  readonly timesMs: readonly number[];
  readonly values: readonly (number | null)[];
  readonly statistics?: Statistics | null;
}

/** The alarm levels of a channel; null: it has none of this kind. */
type Limited = Readonly<Record<keyof typeof LEVELS, number | null>> & {
  readonly sourceId: string;
  readonly channel: string;
};

/** Make a line ready to be drawn over time, with its place in the row of colours, the gaps of its source and its limits. */
export function toPlotted(
  line: ChannelLine,
  colour: number,
  gaps: readonly (KnownGap & { readonly sourceId: string })[],
  limits: readonly Limited[] = [],
): PlottedLine {
  const { sourceId, channel, unit, timesMs, values, statistics = null } = line;
  const own = gaps.filter((gap) => gap.sourceId === sourceId);
  const at = { key: channelKey(line), name: channel, title: sourceId, unit };
  return { ...at, xs: timesMs, values, colour, gaps: own, statistics, limits: limitsOf(line, limits) };
}

/** The limits of a channel to draw, from the top down. */
function limitsOf(line: ChannelLine, limits: readonly Limited[]): PlottedLimit[] {
  const own = limits.find((limit) => channelKey(limit) === channelKey(line));
  const levels = Object.keys(LEVELS) as (keyof typeof LEVELS)[];
  return levels.flatMap((level) => {
    const value = own?.[level] ?? null;
    return value === null ? [] : [{ word: LEVELS[level], value }];
  });
}
