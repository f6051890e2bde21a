import { useState } from 'react';
import { useGrowthLines } from '../../state/growth-plot.ts';
import { CHANNELS_MAX, type PlotChannel, type PlotGap, type PlotMark, type Span } from '../../state/plot.ts';
import { faultOf } from '../../state/query-fault.ts';
import { ChannelPicker } from '../../ui/plot/channel-picker.tsx';
import { channelKey, pickFirst } from '../../ui/plot/line-key.ts';
import { PlotPanel } from '../../ui/plot/plot-panel.tsx';
import { toPlotted } from '../../ui/plot/to-plotted.ts';
import { QueryFault } from '../../ui/query-fault.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import classes from './timeline.module.css';

interface GrowthValuesProps {
  channels: readonly PlotChannel[];
  gaps: readonly PlotGap[];
  marks: readonly PlotMark[];
  span: Span;
  /** Those of the timeline, so that the eye follows one line through both. */
  ticks: readonly number[];
  onSpan: (span: Span) => void;
}

/** Values of chosen channels over the time that the timeline shows; dragging over a plot zooms both. */
export function GrowthValues({ channels, gaps, marks, span, ticks, onSpan }: GrowthValuesProps) {
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
      <QueryFault fault={faultOf(read)} />
      {shown.length === 0 && <Quiet>No channel is chosen.</Quiet>}
      {shown.length > 0 && read.isPending && <Quiet>Reading the values.</Quiet>}
      {[...Map.groupBy(lines, ({ unit }) => unit)].map(([unit, own]) => (
        <PlotPanel
          key={unit}
          unit={unit}
          lines={own.map((line) => toPlotted(line, colours.get(channelKey(line)) ?? 0, gaps))}
          marks={placed}
          from={span.fromMs}
          to={span.toMs}
          ticks={ticks}
          onSpan={({ from, to }) => onSpan({ fromMs: from, toMs: to })}
        />
      ))}
      {lines.some(({ readFromMs }) => readFromMs !== null) && (
        <Quiet>The beginning of a line was not looked through: it holds more points than are read at once.</Quiet>
      )}
    </div>
  );
}
