import { useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { formatCounted } from '../../format/number.ts';
import { type Entry, useEntries } from '../../state/catalogue.ts';
import { faultOf } from '../../state/query-fault.ts';
import { Answered } from '../../ui/answered.tsx';
import layout from '../../ui/layout.module.css';
import { Panel } from '../../ui/panel.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import { EntryList } from './entry-list.tsx';
import { rowsOf } from './entry-rows.ts';
import { FilterForm } from './filter-form.tsx';
import { type ListPlace, pathOfList } from './list-place.ts';
import { UntagBar } from './untag-bar.tsx';
import { words } from './words.ts';

const NONE: readonly Entry[] = [];

/** The list of entries with its filters; chosen entries can be untagged together. */
export function ListPage({ place }: { place: ListPlace }) {
  const { skipped, from, to, tool, sample, order, ...filter } = place;
  const [, navigate] = useLocation();
  const path = pathOfList(place);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  // What was chosen in another list is not seen in this one.
  const [chosenIn, setChosenIn] = useState(path);
  if (chosenIn !== path) {
    setChosenIn(path);
    setChosen(new Set());
  }
  const list = useEntries(filter, skipped);
  const entries = list.data?.entries ?? NONE;
  const isLast = list.data?.isLast ?? false;
  const rows = useMemo(
    () => rowsOf(entries, { from, to, tool, sample, order }),
    [entries, from, to, tool, sample, order],
  );
  const known = useMemo(() => namesOf(entries), [entries]);
  const isPartly = from !== '' || to !== '' || tool !== '' || sample !== '' || order !== 'uploaded';
  const go = (next: ListPlace) => navigate(pathOfList(next));
  // A later page that failed says so at the end of the list.
  const fault = list.isFetchNextPageError ? null : faultOf(list);
  return (
    <Panel title={words.title} aside={list.data && <span>{entriesText(entries.length, isLast, skipped)}</span>}>
      <div className={layout.stack}>
        <FilterForm place={place} {...known} onGo={go} />
        <UntagBar entries={entries} chosen={chosen} onChoose={setChosen} />
        <Answered isPending={list.isPending} fault={fault} loading={words.loading}>
          {isPartly && !isLast && <Quiet>{words.partly}</Quiet>}
          {rows.length === 0 && (isLast || entries.length === 0) ? (
            <Quiet>{emptyText(place)}</Quiet>
          ) : (
            <EntryList
              key={path}
              rows={rows}
              chosen={chosen}
              onChoose={setChosen}
              isLast={isLast}
              isFetching={list.isFetchingNextPage}
              fault={list.isFetchNextPageError ? faultOf(list) : null}
              onMore={list.hasNextPage && !list.isFetchNextPageError ? () => void list.fetchNextPage() : null}
              newerPath={skipped > 0 ? pathOfList({ ...place, skipped: 0 }) : null}
              olderPath={
                !isLast && !list.hasNextPage ? pathOfList({ ...place, skipped: skipped + entries.length }) : null
              }
            />
          )}
        </Answered>
      </div>
    </Panel>
  );
}

/** The service tells no total, so until its end is reached this says what is here. */
function entriesText(count: number, isLast: boolean, skipped: number): string {
  const counted = formatCounted(count, 'entry', 'entries');
  const rest = isLast ? '' : ', more below';
  return skipped > 0 ? `${counted} after the newest ${skipped.toLocaleString('en-US')}${rest}` : `${counted}${rest}`;
}

/** Tools and samples by name, to choose from. */
function namesOf(entries: readonly Entry[]): { tools: string[]; samples: string[] } {
  const tools = new Set(entries.flatMap(({ made }) => (made ? [made.tool] : [])));
  const samples = new Set(entries.flatMap(({ sampleName }) => (sampleName === null ? [] : [sampleName])));
  return { tools: [...tools].sort(), samples: [...samples].sort() };
}

function emptyText(place: ListPlace): string {
  const isFiltered = pathOfList(place) !== '/catalogue';
  return isFiltered ? words.notFound : words.empty;
}
