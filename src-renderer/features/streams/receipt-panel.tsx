import { Button } from '@mantine/core';
import { formatCount, formatCounted } from '../../format/number.ts';
import type { StateWord } from '../../format/state-words.ts';
import { formatExact } from '../../format/time.ts';
import { type Receipt, saveReceipt } from '../../state/stream.ts';
import { Disagreements } from '../../ui/disagreements.tsx';
import { Facts } from '../../ui/facts.tsx';
import layout from '../../ui/layout.module.css';
import { StateLabel } from '../../ui/marks/state-label.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { TallLink } from '../../ui/tall-link.tsx';
import { ReceiptTable } from './receipt-table.tsx';
import classes from './streams.module.css';

/** What can be said for certain of a stream: sums, what was read back, and where every byte came from. */
export function ReceiptPanel({ receipt }: { receipt: Receipt }) {
  const { counts, channels, gaps, refusedCells, source, marks, confirmation, disagreements } = receipt;
  return (
    <Panel title="Receipt" aside={<StateLabel {...readBackWord(receipt)} />}>
      <div className={layout.closeStack} data-testid="receipt">
        <Facts
          facts={[
            { label: 'Rows read', value: formatCount(counts.rowsRead) },
            { label: 'Cells that are no numbers', value: formatCount(counts.cellsRefused) },
            { label: 'Points stored', value: formatCount(counts.pointsStored) },
            { label: 'Acknowledged', value: formatCount(counts.pointsAcknowledged) },
            { label: 'Waiting', value: formatCount(counts.pointsWaiting) },
            { label: 'Refused by the service', value: formatCount(counts.pointsRefused) },
            { label: 'Read back', value: formatCount(counts.pointsReadBack) },
          ]}
        />
        <Disagreements disagreements={disagreements} />
        <Corrections receipt={receipt} />
        {confirmation?.outcome === 'differs' && (
          <Notice
            tone="attention"
            message="The service gives back something else than was delivered."
            hint={confirmation.notes.join(' · ')}
          />
        )}
        <ReceiptTable
          title={formatCounted(channels.length, 'channel')}
          head={['Channel', 'Unit', 'Stored', 'Acknowledged', 'Refused', 'Waiting']}
          rows={channels.map(({ name, unit, stored, acknowledged, refused, waiting, open }) => [
            ...[name, unit, stored, acknowledged, refused, waiting + open],
          ])}
        />
        <ReceiptTable
          title={formatCounted(gaps.length, 'gap')}
          head={['From', 'To', 'Cause']}
          rows={gaps.map(({ fromMs, toMs, cause }) => [formatExact(fromMs), formatExact(toMs), cause])}
        />
        <ReceiptTable
          title={`${formatCounted(counts.cellsRefused, 'cell')} that ${counts.cellsRefused === 1 ? 'is' : 'are'} no number`}
          head={['Place', 'Line', 'Channel', 'Text', 'Why']}
          rows={refusedCells.map(({ place, line, channel, text, reason }) => [
            place,
            line ?? '–',
            channel,
            text,
            reason,
          ])}
        />
        <ReceiptTable
          title={formatCounted(marks.count, 'mark of event logs', 'marks of event logs')}
          head={['Time', 'File', 'Line', 'Text']}
          rows={marks.first.map(({ timeMs, place, line, text }) => [formatExact(timeMs), place, line ?? '–', text])}
        />
        <ReceiptTable
          title={`Bytes of ${formatCounted(source.length, 'stretch of a file', 'stretches of files')}`}
          head={['File', 'From byte', 'To byte', 'SHA-256']}
          rows={source.map(({ place, fromByte, toByte, sha256 }) => [place, fromByte, toByte, sha256])}
        />
        <div className={classes.buttons}>
          <Button variant="default" onClick={() => saveReceipt(receipt)}>
            Save as JSON
          </Button>
        </div>
      </div>
    </Panel>
  );
}

/** Where refused points went out again and how they stand there, and whose points this stream takes. */
function Corrections({ receipt: { correctionOf, corrections } }: { receipt: Receipt }) {
  return (
    <>
      {correctionOf.map((id) => (
        <p key={id}>
          It sends points again which the service refused in <TallLink href={`/streams/${id}`}>stream {id}</TallLink>.
        </p>
      ))}
      {corrections.map(({ stream, points, acknowledged, refused }) => (
        <p key={stream}>
          {formatCount(points)} refused points were sent again in{' '}
          <TallLink href={`/streams/${stream}`}>stream {stream}</TallLink>: {formatCount(acknowledged)} acknowledged
          {refused > 0 ? `, ${formatCount(refused)} refused again` : ''}.
        </p>
      ))}
    </>
  );
}

function readBackWord({ confirmation, stream, counts, disagreements }: Receipt): StateWord {
  if (disagreements.length > 0) return { tone: 'attention', word: 'Does not agree' };
  // Only what was acknowledged is read back: a good comparison says nothing of what was refused.
  if (counts.pointsRefused > counts.pointsResent) {
    const isGood = confirmation !== null && confirmation.outcome !== 'differs';
    if (isGood) return { tone: 'attention', word: 'Confirmed, except what was refused' };
    if (confirmation === null && stream.state === 'delivered') return { tone: 'attention', word: 'Points refused' };
  }
  switch (confirmation?.outcome) {
    case 'confirmed':
      return { tone: 'ok', word: 'Confirmed point by point' };
    case 'counted':
      return { tone: 'ok', word: 'Confirmed by count' };
    case 'differs':
      return { tone: 'attention', word: 'Read back: differs' };
    case undefined:
      return {
        tone: 'busy',
        word: stream.state === 'delivered' ? 'Delivered, not read back yet' : 'Not delivered yet',
      };
  }
}
