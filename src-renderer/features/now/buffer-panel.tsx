import type { StoreView } from '../../../src-main/contract/snapshot.ts';
import { formatCount } from '../../format/number.ts';
import { formatBytes } from '../../format/size.ts';
import type { StateWord } from '../../format/state-words.ts';
import { Facts } from '../../ui/facts.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import { StateLabel } from '../../ui/state-label.tsx';
import classes from './now.module.css';

const words: Readonly<Record<StoreView['state'], StateWord>> = {
  ok: { tone: 'ok', word: 'Storing' },
  failing: { tone: 'attention', word: 'Cannot store' },
  stopped: { tone: 'stopped', word: 'Stopped' },
};

/** What is kept on this disk, and how much room is left. */
export function BufferPanel({ store }: { store: StoreView | null }) {
  if (store === null) {
    return (
      <Panel title="Kept on this PC">
        <Quiet>The buffer is not open yet.</Quiet>
      </Panel>
    );
  }
  const word = words[store.state];
  return (
    <Panel title="Kept on this PC" aside={<StateLabel {...word} />}>
      <div className={classes.stack} data-testid="buffer">
        <Facts
          facts={[
            { label: 'Points to deliver', value: formatCount(store.waitingPoints) },
            { label: 'Chunks to deliver', value: formatCount(store.waitingChunks) },
            { label: 'File size', value: formatBytes(store.fileBytes), title: store.path },
            { label: 'Free on disk', value: store.freeBytes === null ? 'not known' : formatBytes(store.freeBytes) },
          ]}
        />
        {store.fill === 'short' ? (
          <Notice
            tone="attention"
            message={store.fillText}
            hint="Free space on this disk, or bring the service within reach so that what waits can be delivered."
          />
        ) : (
          <Quiet>{store.fillText}</Quiet>
        )}
        {store.message !== '' && <Notice tone={word.tone} message={store.message} hint={store.hint} />}
      </div>
    </Panel>
  );
}
