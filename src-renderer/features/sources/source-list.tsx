import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Snapshot, SourceView } from '../../../src-main/contract/snapshot.ts';
import { formatAge } from '../../format/duration.ts';
import { formatCounted } from '../../format/number.ts';
import { type StateWord, sourceWord } from '../../format/state-words.ts';
import { useAgentNow } from '../../state/contact.ts';
import { useHeldFiles } from '../../state/held-source.ts';
import { faultOf } from '../../state/query-fault.ts';
import type { SourceEntry } from '../../state/sources.ts';
import layout from '../../ui/layout.module.css';
import { StateLabel } from '../../ui/marks/state-label.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { QueryFault } from '../../ui/query-fault.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import { kinds, placeOf } from './source-kinds.ts';
import classes from './sources.module.css';

/** More sources than this are grouped, and can be searched. */
const GROUPED_FROM = 8;
const NEW = ['log', 'serial', 'rheed'] as const;

/** All sources with their state, and the three ways to add one. */
export function SourceList({ entries, snapshot }: { entries: readonly SourceEntry[]; snapshot: Snapshot }) {
  const held = useHeldFiles();
  const waiting = (id: string) =>
    held.data?.filter(({ sourceId, isLeftOut }) => sourceId === id && !isLeftOut).length ?? 0;
  const [wanted, setWanted] = useState('');
  const wordOf = (view: SourceView) => sourceWord(view, snapshot.troubles);
  const views = new Map(snapshot.sources.map((view) => [view.id, view]));
  const found = entries.filter((entry) =>
    `${entry.id} ${placeOf(entry)} ${kinds[entry.kind].word}`.toLowerCase().includes(wanted.trim().toLowerCase()),
  );
  const groups = groupsOf(found, (entry) => {
    const view = views.get(entry.id);
    return waiting(entry.id) > 0 || (view !== undefined && wordOf(view).tone === 'attention');
  });
  return (
    <div className={layout.column}>
      <Panel title="Sources" aside={entries.length > 0 && <span>{formatCounted(entries.length, 'source')}</span>}>
        <QueryFault fault={faultOf(held)} />
        {snapshot.isTrial && (
          <Notice
            tone="stopped"
            message="The trial reads a simulated tool only."
            hint='Press "Connect your tool" at the top to set up sources of your own.'
          />
        )}
        {!snapshot.isTrial && entries.length === 0 && <Quiet>No source is set up. Add one below.</Quiet>}
        {entries.length > GROUPED_FROM && (
          <TextInput
            label="Search sources"
            placeholder="Name, place or kind"
            maxLength={200}
            value={wanted}
            onChange={(event) => setWanted(event.currentTarget.value)}
          />
        )}
        {entries.length > 0 && found.length === 0 && <Quiet>No source fits.</Quiet>}
        {groups.map(({ title, of }) => (
          <section key={title} aria-label={title} data-testid="source-group">
            {entries.length > GROUPED_FROM && (
              <h3>
                {title}: {formatCounted(of.length, 'source')}
              </h3>
            )}
            <ul className={classes.list}>
              {of.map((entry) => {
                const view = views.get(entry.id);
                const label = view ? wordOf(view) : { tone: 'stopped' as const, word: 'Not running' };
                return <SourceRow key={entry.id} entry={entry} view={view} label={label} held={waiting(entry.id)} />;
              })}
            </ul>
          </section>
        ))}
      </Panel>
      {!snapshot.isTrial && (
        <Panel title="Add a source">
          <div className={classes.choices}>
            {NEW.map((kind) => {
              const { word, about, icon: Icon } = kinds[kind];
              return (
                <div key={kind} className={classes.choice}>
                  <h3>
                    <Icon size="1.375rem" aria-hidden="true" /> {word}
                  </h3>
                  <p>{about}</p>
                  <Button component={Link} href={`/sources/new/${kind}`} variant="default" aria-label={`Add: ${word}`}>
                    Add
                  </Button>
                </div>
              );
            })}
          </div>
        </Panel>
      )}
    </div>
  );
}

interface Group {
  readonly title: string;
  readonly of: readonly SourceEntry[];
}

/** Many sources in groups: those that need somebody, then by kind. A few stand in the order of the settings. */
function groupsOf(entries: readonly SourceEntry[], needs: (entry: SourceEntry) => boolean): readonly Group[] {
  if (entries.length <= GROUPED_FROM) return entries.length === 0 ? [] : [{ title: 'All sources', of: entries }];
  const troubled = entries.filter(needs);
  const rest = entries.filter((entry) => !troubled.includes(entry));
  const byKind = Object.entries(Object.groupBy(rest, ({ kind }) => kind)).map(([kind, of]) => {
    return { title: kinds[kind as SourceEntry['kind']].word, of: of ?? [] };
  });
  return [{ title: 'Need you', of: troubled }, ...byKind].filter(({ of }) => of.length > 0);
}

interface RowProps {
  entry: SourceEntry;
  view: SourceView | undefined;
  label: StateWord;
  held: number;
}

function SourceRow({ entry, view, label, held }: RowProps) {
  const nowMs = useAgentNow();
  const { word, icon: Icon } = kinds[entry.kind];
  const last = view?.lastCaptureMs ?? null;
  return (
    <li className={classes.row} data-testid="source-row">
      <Icon size="1.5rem" aria-hidden="true" />
      <div className={classes.rowText}>
        <Link href={`/sources/${encodeURIComponent(entry.id)}`} className={classes.rowName ?? ''}>
          <bdi>{entry.id}</bdi>
        </Link>
        <span className={classes.quiet}>
          {word}
          {placeOf(entry) !== '' && (
            <>
              {' · '}
              <bdi>{placeOf(entry)}</bdi>
            </>
          )}
        </span>
        {view && view.message !== '' && <Notice tone={label.tone} message={view.message} hint={view.hint} />}
        {held > 0 && (
          <Notice
            tone="attention"
            message={`${formatCounted(held, 'file')} of it ${held === 1 ? 'waits' : 'wait'} for an answer.`}
            hint="Open it."
          />
        )}
      </div>
      <div className={classes.rowState}>
        <StateLabel {...label} />
        <span className={classes.quiet}>
          {last === null ? 'nothing stored yet' : `stored ${formatAge(nowMs - last)}`}
        </span>
      </div>
    </li>
  );
}
