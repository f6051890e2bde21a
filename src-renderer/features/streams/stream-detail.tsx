import { Button } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { Link } from 'wouter';
import type { Snapshot, SourceView, StreamView } from '../../../src-main/contract/snapshot.ts';
import { formatDuration } from '../../format/duration.ts';
import { formatCount, formatCounted } from '../../format/number.ts';
import { nextTryText, streamWord } from '../../format/state-words.ts';
import { formatExact, formatMoment } from '../../format/time.ts';
import { useAgentNow } from '../../state/contact.ts';
import { useExports } from '../../state/exports.ts';
import { faultOf } from '../../state/query-fault.ts';
import { type Receipt, useReceipt } from '../../state/stream.ts';
import { ExportPanel } from '../../ui/export-panel.tsx';
import { Facts } from '../../ui/facts.tsx';
import layout from '../../ui/layout.module.css';
import { StateLabel } from '../../ui/marks/state-label.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { QueryFault } from '../../ui/query-fault.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import { ReceiptPanel } from './receipt-panel.tsx';
import { RefusedPanel } from './refused-panel.tsx';

/** One stream in full: how far it has come, what was refused of it, its receipt, its readings as a file. */
export function StreamDetail({ id, snapshot }: { id: number; snapshot: Snapshot }) {
  const receipt = useReceipt(id);
  return (
    <div className={layout.column}>
      <div>
        <Button component={Link} href="/streams" variant="default" leftSection={<IconArrowLeft size="1.125rem" />}>
          All streams
        </Button>
      </div>
      <QueryFault fault={faultOf(receipt)} />
      {receipt.isPending && <Quiet>Reading stream {id}.</Quiet>}
      {receipt.data && <Content receipt={receipt.data} snapshot={snapshot} />}
    </div>
  );
}

function Content({ receipt, snapshot }: { receipt: Receipt; snapshot: Snapshot }) {
  const nowMs = useAgentNow();
  const exporting = useExports({ stream: String(receipt.stream.id) });
  const { stream, service, counts } = receipt;
  const view = snapshot.streams.find(({ id }) => id === stream.id);
  const source = snapshot.sources.find(({ id }) => id === stream.sourceId) ?? null;
  const nextTry = view ? nextTryText(view.nextTryMs, nowMs) : '';
  const message = [view?.message ?? '', nextTry].filter((part) => part !== '').join(' · ');
  const at = (timeMs: number | null) =>
    timeMs === null ? { value: 'not yet' } : { value: formatMoment(timeMs, nowMs), title: formatExact(timeMs) };
  return (
    <>
      <Panel title={stream.name} aside={view && <StateLabel {...streamWord(view)} />}>
        <div className={layout.closeStack} data-testid="stream">
          {view && <Facts facts={progressOf(view, source, nowMs)} />}
          {message !== '' && view && <Notice tone={streamWord(view).tone} message={message} hint={view.hint} />}
          <Facts
            facts={[
              { label: 'Source', value: <bdi>{stream.sourceId}</bdi> },
              { label: 'Number here', value: stream.id },
              { label: 'Points a chunk', value: stream.pointsPerChunk ?? 'being measured' },
              { label: 'First reading', ...at(stream.firstReadingMs) },
              { label: 'Newest reading', ...at(stream.lastReadingMs) },
              { label: 'Opened', ...at(stream.openedMs) },
              { label: 'Closed', ...at(stream.closedMs) },
              {
                label: 'Entry at the service',
                isWide: true,
                value: service.dataId === null ? 'none yet' : <bdi>{service.dataId}</bdi>,
              },
            ]}
          />
        </div>
      </Panel>
      {counts.pointsRefused > 0 && <RefusedPanel receipt={receipt} />}
      <ReceiptPanel receipt={receipt} />
      <ExportPanel name={stream.name} exporting={exporting} />
    </>
  );
}

/** How far a stream has come: read from the source, stored on this disk, acknowledged by the service. */
function progressOf(stream: StreamView, source: SourceView | null, nowMs: number) {
  const { state, pointsStored, pointsAcknowledged, pointsRefused, lastStoredMs, deliveredUpToMs } = stream;
  // What was read and is not on disk yet goes into the open stream of its source.
  const unstored = state === 'open' ? (source?.pointsUnstored ?? 0) : 0;
  const waiting = Math.max(0, pointsStored - pointsAcknowledged - pointsRefused);
  const upTo = deliveredUpToMs === null ? '; older points wait' : ` up to ${formatMoment(deliveredUpToMs, nowMs)}`;
  return [
    { label: 'Read', value: formatCount(pointsStored + unstored) },
    ...behindFact('Not stored yet', unstored, source?.newestReadMs ?? null, lastStoredMs),
    { label: 'Stored here', value: formatCount(pointsStored) },
    { label: 'Acknowledged', value: `${formatCount(pointsAcknowledged)}${pointsAcknowledged > 0 ? upTo : ''}` },
    ...behindFact('Not acknowledged yet', waiting, lastStoredMs, deliveredUpToMs),
  ];
}

/** Points that lie between two steps, and how far the later one is behind; absent: none. */
function behindFact(label: string, points: number, aheadMs: number | null, laterMs: number | null) {
  if (points === 0) return [];
  const behindMs = aheadMs === null || laterMs === null ? 0 : Math.max(0, aheadMs - laterMs);
  const behind = behindMs > 50 ? `, ${formatDuration(behindMs)} behind` : '';
  return [{ label, value: `${formatCounted(points, 'point')}${behind}` }];
}
