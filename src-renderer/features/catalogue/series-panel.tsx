import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import { formatCount, formatCounted } from '../../format/number.ts';
import { type EntrySeries, useEntrySeries } from '../../state/catalogue.ts';
import { faultOf } from '../../state/query-fault.ts';
import { Answered } from '../../ui/answered.tsx';
import layout from '../../ui/layout.module.css';
import { Panel } from '../../ui/panel.tsx';
import { ChannelPicker } from '../../ui/plot/channel-picker.tsx';
import { channelKey, pickFirst } from '../../ui/plot/line-key.ts';
import { PlotPanel } from '../../ui/plot/plot-panel.tsx';
import type { PlotSpan, PlottedLine } from '../../ui/plot/plotted-line.ts';
import { QueryFault, type ShownFault } from '../../ui/query-fault.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import classes from './catalogue.module.css';

/** Heading of the lines in the picker. */
const GROUP = 'Lines of this entry';
const CHOSEN_MAX = 20;

/** The time series of an entry, a plot for each unit, all over the same time. */
export function SeriesPanel({ dataId }: { dataId: string }) {
  const series = useEntrySeries(dataId);
  return series.data && series.data.lines.length > 0 ? (
    <Plots
      series={series.data}
      onAgain={() => void series.refetch()}
      isFetching={series.isFetching}
      fault={faultOf(series)}
    />
  ) : (
    <Panel title="Time series">
      <Answered
        isPending={series.isPending}
        fault={faultOf(series)}
        loading="Reading the series from the service. A long one takes a while."
      >
        <Quiet>The service holds no time series for this entry.</Quiet>
      </Answered>
    </Panel>
  );
}

interface PlotsProps {
  series: EntrySeries;
  isFetching: boolean;
  onAgain: () => void;
  fault: ShownFault | null;
}

function Plots({ series, isFetching, onAgain, fault }: PlotsProps) {
  const [picked, setPicked] = useState<ReadonlySet<string> | null>(null);
  const [wanted, setWanted] = useState<PlotSpan | null>(null);
  const channels = useMemo(
    () => series.lines.map(({ name, unit }) => ({ sourceId: GROUP, channel: name, unit })),
    [series],
  );
  const keys = picked ?? pickFirst(channels);
  const whole = useMemo(() => wholeSpan(series), [series]);
  const span = wanted ?? whole;
  const groups = useMemo(() => groupByUnit(series, keys), [series, keys]);
  const points = series.lines.reduce((sum, line) => sum + line.points, 0);
  const isThinned = series.lines.some((line) => line.points > line.timesMs.length);
  return (
    <Panel
      title="Time series"
      aside={
        <div className={classes.actions}>
          {channels.length > 1 && (
            <ChannelPicker channels={channels} most={CHOSEN_MAX} chosen={keys} onChange={setPicked} />
          )}
          {wanted && (
            <Button variant="default" onClick={() => setWanted(null)}>
              Whole time
            </Button>
          )}
          <Button variant="default" loading={isFetching} onClick={onAgain}>
            Read again
          </Button>
        </div>
      }
    >
      <div className={layout.stack} data-testid="series">
        <QueryFault fault={fault} />
        {groups.length === 0 && <Quiet>No line is chosen.</Quiet>}
        {groups.map(([unit, lines]) => (
          <PlotPanel key={unit} unit={unit} lines={lines} from={span.from} to={span.to} onSpan={setWanted} />
        ))}
        <Quiet>
          {formatCounted(points, 'point')} at the service
          {isThinned && '; long lines are thinned here, with their extremes kept'}
          {series.left > 0 && `; ${formatCount(series.left)} more lines are not shown`}. Drag over a plot to look
          closer.
        </Quiet>
      </div>
    </Panel>
  );
}

function wholeSpan({ lines }: EntrySeries): PlotSpan {
  const starts = lines.map(({ timesMs }) => timesMs[0]).filter((timeMs) => timeMs !== undefined);
  const ends = lines.map(({ timesMs }) => timesMs.at(-1)).filter((timeMs) => timeMs !== undefined);
  const [from, to] = [Math.min(...starts), Math.max(...ends)];
  // A series of one point, or none at all, still needs a span to be drawn in.
  if (!Number.isFinite(from)) return { from: 0, to: 1000 };
  return from === to ? { from: from - 500, to: to + 500 } : { from, to };
}

/** The chosen lines, in groups by unit; they keep the order of the entry. */
function groupByUnit({ lines }: EntrySeries, keys: ReadonlySet<string>): [string, PlottedLine[]][] {
  const plotted = lines
    .filter(({ name }) => keys.has(channelKey({ sourceId: GROUP, channel: name })))
    .slice(0, CHOSEN_MAX)
    .map(({ name, unit, points, timesMs, values }, colour) => ({
      key: name,
      name,
      title: formatCounted(points, 'point'),
      unit,
      xs: timesMs,
      values,
      colour,
    }));
  return [...Map.groupBy(plotted, ({ unit }) => unit)];
}
