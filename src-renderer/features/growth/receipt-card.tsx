import { Button } from '@mantine/core';
import { formatCount } from '../../format/number.ts';
import { formatExact } from '../../format/time.ts';
import { faultOf } from '../../state/query-fault.ts';
import { type Receipt, saveReceipt, useReceipt } from '../../state/stream.ts';
import { Disagreements } from '../../ui/disagreements.tsx';
import { Facts } from '../../ui/facts.tsx';
import { QueryFault } from '../../ui/query-fault.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import classes from './growth.module.css';

/** The sums of a stream's receipt, and the whole of it to save; its page shows every line. */
export function ReceiptCard({ streamId }: { streamId: number }) {
  const receipt = useReceipt(streamId);
  const fault = faultOf(receipt);
  if (!receipt.data) return fault ? <QueryFault fault={fault} /> : <Quiet>Making the receipt.</Quiet>;
  const { counts, gaps, disagreements } = receipt.data;
  return (
    <div className={classes.receipt} data-testid="receipt">
      <QueryFault fault={fault} />
      <Facts
        facts={[
          { label: 'Points stored', value: formatCount(counts.pointsStored) },
          { label: 'Acknowledged', value: formatCount(counts.pointsAcknowledged) },
          { label: 'Waiting', value: formatCount(counts.pointsWaiting) },
          { label: 'Refused', value: formatCount(counts.pointsRefused) },
          { label: 'Gaps', value: formatCount(gaps.length) },
          { label: 'Read back', value: readBackWords(receipt.data), isWide: true },
        ]}
      />
      <Disagreements disagreements={disagreements} />
      <div>
        <Button variant="default" onClick={() => saveReceipt(receipt.data)}>
          Save the receipt
        </Button>
      </div>
    </div>
  );
}

function readBackWords({ confirmation, stream, counts }: Receipt): string {
  if (confirmation === null) {
    if (counts.pointsRefused > counts.pointsResent) return 'Not yet; points were refused and are kept here.';
    return stream.state === 'delivered' ? 'Delivered, not read back yet.' : 'Once all of it is delivered.';
  }
  const { outcome, pointsCompared, atMs } = confirmation;
  const at = formatExact(atMs);
  switch (outcome) {
    case 'confirmed':
      return `${formatCount(pointsCompared)} points compared one by one at ${at}: all as sent.`;
    case 'counted':
      return `Counted at ${at}: as many as were sent.`;
    case 'differs':
      return `Compared at ${at}: the service gives back something else. ${confirmation.notes.join(' ')}`;
  }
}
