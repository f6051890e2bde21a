import { useRoute } from 'wouter';
import type { Snapshot } from '../../../src-main/contract/snapshot.ts';
import { StreamDetail } from './stream-detail.tsx';
import { StreamTable } from './stream-table.tsx';

/** All streams of this queue as a list, or one of them in full. */
export function StreamsPage({ snapshot }: { snapshot: Snapshot }) {
  const [isDetail, found] = useRoute('/streams/:id');
  const id = Number(found?.id);
  if (isDetail && Number.isSafeInteger(id) && id > 0) return <StreamDetail key={id} id={id} snapshot={snapshot} />;
  return <StreamTable snapshot={snapshot} />;
}
