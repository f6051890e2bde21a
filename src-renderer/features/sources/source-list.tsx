import { Button } from '@mantine/core';
import { Link } from 'wouter';
import type { Snapshot, SourceView } from '../../../src-main/contract/snapshot.ts';
import { formatAge } from '../../format/duration.ts';
import { formatCounted } from '../../format/number.ts';
import { sourceWords } from '../../format/state-words.ts';
import { useAgentNow } from '../../state/contact.ts';
import { useHeldFiles } from '../../state/held-source.ts';
import type { SourceEntry } from '../../state/sources.ts';
import layout from '../../ui/layout.module.css';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import { StateLabel } from '../../ui/state-label.tsx';
import { kinds, placeOf } from './source-kinds.ts';
import classes from './sources.module.css';

const NEW = ['log', 'serial', 'rheed'] as const;

/** All sources with their state, and the three ways to add one. */
export function SourceList({ entries, snapshot }: { entries: readonly SourceEntry[]; snapshot: Snapshot }) {
  const held = useHeldFiles();
  const waiting = (id: string) =>
    held.data?.filter(({ sourceId, isLeftOut }) => sourceId === id && !isLeftOut).length ?? 0;
  return (
    <div className={layout.column}>
      <Panel title="Sources">
        {snapshot.isTrial && (
          <Notice
            tone="stopped"
            message="The trial reads a simulated tool only."
            hint='Press "Connect your tool" at the top to set up sources of your own.'
          />
        )}
        {!snapshot.isTrial && entries.length === 0 && <Quiet>No source is set up. Add one below.</Quiet>}
        <ul className={classes.list}>
          {entries.map((entry) => (
            <SourceRow
              key={entry.id}
              entry={entry}
              view={snapshot.sources.find(({ id }) => id === entry.id)}
              held={waiting(entry.id)}
            />
          ))}
        </ul>
      </Panel>
      {!snapshot.isTrial && (
        <Panel title="Add a source">
          <div className={classes.choices}>
            {NEW.map((kind) => {
              const { word, about, icon: Icon } = kinds[kind];
              return (
                <div key={kind} className={classes.choice}>
                  <h3>
                    <Icon size={22} aria-hidden="true" /> {word}
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

function SourceRow({ entry, view, held }: { entry: SourceEntry; view: SourceView | undefined; held: number }) {
  const nowMs = useAgentNow();
  const { word, icon: Icon } = kinds[entry.kind];
  const label = view ? sourceWords[view.state] : { tone: 'stopped' as const, word: 'Not running' };
  const last = view?.lastCaptureMs ?? null;
  return (
    <li className={classes.row} data-testid="source-row">
      <Icon size={24} aria-hidden="true" />
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
