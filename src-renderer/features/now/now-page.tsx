import type { Snapshot } from '../../../src-main/contract/snapshot.ts';
import { useAgentNow } from '../../state/contact.ts';
import layout from '../../ui/layout.module.css';
import { ReadyPanel } from '../../ui/sources/ready-panel.tsx';
import { AlarmsPanel } from './alarms-panel.tsx';
import { BufferPanel } from './buffer-panel.tsx';
import { ClockPanel } from './clock-panel.tsx';
import { FormerPanel } from './former-panel.tsx';
import { GapsPanel } from './gaps-panel.tsx';
import { LivePlot } from './live-plot.tsx';
import classes from './now.module.css';
import { NowStrip } from './now-strip.tsx';
import { ServicePanel } from './service-panel.tsx';
import { SourcesPanel, TILES_MAX } from './sources-panel.tsx';
import { ValuesPanel } from './values-panel.tsx';

/** How things are now: the growth and its values, may one begin, what is read, what waits. */
export function NowPage({ snapshot }: { snapshot: Snapshot }) {
  const nowMs = useAgentNow();
  // With many sources this page stays within two screens: plots have a page of their own.
  const isCrowded = snapshot.sources.length > TILES_MAX;
  const gaps = <GapsPanel gaps={snapshot.gaps} total={snapshot.gapsTotal} nowMs={nowMs} />;
  return (
    <div className={layout.column}>
      <NowStrip snapshot={snapshot} nowMs={nowMs} />
      <AlarmsPanel alarms={snapshot.alarms} nowMs={nowMs} />
      <FormerPanel former={snapshot.former} />
      <ValuesPanel snapshot={snapshot} nowMs={nowMs} />
      {snapshot.growth === null && snapshot.ready.length > 0 && <ReadyPanel rows={snapshot.ready} />}
      <div className={classes.columns}>
        <div className={layout.column}>
          <SourcesPanel snapshot={snapshot} nowMs={nowMs} />
          {isCrowded ? (
            <ClockPanel snapshot={snapshot} nowMs={nowMs} />
          ) : (
            <LivePlot sources={snapshot.sources} gaps={snapshot.gaps} />
          )}
          {!isCrowded && gaps}
        </div>
        <div className={layout.column}>
          <ServicePanel service={snapshot.service} nowMs={nowMs} />
          <BufferPanel snapshot={snapshot} />
          {isCrowded && gaps}
          {!isCrowded && <ClockPanel snapshot={snapshot} nowMs={nowMs} />}
        </div>
      </div>
    </div>
  );
}
