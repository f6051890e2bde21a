import type { Snapshot, StoreView } from '../../../src-main/contract/snapshot.ts';
import { formatDuration } from '../../format/duration.ts';
import { formatCount } from '../../format/number.ts';
import { formatBytes } from '../../format/size.ts';
import type { StateWord } from '../../format/state-words.ts';
import { type Drain, useDrain } from '../../state/drain.ts';
import { Facts } from '../../ui/facts.tsx';
import layout from '../../ui/layout.module.css';
import { StateLabel } from '../../ui/marks/state-label.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Quiet } from '../../ui/quiet.tsx';

const words: Readonly<Record<StoreView['state'], StateWord>> = {
  ok: { tone: 'ok', word: 'Storing' },
  failing: { tone: 'attention', word: 'Cannot store' },
  away: { tone: 'attention', word: 'Not in its place' },
  stopped: { tone: 'stopped', word: 'Stopped' },
};

/** What is kept on this disk, how long it takes to be delivered, and how much room is left. */
export function BufferPanel({ snapshot }: { snapshot: Snapshot }) {
  const { store, service } = snapshot;
  const drain = useDrain(snapshot);
  if (store === null) {
    return (
      <Panel title="Local buffer">
        <Quiet>The buffer is not open yet.</Quiet>
      </Panel>
    );
  }
  const word = words[store.state];
  const isPaused = service?.pausedSinceMs != null;
  const isSent = service?.state === 'connected';
  return (
    <Panel title="Local buffer" aside={<StateLabel {...word} />}>
      <div className={layout.closeStack} data-testid="buffer">
        <Facts
          facts={[
            { label: 'Points to deliver', value: formatCount(store.waitingPoints) },
            {
              label: 'Time to catch up',
              value: isPaused && store.waitingPoints > 0 ? 'sending is paused' : drainText(drain, store, isSent),
            },
            { label: 'Buffer lasts', value: lastsText(store) },
            { label: 'File size', value: formatBytes(store.fileBytes), title: store.path },
            { label: 'Free on disk', value: store.freeBytes === null ? 'not known' : formatBytes(store.freeBytes) },
          ]}
        />
        {store.fill === 'short' ? (
          <Notice
            tone="attention"
            message={store.fillText}
            hint="Free disk space, or restore the connection so the queue can drain."
          />
        ) : (
          <Quiet>{store.fillText}</Quiet>
        )}
        {store.message !== '' && <Notice tone={word.tone} message={store.message} hint={store.hint} />}
      </div>
    </Panel>
  );
}

const HOUR_MS = 3_600_000;
const YEAR_HOURS = 365 * 24;

/** How long it takes until nothing waits any more, at the rate of the last minute. */
function drainText(drain: Drain, { waitingPoints, keepsUp }: StoreView, isSent: boolean): string {
  if (waitingPoints === 0) return 'Nothing waiting';
  if (!isSent) return 'waits for the service';
  if (keepsUp) return 'Keeping up';
  switch (drain.kind) {
    case 'unknown':
      return 'Measuring';
    case 'level':
      return 'Keeping up';
    case 'growing':
      return 'Falling behind';
    case 'draining':
      return `about ${formatDuration(Math.ceil(drain.leftMs / 1000) * 1000)}`;
  }
}

function lastsText({ hoursToFull, fill }: StoreView): string {
  if (hoursToFull !== null && hoursToFull > YEAR_HOURS) return 'more than a year';
  if (hoursToFull !== null) return formatDuration(hoursToFull * HOUR_MS);
  return fill === 'steady' ? 'does not fill' : 'not known yet';
}
