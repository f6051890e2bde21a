import type { SourceView } from '../../../src-main/contract/snapshot.ts';
import { formatAge } from '../../format/duration.ts';
import { formatCount } from '../../format/number.ts';
import { sourceWords } from '../../format/state-words.ts';
import { formatExact, formatMoment } from '../../format/time.ts';
import { Facts } from '../../ui/facts.tsx';
import { LevelMark } from '../../ui/level-mark.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import { StateLabel } from '../../ui/state-label.tsx';
import classes from './now.module.css';

/** What the agent reads, a tile each. */
export function SourcesPanel({ sources, nowMs }: { sources: readonly SourceView[]; nowMs: number }) {
  return (
    <Panel title="Sources">
      {sources.length === 0 && <Quiet>No source is set up.</Quiet>}
      <div className={classes.tiles}>
        {sources.map((source) => (
          <SourceTile key={source.id} source={source} nowMs={nowMs} />
        ))}
      </div>
    </Panel>
  );
}

const HOUR_MS = 3_600_000;
const kinds: Readonly<Record<SourceView['kind'], string>> = {
  log: 'Log folder',
  serial: 'Instrument',
  rheed: 'Frame counter',
  simulator: 'Simulated tool',
};

function SourceTile({ source, nowMs }: { source: SourceView; nowMs: number }) {
  const { id, kind, place, state, message, hint, lastReadingMs, lastCaptureMs, rowsRead, pointsRead, cellsRefused } =
    source;
  const word = sourceWords[state];
  return (
    <article className={classes.tile} aria-label={id} data-testid="source">
      <div className={classes.streamHead}>
        <bdi className={classes.streamName}>{id}</bdi>
        <StateLabel {...word} />
      </div>
      <p className={classes.place}>
        {kinds[kind]}
        {place !== '' && (
          <>
            {' · '}
            <bdi>{place}</bdi>
          </>
        )}
      </p>
      <Facts
        facts={[
          { label: 'Newest reading', ...ageFact(lastReadingMs, nowMs) },
          { label: 'Last stored', ...ageFact(lastCaptureMs, nowMs) },
          { label: 'Rows', value: formatCount(rowsRead) },
          { label: 'Points', value: formatCount(pointsRead) },
          { label: 'Refused cells', value: formatCount(cellsRefused) },
        ]}
      />
      {message !== '' && <Notice tone={word.tone} message={message} hint={hint} />}
      {source.notes.length > 0 && (
        <ul className={classes.notes}>
          {source.notes.map((note) => (
            <li key={note.code}>
              <LevelMark level={note.level} />
              <div>
                <bdi>{note.message}</bdi>
                {note.hint !== '' && <bdi className={classes.noteHint}>{note.hint}</bdi>}
              </div>
            </li>
          ))}
        </ul>
      )}
    </article>
  );
}

/** How old, for what happened lately; when, for what is of another day. */
function ageFact(timeMs: number | null, nowMs: number): { value: string; title?: string } {
  if (timeMs === null) return { value: 'none yet' };
  const ageMs = nowMs - timeMs;
  const isLately = ageMs < HOUR_MS && ageMs > -5_000;
  return { value: isLately ? formatAge(ageMs) : formatMoment(timeMs, nowMs), title: formatExact(timeMs) };
}
