import { Button, Checkbox, Loader } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { pathOfEntry } from '../../format/entry-path.ts';
import { formatExact, formatMoment, formatZone } from '../../format/time.ts';
import { type Entry, ROWS_MAX } from '../../state/catalogue.ts';
import { Notice } from '../../ui/notice.tsx';
import classes from './catalogue.module.css';
import { StatusWord } from './entry-words.tsx';

interface EntryListProps {
  entries: readonly Entry[];
  chosen: ReadonlySet<string>;
  onChoose: (chosen: ReadonlySet<string>) => void;
  isLast: boolean;
  isFetching: boolean;
  /** Why the next entries did not come. */
  fault: { message: string; hint: string } | null;
  /** Ask for the next entries; null: there are none for this list. */
  onMore: (() => void) | null;
  onRetry: () => void;
  /** The list of the newest entries, and that of those after this list. */
  newerPath: string | null;
  olderPath: string | null;
}

/** Height of a row, pixels; the style sheet says the same. */
const ROW_PX = 64;
/** Rows drawn beyond those in sight. */
const OVERSCAN = 12;
/** The next entries are asked for when so many rows are left below, so that a scroll seldom waits. */
const AHEAD = 200;

/** The entries as a table of which only the rows in sight exist; more are asked for as its end comes near. */
export function EntryList(props: EntryListProps) {
  const { entries, chosen, onChoose, isLast, isFetching, fault, onMore, onRetry, newerPath, olderPath } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
  });
  const items = rows.getVirtualItems();
  const lastShown = items.at(-1)?.index ?? 0;
  const isNearEnd = lastShown >= entries.length - AHEAD;
  useEffect(() => {
    if (isNearEnd && !isFetching) onMore?.();
  }, [isNearEnd, isFetching, onMore]);
  const nowMs = Date.now();
  const current = useRef(chosen);
  current.current = chosen;
  const toggle = useRef((dataId: string) => {
    const next = new Set(current.current);
    if (!next.delete(dataId)) next.add(dataId);
    onChoose(next);
  });
  const isAll = entries.length > 0 && entries.every(({ dataId }) => chosen.has(dataId));
  return (
    <div className={classes.listBox}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <section ref={scroller} className={classes.list} aria-label="List of entries" tabIndex={0}>
        <table className={classes.entries} aria-label="Entries" aria-rowcount={isLast ? entries.length + 1 : -1}>
          <thead>
            <tr aria-rowindex={1}>
              <th scope="col">
                <Checkbox
                  aria-label={`Choose all ${entries.length} entries listed`}
                  checked={isAll}
                  indeterminate={!isAll && chosen.size > 0}
                  onChange={() => onChoose(isAll ? new Set() : new Set(entries.map(({ dataId }) => dataId)))}
                />
              </th>
              <th scope="col">Entry and sample</th>
              <th scope="col">Kind</th>
              <th scope="col">State</th>
              <th scope="col">Tags</th>
              <th scope="col">Uploaded</th>
            </tr>
          </thead>
          <tbody>
            <Room heightPx={items[0]?.start ?? 0} />
            {items.map(({ index }) => {
              const entry = entries[index];
              return entry ? (
                <EntryRow
                  key={entry.dataId}
                  entry={entry}
                  index={index}
                  isChosen={chosen.has(entry.dataId)}
                  onToggle={toggle.current}
                  nowMs={nowMs - (nowMs % 60_000)}
                />
              ) : null;
            })}
            <Room heightPx={rows.getTotalSize() - (items.at(-1)?.end ?? 0)} />
          </tbody>
        </table>
      </section>
      <div className={classes.listEnd}>
        {isFetching && (
          <span role="status">
            <Loader size="xs" aria-hidden="true" /> Asking for more entries.
          </span>
        )}
        {fault && (
          <>
            <Notice tone="attention" {...fault} />
            <Button variant="default" onClick={onRetry}>
              Ask again
            </Button>
          </>
        )}
        {newerPath && (
          <Button variant="default" component={Link} href={newerPath}>
            Back to the newest
          </Button>
        )}
        {olderPath && (
          <Button variant="default" component={Link} href={olderPath}>
            Show the next {ROWS_MAX.toLocaleString('en-US')}
          </Button>
        )}
      </div>
    </div>
  );
}

/** Stands for the rows that are out of sight. */
function Room({ heightPx }: { heightPx: number }) {
  if (heightPx <= 0) return null;
  return (
    <tr className={classes.room}>
      <td style={{ height: heightPx }} />
    </tr>
  );
}

interface EntryRowProps {
  entry: Entry;
  index: number;
  isChosen: boolean;
  onToggle: (dataId: string) => void;
  nowMs: number;
}

const EntryRow = memo(function EntryRow({ entry, index, isChosen, onToggle, nowMs }: EntryRowProps) {
  const { dataId, name, type, status, sampleName, tags, uploadedMs } = entry;
  const shown = name === '' ? dataId : name;
  return (
    <tr aria-rowindex={index + 2} data-testid="entry">
      <td>
        <Checkbox aria-label={`Choose ${shown}`} checked={isChosen} onChange={() => onToggle(dataId)} />
      </td>
      <td>
        <Link href={pathOfEntry(dataId)} className={classes.entryName ?? ''} title={shown}>
          <bdi>{shown}</bdi>
        </Link>
        <bdi className={classes.under}>{sampleName ?? 'no sample'}</bdi>
      </td>
      <td>
        <bdi>{type === '' ? 'not said' : type}</bdi>
      </td>
      <td>
        <StatusWord status={status} />
      </td>
      <td>
        {tags.map(({ id, name: tag }) => (
          <bdi key={id ?? `name ${tag}`} className={classes.tag}>
            {tag}
          </bdi>
        ))}
      </td>
      <td title={uploadedMs === null ? '' : formatExact(uploadedMs)}>
        {uploadedMs === null ? 'not said' : formatMoment(uploadedMs, nowMs)}
        {uploadedMs !== null && <span className={classes.under}>{formatZone(uploadedMs)}</span>}
      </td>
    </tr>
  );
});
