import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import type { Snapshot, StreamView } from '../../../src-main/contract/snapshot.ts';
import { formatCount, formatCounted } from '../../format/number.ts';
import { hasRefused, type StateWord, streamWord, streamWords } from '../../format/state-words.ts';
import { formatExact, formatMoment } from '../../format/time.ts';
import { useAgentNow } from '../../state/contact.ts';
import { faultOf } from '../../state/query-fault.ts';
import { type StreamRow, useStreamList } from '../../state/stream.ts';
import layout from '../../ui/layout.module.css';
import { useLetterScale } from '../../ui/letter-scale.ts';
import { StateLabel } from '../../ui/marks/state-label.tsx';
import { Panel } from '../../ui/panel.tsx';
import { QueryFault } from '../../ui/query-fault.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import { TallLink } from '../../ui/tall-link.tsx';
import classes from './streams.module.css';

/** Height of a row beside letters of the usual size, pixels. */
const ROW_PX = 54;
const choices = [
  { value: 'all', label: 'All' },
  { value: 'waiting', label: 'Not delivered' },
  { value: 'refused', label: 'Refused' },
];

/** Every stream of any age in a list that is drawn only where it is seen. */
export function StreamTable({ snapshot }: { snapshot: Snapshot }) {
  const [choice, setChoice] = useState('all');
  const [search, setSearch] = useState('');
  const nowMs = useAgentNow();
  const list = useStreamList();
  const views = new Map(snapshot.streams.map((stream) => [stream.id, stream]));
  const rows = (list.data?.pages ?? []).flat();
  const wanted = search.trim().toLowerCase();
  const shown = rows.filter((row) => {
    if (choice === 'waiting' && row.state === 'delivered') return false;
    if (choice === 'refused' && row.pointsRefused === 0) return false;
    return row.name.toLowerCase().includes(wanted);
  });
  return (
    <Panel title="Streams" aside={<span>{formatCounted(snapshot.streamsTotal, 'stream')}</span>}>
      <div className={layout.closeStack}>
        <div className={classes.filters}>
          <TextInput
            className={classes.search ?? ''}
            aria-label="Search streams by name"
            placeholder="Search by name"
            leftSection={<IconSearch size="1.125rem" aria-hidden="true" />}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
          <SegmentedControl aria-label="Streams shown" data={choices} value={choice} onChange={setChoice} />
        </div>
        <QueryFault fault={faultOf(list)} />
        {list.isPending && <Quiet>Reading the list of streams.</Quiet>}
        {list.data && shown.length === 0 && (
          <Quiet>
            {rows.length === 0
              ? 'No stream yet. One opens with the first readings of a source.'
              : 'No stream of those that were read fits this choice.'}
          </Quiet>
        )}
        {shown.length > 0 && <Rows rows={shown} views={views} nowMs={nowMs} />}
        <div className={classes.buttons}>
          {list.hasNextPage && (
            <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
              Show older streams
            </Button>
          )}
          {shown.length > 0 && <Quiet>Newest first.</Quiet>}
        </div>
      </div>
    </Panel>
  );
}

interface RowsProps {
  rows: readonly StreamRow[];
  views: ReadonlyMap<number, StreamView>;
  nowMs: number;
}

function Rows({ rows, views, nowMs }: RowsProps) {
  const place = useRef<HTMLDivElement>(null);
  const scale = useLetterScale();
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => place.current,
    estimateSize: () => scale * ROW_PX,
    overscan: 8,
  });
  useEffect(() => virtual.measure(), [virtual, scale]);
  const drawn = virtual.getVirtualItems();
  const above = drawn[0]?.start ?? 0;
  const below = virtual.getTotalSize() - (drawn.at(-1)?.end ?? 0);
  return (
    <section
      ref={place}
      className={classes.scroll}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reachable by keyboard.
      tabIndex={0}
      aria-label="List of streams"
      data-testid="stream-rows"
    >
      <table className={classes.table} aria-rowcount={rows.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            {['Stream', 'State', 'Stored', 'Acknowledged', 'Refused', 'Newest reading'].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Space heightPx={above} />
          {drawn.map(({ index }) => {
            const row = rows[index];
            return row && <Row key={row.id} row={row} view={views.get(row.id)} index={index} nowMs={nowMs} />;
          })}
          <Space heightPx={below} />
        </tbody>
      </table>
    </section>
  );
}

/** The place of the rows that are not drawn. */
function Space({ heightPx }: { heightPx: number }) {
  if (heightPx <= 0) return null;
  return (
    <tr>
      <td colSpan={6} style={{ height: heightPx, padding: 0, border: 0 }} />
    </tr>
  );
}

interface RowProps {
  row: StreamRow;
  view: StreamView | undefined;
  index: number;
  nowMs: number;
}

function Row({ row, view, index, nowMs }: RowProps) {
  // What the snapshot says is fresher than the list.
  const { pointsStored, pointsAcknowledged, pointsRefused, lastStoredMs } = view ?? row;
  return (
    <tr aria-rowindex={index + 2} style={{ height: `${ROW_PX / 16}rem` }}>
      <td>
        <TallLink href={`/streams/${row.id}`} className={classes.rowName}>
          <bdi>{row.name}</bdi>
        </TallLink>
      </td>
      <td>
        <StateLabel {...(view ? streamWord(view) : wordOfRow(row))} />
      </td>
      <td>{formatCount(pointsStored)}</td>
      <td>{formatCount(pointsAcknowledged)}</td>
      <td>{formatCount(pointsRefused)}</td>
      <td title={lastStoredMs === null ? undefined : formatExact(lastStoredMs)}>
        {lastStoredMs === null ? 'none yet' : formatMoment(lastStoredMs, nowMs)}
      </td>
    </tr>
  );
}

function wordOfRow(row: StreamRow): StateWord {
  if (hasRefused(row)) return streamWords.needsYou;
  if (row.state === 'delivered') return streamWords.delivered;
  return row.state === 'closed' ? streamWords.finishing : streamWords.open;
}
