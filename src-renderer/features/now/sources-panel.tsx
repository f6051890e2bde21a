import type { Snapshot, SourceView } from '../../../src-main/contract/snapshot.ts';
import { formatAge } from '../../format/duration.ts';
import { formatCount, formatCounted } from '../../format/number.ts';
import { type StateWord, sourceWord } from '../../format/state-words.ts';
import { formatExact, formatMoment } from '../../format/time.ts';
import { Facts } from '../../ui/facts.tsx';
import { StateLabel } from '../../ui/marks/state-label.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import { SourceNotes } from '../../ui/sources/source-notes.tsx';
import { TallLink } from '../../ui/tall-link.tsx';
import classes from './now.module.css';

/** Up to so many sources each has a tile; of more, those that need somebody have one, at most TROUBLED_MAX. */
export const TILES_MAX = 6;
const TROUBLED_MAX = 4;

/** A source that is down, asks, or gives nothing by its own rhythm. */
const needsSomebody = ({ health, notes }: SourceView) =>
  health === 'gone' || health === 'silent' || health === 'late' || notes.some(({ level }) => level === 'error');

/** What the agent reads, a tile each; of many those that need somebody, the others counted. */
export function SourcesPanel({ snapshot: { sources, troubles }, nowMs }: { snapshot: Snapshot; nowMs: number }) {
  const isMany = sources.length > TILES_MAX;
  const shown = isMany ? sources.filter((source) => needsSomebody(source)).slice(0, TROUBLED_MAX) : sources;
  const reading = sources.filter(({ health }) => health === 'giving').length;
  return (
    <Panel title="Sources">
      {sources.length === 0 && <Quiet>No source is set up.</Quiet>}
      <div className={classes.tiles}>
        {shown.map((source) => (
          <SourceTile key={source.id} source={source} word={sourceWord(source, troubles)} nowMs={nowMs} />
        ))}
      </div>
      {isMany && (
        <p className={classes.choiceHint}>
          <TallLink href="/sources">
            {formatCounted(sources.length, 'source')}, {formatCount(reading)} reading
          </TallLink>
        </p>
      )}
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

function SourceTile({ source, word, nowMs }: { source: SourceView; word: StateWord; nowMs: number }) {
  const { id, kind, place, message, hint, lastReadingMs, lastCaptureMs, rowsRead, pointsRead, cellsRefused } = source;
  const age = ageFact(lastReadingMs, nowMs);
  return (
    <article className={classes.tile} aria-label={id} data-testid="source">
      <div className={classes.tileHead}>
        <bdi className={classes.tileName}>{id}</bdi>
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
          { label: 'Newest reading', ...age },
          { label: 'Last stored', ...ageFact(lastCaptureMs, nowMs) },
        ]}
      />
      {message !== '' && <Notice tone={word.tone} message={message} hint={hint} />}
      <SourceNotes notes={source.notes} />
      <p className={classes.counts}>
        Since the start: Rows {formatCount(rowsRead)} · Points {formatCount(pointsRead)} · Refused cells{' '}
        {formatCount(cellsRefused)}
      </p>
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
