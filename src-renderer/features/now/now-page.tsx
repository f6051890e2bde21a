import type { Snapshot } from '../../../src-main/contract/snapshot.ts';
import { useAgentNow } from '../../state/contact.ts';
import { BufferPanel } from './buffer-panel.tsx';
import { EventsPanel } from './events-panel.tsx';
import { GapsPanel } from './gaps-panel.tsx';
import { LivePlot } from './live-plot.tsx';
import classes from './now.module.css';
import { ServicePanel } from './service-panel.tsx';
import { SourcesPanel } from './sources-panel.tsx';
import { StreamsPanel } from './streams-panel.tsx';

/** How things are now: the streams with their marks, the plot, the gaps, and beside them service, buffer, sources and events. */
export function NowPage({ snapshot }: { snapshot: Snapshot }) {
  const nowMs = useAgentNow();
  return (
    <div className={classes.columns}>
      <div className={classes.column}>
        <StreamsPanel snapshot={snapshot} nowMs={nowMs} />
        <LivePlot sources={snapshot.sources} gaps={snapshot.gaps} />
        <GapsPanel gaps={snapshot.gaps} total={snapshot.gapsTotal} nowMs={nowMs} />
        <EventsPanel journal={snapshot.journal} nowMs={nowMs} />
      </div>
      <div className={classes.column}>
        <ServicePanel service={snapshot.service} nowMs={nowMs} />
        <BufferPanel store={snapshot.store} />
        <SourcesPanel sources={snapshot.sources} nowMs={nowMs} />
      </div>
    </div>
  );
}
