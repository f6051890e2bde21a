import { useState } from 'react';
import { wordsOf } from '../../state/ask.ts';
import {
  type GrowthChannel,
  type GrowthGap,
  type GrowthLine,
  type GrowthMark,
  type Span,
  useGrowthLines,
} from '../../state/growth-plot.ts';
import { Notice } from '../../ui/notice.tsx';
import { ChannelPicker } from '../../ui/plot/channel-picker.tsx';
import { channelKey, pickFirst } from '../../ui/plot/line-key.ts';
import { PlotPanel } from '../../ui/plot/plot-panel.tsx';
import type { PlottedLine } from '../../ui/plot/plotted-line.ts';
import { Quiet } from '../../ui/quiet.tsx';
import classes from './timeline.module.css';
import { gapsOf } from './timeline-rows.ts';

const CHANNELS_MAX = 20;

interface GrowthValuesProps {
  channels: readonly GrowthChannel[];
  gaps: readonly GrowthGap[];
  marks: readonly GrowthMark[];
  span: Span;
  onSpan: (span: Span) => void;
}

/** Values of chosen channels over the time that the timeline shows; dragging over a plot zooms both. */
export function GrowthValues({ channels, gaps, marks, span, onSpan }: GrowthValuesProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(null);
  const keys = chosen ?? pickFirst(channels.filter(({ unit }) => unit !== ''));
  const shown = channels.filter((channel) => keys.has(channelKey(channel))).slice(0, CHANNELS_MAX);
  const read = useGrowthLines(shown, span);
  const colours = new Map(shown.map((channel, at) => [channelKey(channel), at]));
  const lines = (read.data ?? []).filter((line) => colours.has(channelKey(line)));
  const placed = marks.map(({ timeMs, text }) => ({ at: timeMs, text }));
  if (channels.length === 0) return null;
  return (
    <div className={classes.values} data-testid="values">
      <div className={classes.valuesHead}>
        <h3 className={classes.valuesTitle}>Values</h3>
        <ChannelPicker channels={channels} most={CHANNELS_MAX} chosen={keys} onChange={setChosen} />
      </div>
      {read.error && <Notice tone="attention" {...wordsOf(read.error)} />}
      {shown.length === 0 && <Quiet>No channel is chosen.</Quiet>}
      {shown.length > 0 && read.isPending && <Quiet>Reading the values.</Quiet>}
      {[...byUnit(lines)].map(([unit, own]) => (
        <PlotPanel
          key={unit}
          unit={unit}
          lines={own.map((line) => toPlotted(line, colours.get(channelKey(line)) ?? 0, gaps))}
          marks={placed}
          from={span.fromMs}
          to={span.toMs}
          onSpan={({ from, to }) => onSpan({ fromMs: from, toMs: to })}
        />
      ))}
      {lines.some(({ readFromMs }) => readFromMs !== null) && (
        <Quiet>The beginning of a line was not looked through: it holds more points than are read at once.</Quiet>
      )}
    </div>
  );
}

function toPlotted(line: GrowthLine, colour: number, gaps: readonly GrowthGap[]): PlottedLine {
  const { sourceId, channel, unit, timesMs, values } = line;
  const own = gapsOf(gaps, sourceId);
  return { key: channelKey(line), name: channel, title: sourceId, unit, xs: timesMs, values, colour, gaps: own };
}

function byUnit(lines: readonly GrowthLine[]): Map<string, GrowthLine[]> {
  const groups = new Map<string, GrowthLine[]>();
  for (const line of lines) groups.set(line.unit, [...(groups.get(line.unit) ?? []), line]);
  return groups;
}
