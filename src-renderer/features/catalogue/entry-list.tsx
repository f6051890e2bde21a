import { Button, Checkbox, Loader } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useEffect, useMemo, useRef } from 'react';
import { Link } from 'wouter';
import { pathOfEntry } from '../../format/entry-path.ts';
import { formatExact, formatMoment } from '../../format/time.ts';
import { type Entry, ROWS_MAX } from '../../state/catalogue.ts';
import { useLetterScale } from '../../ui/letter-scale.ts';
import { QueryFault, type ShownFault } from '../../ui/query-fault.tsx';
import classes from './catalogue.module.css';
import { type Row, startOf } from './entry-rows.ts';
import { StatusWord, wordOfType } from './entry-words.tsx';
import { words } from './words.ts';

interface EntryListProps {
  rows: readonly Row[];
  chosen: ReadonlySet<string>;
  onChoose: (chosen: ReadonlySet<string>) => void;
  isLast: boolean;
  isFetching: boolean;
  /** Why the next entries did not come. */
  fault: ShownFault | null;
  /** Ask for the next entries; null: there are none for this list. */
  onMore: (() => void) | null;
  /** The list of the newest entries, and that of those after this list. */
  newerPath: string | null;
  olderPath: string | null;
}

/** Height of a row beside letters of the usual size, pixels; the style sheet says the same. */
const ROW_PX = 64;
const GROWTH_PX = 48;
/** Rows drawn beyond those in sight. */
const OVERSCAN = 12;
/** The next entries are asked for when so many rows are left below, so that a scroll seldom waits. */
const AHEAD = 200;

/** The entries as a table of which only the rows in sight exist; more are asked for as its end comes near. */
export function EntryList(props: EntryListProps) {
  const { rows: all, chosen, onChoose, isLast, isFetching, fault, onMore, newerPath, olderPath } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const scale = useLetterScale();
  const rows = useVirtualizer({
    count: all.length,
    getScrollElement: () => scroller.current,
    estimateSize: (at) => scale * (all[at]?.kind === 'growth' ? GROWTH_PX : ROW_PX),
    getItemKey: (at) => keyOf(all[at]),
    overscan: OVERSCAN,
  });
  useEffect(() => rows.measure(), [rows, scale]);
  const items = rows.getVirtualItems();
  const lastShown = items.at(-1)?.index ?? 0;
  const isNearEnd = lastShown >= all.length - AHEAD;
  useEffect(() => {
    if (isNearEnd && !isFetching) onMore?.();
  }, [isNearEnd, isFetching, onMore]);
  const nowMs = Date.now();
  const current = useRef(chosen);
  current.current = chosen;
  const toggle = useRef((dataIds: readonly string[]) => {
    const next = new Set(current.current);
    const isOn = dataIds.every((dataId) => next.has(dataId));
    for (const dataId of dataIds) {
      if (isOn) next.delete(dataId);
      else next.add(dataId);
    }
    onChoose(next);
  });
  const entries = useMemo(() => all.flatMap((row) => (row.kind === 'entry' ? [row.entry] : [])), [all]);
  const isAll = entries.length > 0 && entries.every(({ dataId }) => chosen.has(dataId));
  return (
    <div className={classes.listBox}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <section ref={scroller} className={classes.list} aria-label="List of entries" tabIndex={0}>
        <table className={classes.entries} aria-label="Entries" aria-rowcount={isLast ? all.length + 1 : -1}>
          <thead>
            <tr aria-rowindex={1}>
              <th scope="col">
                <Checkbox
                  aria-label={words.chooseAll(entries.length)}
                  checked={isAll}
                  indeterminate={!isAll && chosen.size > 0}
                  onChange={() => onChoose(isAll ? new Set() : new Set(entries.map(({ dataId }) => dataId)))}
                />
              </th>
              {Object.values(words.columns).map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <Room heightPx={items[0]?.start ?? 0} />
            {items.map(({ index }) => {
              const row = all[index];
              if (!row) return null;
              return row.kind === 'growth' ? (
                <GrowthRow
                  key={row.key}
                  entries={row.entries}
                  index={index}
                  chosen={chosen}
                  onToggle={toggle.current}
                />
              ) : (
                <EntryRow
                  key={row.entry.dataId}
                  entry={row.entry}
                  isInGrowth={row.isInGrowth}
                  index={index}
                  isChosen={chosen.has(row.entry.dataId)}
                  onToggle={toggle.current}
                  nowMs={nowMs - (nowMs % 60_000)}
                />
              );
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
        <QueryFault fault={fault} />
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

const keyOf = (row: Row | undefined) => (row === undefined ? '' : row.kind === 'growth' ? row.key : row.entry.dataId);

interface GrowthRowProps {
  entries: readonly Entry[];
  index: number;
  chosen: ReadonlySet<string>;
  onToggle: (dataIds: readonly string[]) => void;
}

/** What entries of a growth share: its name, tool, sample and start. */
function GrowthRow({ entries, index, chosen, onToggle }: GrowthRowProps) {
  const [first] = entries;
  const name = first?.made?.words ?? '';
  const samples = [...new Set(entries.flatMap(({ sampleName }) => (sampleName === null ? [] : [sampleName])))];
  const start = entries.map(startOf).sort()[0] ?? '';
  const ids = entries.map(({ dataId }) => dataId);
  const isChosen = ids.every((dataId) => chosen.has(dataId));
  return (
    <tr aria-rowindex={index + 2} className={classes.growthRow} data-testid="growth-entries">
      <td>
        <Checkbox
          aria-label={words.chooseGrowth(name)}
          checked={isChosen}
          indeterminate={!isChosen && ids.some((dataId) => chosen.has(dataId))}
          onChange={() => onToggle(ids)}
        />
      </td>
      <th scope="rowgroup" colSpan={5} title={name}>
        <bdi className={classes.growthName}>{name}</bdi>{' '}
        <span className={classes.growthFacts}>
          <bdi>{[first?.made?.tool, start, ...samples, words.entries(entries.length)].filter(Boolean).join(' · ')}</bdi>
        </span>
      </th>
    </tr>
  );
}

interface EntryRowProps {
  entry: Entry;
  /** It stands under the row of its growth, which says what both share. */
  isInGrowth: boolean;
  index: number;
  isChosen: boolean;
  onToggle: (dataIds: readonly string[]) => void;
  nowMs: number;
}

const EntryRow = memo(function EntryRow({ entry, isInGrowth, index, isChosen, onToggle, nowMs }: EntryRowProps) {
  const { dataId, name, type, status, tags, uploadedMs } = entry;
  const whole = name === '' ? dataId : name;
  return (
    <tr aria-rowindex={index + 2} data-testid="entry" className={isInGrowth ? classes.inGrowth : undefined}>
      <td>
        <Checkbox aria-label={`Choose ${whole}`} checked={isChosen} onChange={() => onToggle([dataId])} />
      </td>
      <td>
        <Link href={pathOfEntry(dataId)} className={classes.entryName ?? ''} title={whole}>
          <bdi>{titleOf(entry, isInGrowth)}</bdi>
        </Link>
        <bdi className={classes.under}>{underOf(entry, isInGrowth)}</bdi>
      </td>
      <td>
        <bdi>{type === '' ? words.none : wordOfType(type)}</bdi>
      </td>
      <td>
        <StatusWord status={status} />
      </td>
      <td title={tags.map(({ name: tag }) => tag).join(', ')}>
        {tags.map(({ id, name: tag }) => (
          <bdi key={id ?? `name ${tag}`} className={classes.tag}>
            {tag}
          </bdi>
        ))}
      </td>
      <td title={uploadedMs === null ? '' : formatExact(uploadedMs)}>
        {uploadedMs === null ? words.none : formatMoment(uploadedMs, nowMs)}
      </td>
    </tr>
  );
});

/** What tells an entry from others, in few words: the growth, else the source; the whole name stands in the tip. */
function titleOf({ made, name, dataId }: Entry, isInGrowth: boolean): string {
  if (made === null) return name === '' ? dataId : name;
  return isInGrowth || made.words === '' ? made.source : made.words;
}

/** The second line of an entry: what its first does not say. */
function underOf({ made, sampleName, dataId }: Entry, isInGrowth: boolean): string {
  if (isInGrowth) return made?.start ?? dataId;
  const parts = made === null ? [] : [made.tool, ...(made.words === '' ? [] : [made.source]), made.start];
  return [...parts, sampleName ?? words.noSample].join(' · ');
}
