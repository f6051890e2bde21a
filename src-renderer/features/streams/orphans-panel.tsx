import { Button } from '@mantine/core';
import { useState } from 'react';
import { formatCount, formatCounted } from '../../format/number.ts';
import { formatMoment } from '../../format/time.ts';
import { useAgentNow } from '../../state/contact.ts';
import { faultOf } from '../../state/query-fault.ts';
import { type Orphans, useOrphans } from '../../state/stream.ts';
import layout from '../../ui/layout.module.css';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { QueryFault } from '../../ui/query-fault.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import classes from './streams.module.css';

/** Entries at the service that were begun for this tool and belong to no stream here. */
export function OrphansPanel() {
  const [isWanted, setIsWanted] = useState(false);
  const orphans = useOrphans(isWanted);
  return (
    <Panel
      title="Entries without a stream"
      aside={orphans.data && <span>{formatCounted(orphans.data.total, 'entry', 'entries')}</span>}
    >
      <div className={layout.closeStack} data-testid="orphans">
        <Quiet>
          An entry can be begun at the service and its answer be lost, or it was begun from another data folder. Such
          entries bear the name of this tool, but no stream here fills them.
        </Quiet>
        <div>
          <Button
            variant="default"
            loading={orphans.isFetching}
            onClick={() => (isWanted ? void orphans.refetch() : setIsWanted(true))}
          >
            {orphans.data ? 'Look again' : 'Look for them'}
          </Button>
        </div>
        <QueryFault fault={faultOf(orphans)} />
        {orphans.data && <Found {...orphans.data} />}
      </div>
    </Panel>
  );
}

function Found({ orphans, total, isCut }: Orphans) {
  const nowMs = useAgentNow();
  return (
    <>
      {total === 0 && !isCut && <Notice tone="ok" message="Every entry of this tool belongs to a stream of this PC." />}
      {isCut && (
        <Quiet>
          {total === 0 ? 'None was found so far. ' : ''}The catalogue is longer than was looked through: there may be
          more.
        </Quiet>
      )}
      {orphans.length > 0 && (
        <>
          <ul className={classes.chunks} aria-label="Entries without a stream">
            {orphans.map(({ dataId, name, startMs, isOpen, cause }) => (
              <li key={dataId} className={classes.chunk}>
                <strong>
                  <bdi>{name}</bdi>
                </strong>
                <Quiet>
                  {startMs === null ? 'Start not known' : `Started ${formatMoment(startMs, nowMs)}`}
                  {' · '}
                  {cause === 'twin' ? 'a second entry of a stream that is here' : 'begun from another data folder'}
                  {isOpen ? ' · still open at the service' : ''}
                </Quiet>
                <bdi className={classes.words}>{dataId}</bdi>
              </li>
            ))}
          </ul>
          {orphans.length < total && <Quiet>{formatCount(total - orphans.length)} more are not listed.</Quiet>}
          <Quiet>
            The interface of the service has no call that takes an entry away: ask its administrator. Nothing here is
            lost by them.
          </Quiet>
        </>
      )}
    </>
  );
}
