import { Button, Loader } from '@mantine/core';
import { Link } from 'wouter';
import type { Snapshot } from '../../../src-main/contract/snapshot.ts';
import { formatDuration } from '../../format/duration.ts';
import { formatCounted } from '../../format/number.ts';
import { formatExact, formatMoment } from '../../format/time.ts';
import { type Growth, useGrowthList } from '../../state/growth.ts';
import { faultOf } from '../../state/query-fault.ts';
import layout from '../../ui/layout.module.css';
import { StateLabel } from '../../ui/marks/state-label.tsx';
import { Panel } from '../../ui/panel.tsx';
import { QueryFault } from '../../ui/query-fault.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import classes from './growth.module.css';
import { growthWord, worstKept } from './growth-states.ts';

/** Every growth of this agent, newest first, a page at a time. */
export function PastGrowths({ snapshot, nowMs }: { snapshot: Snapshot; nowMs: number }) {
  const list = useGrowthList();
  const growths = (list.data?.pages ?? []).flatMap((page) => page.growths).filter(({ endedMs }) => endedMs !== null);
  return (
    <Panel title="Past growths">
      <div className={layout.stack} data-testid="past">
        <QueryFault fault={faultOf(list)} />
        {list.isPending && <Quiet>Reading the list.</Quiet>}
        {list.data && growths.length === 0 && <Quiet>No past growths.</Quiet>}
        {growths.length > 0 && (
          <ul className={classes.past}>
            {growths.map((growth) => (
              <PastGrowth key={growth.id} growth={growth} snapshot={snapshot} nowMs={nowMs} />
            ))}
          </ul>
        )}
        {list.hasNextPage && (
          <div>
            <Button
              variant="default"
              disabled={list.isFetchingNextPage}
              leftSection={list.isFetchingNextPage ? <Loader size="xs" aria-hidden="true" /> : undefined}
              onClick={() => void list.fetchNextPage()}
            >
              Older growths
            </Button>
          </div>
        )}
      </div>
    </Panel>
  );
}

function PastGrowth({ growth, snapshot, nowMs }: { growth: Growth; snapshot: Snapshot; nowMs: number }) {
  const { id, name, startedMs, endedMs, parts } = growth;
  const streams = parts.flatMap((part) => part.streams);
  const kept = worstKept(growth, snapshot);
  const points = streams.reduce((sum, stream) => sum + stream.points, 0);
  return (
    <li>
      <Link href={`/growth/${encodeURIComponent(id)}`} className={classes.pastLink ?? ''}>
        <span className={classes.pastName}>{name === '' ? 'Not named' : <bdi>{name}</bdi>}</span>
        <span className={classes.pastWhen} title={formatExact(startedMs)}>
          {formatMoment(startedMs, nowMs)}, {formatDuration((endedMs ?? nowMs) - startedMs)}
        </span>
        <span className={classes.pastWhat}>
          {formatCounted(streams.length, 'stream')}, {formatCounted(points, 'point')}
        </span>
        <StateLabel {...growthWord(growth, kept)} />
        {kept && <bdi className={classes.pastWhy}>{kept.message}</bdi>}
      </Link>
    </li>
  );
}
