import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import type { GapView, SourceView } from '../../../src-main/contract/snapshot.ts';
import { formatExact } from '../../format/time.ts';
import { usePlottedLimits } from '../../state/limits.ts';
import { isPast, usePlot, usePlotChannels } from '../../state/plot.ts';
import { faultOf } from '../../state/query-fault.ts';
import layout from '../../ui/layout.module.css';
import { Panel } from '../../ui/panel.tsx';
import { ChannelPicker } from '../../ui/plot/channel-picker.tsx';
import { ChannelsNotice } from '../../ui/plot/channels-notice.tsx';
import { CHANNELS_MAX, channelKey, pickFirst } from '../../ui/plot/line-key.ts';
import { toPlotted } from '../../ui/plot/to-plotted.ts';
import { UnitPlots } from '../../ui/plot/unit-plots.tsx';
import { QueryFault } from '../../ui/query-fault.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import classes from './now.module.css';

const MINUTE_MS = 60_000;
const windows = [1, 5, 30].map((minutes) => ({ value: String(minutes * MINUTE_MS), label: `${minutes} min` }));

/** The newest minutes of chosen channels, one panel for each unit, all over the same time. */
export function LivePlot({ sources, gaps }: { sources: readonly SourceView[]; gaps: readonly GapView[] }) {
  const [windowMs, setWindowMs] = useState(String(MINUTE_MS));
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(null);
  const channels = usePlotChannels();
  const known = channels.data ?? [];
  const keys = chosen ?? pickFirst(known);
  const shown = known.filter((channel) => keys.has(channelKey(channel))).slice(0, CHANNELS_MAX);
  const view = { lastMs: Number(windowMs) };
  const { reading } = usePlot({ of: 'live', channels: shown, view, isBare: true });
  const data = reading.data;
  const limits = usePlottedLimits();
  const colours = new Map(shown.map((channel, at) => [channelKey(channel), at]));
  const aside = (
    <div className={classes.plotControls}>
      <ChannelPicker channels={known} most={CHANNELS_MAX} chosen={keys} onChange={setChosen} />
      <SegmentedControl aria-label="Time shown" data={windows} value={windowMs} onChange={setWindowMs} />
    </div>
  );
  return (
    <Panel title="Live values" aside={aside}>
      <div className={layout.closeStack} data-testid="plot">
        <QueryFault fault={faultOf(channels, reading, limits)} />
        <ChannelsNotice known={channels.data} shown={shown} hasSources={sources.length > 0} />
        {shown.length > 0 && !data && <Quiet>Reading the newest values.</Quiet>}
        {shown.length > 0 && data && (
          <>
            {isPast(view, data) && (
              <Quiet>The newest reading is of {formatExact(data.toMs)}; the plot ends there.</Quiet>
            )}
            <UnitPlots
              lines={data.lines.map((line) => toPlotted(line, colours.get(channelKey(line)) ?? 0, gaps, limits.data))}
              from={data.fromMs}
              to={data.toMs}
            />
          </>
        )}
      </div>
    </Panel>
  );
}
