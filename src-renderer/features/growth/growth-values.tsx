import { useState } from 'react';
import { usePlottedLimits } from '../../state/limits.ts';
import { LIVE_POINTS_MAX, type PlotChannel, type PlotMark, type Span, usePlot } from '../../state/plot.ts';
import { faultOf } from '../../state/query-fault.ts';
import { ChannelPicker } from '../../ui/plot/channel-picker.tsx';
import { CHANNELS_MAX, channelKey, pickFirst } from '../../ui/plot/line-key.ts';
import { toPlotted } from '../../ui/plot/to-plotted.ts';
import { UnitPlots } from '../../ui/plot/unit-plots.tsx';
import { QueryFault } from '../../ui/query-fault.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import classes from './timeline.module.css';

interface GrowthValuesProps {
  /** Of the growth. */
  id: string;
  channels: readonly PlotChannel[];
  marks: readonly PlotMark[];
  span: Span;
  /** Those of the timeline, so that the eye follows one line through both. */
  ticks: readonly number[];
  onSpan: (span: Span) => void;
}

/** Values of chosen channels over the time that the timeline shows; dragging over a plot zooms both. */
export function GrowthValues({ id, channels, marks, span, ticks, onSpan }: GrowthValuesProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(null);
  const keys = chosen ?? pickFirst(channels.filter(({ unit }) => unit !== ''));
  const shown = channels.filter((channel) => keys.has(channelKey(channel))).slice(0, CHANNELS_MAX);
  const { reading } = usePlot({ of: `values of ${id}`, channels: shown, view: span, maxPoints: LIVE_POINTS_MAX });
  const limits = usePlottedLimits();
  const colours = new Map(shown.map((channel, at) => [channelKey(channel), at]));
  const { lines = [], gaps = [] } = reading.data ?? {};
  const own = lines.filter((line) => colours.has(channelKey(line)));
  const placed = marks.map(({ timeMs, text }) => ({ at: timeMs, text }));
  if (channels.length === 0) return null;
  return (
    <div className={classes.values} data-testid="values">
      <div className={classes.valuesHead}>
        <h3 className={classes.valuesTitle}>Values</h3>
        <ChannelPicker channels={channels} most={CHANNELS_MAX} chosen={keys} onChange={setChosen} />
      </div>
      <QueryFault fault={faultOf(reading, limits)} />
      {shown.length === 0 && <Quiet>No channel is chosen.</Quiet>}
      {shown.length > 0 && reading.isPending && <Quiet>Reading the values.</Quiet>}
      <UnitPlots
        lines={own.map((line) => toPlotted(line, colours.get(channelKey(line)) ?? 0, gaps, limits.data))}
        marksOf={() => placed}
        from={span.fromMs}
        to={span.toMs}
        ticks={ticks}
        onSpan={({ from, to }) => onSpan({ fromMs: from, toMs: to })}
      />
      {own.some(({ readFromMs }) => readFromMs !== null) && (
        <Quiet>The beginning of a line was not looked through: it holds more points than are read at once.</Quiet>
      )}
    </div>
  );
}
