import { type CSSProperties, useEffect } from 'react';
import { useLocation } from 'wouter';
import type { Snapshot } from '../../../src-main/contract/snapshot.ts';
import { formatAge } from '../../format/duration.ts';
import { formatMeasured } from '../../format/number.ts';
import { useAgentNow } from '../../state/contact.ts';
import { Notice } from '../../ui/notice.tsx';
import { TallLink } from '../../ui/tall-link.tsx';
import { growthClock, ownWaiting, waitingWords } from './now-strip.tsx';
import { alarmWords, type ShownValue, useShownValues } from './shown-values.ts';
import classes from './wall.module.css';

/** Values that can be read from 3 m on one screen. */
const WALL_VALUES = 8;

/** Numbers are no larger than for so many characters. */
const CHARS_MIN = 6;

/** For a screen on the wall: the growth, its clock and the first values, to be read from 3 m. Esc leaves it. */
export function WallPage({ snapshot, isOld }: { snapshot: Snapshot; isOld: boolean }) {
  const nowMs = useAgentNow();
  const { values, fault } = useShownValues(snapshot.sources);
  const alarms = alarmWords(snapshot);
  const [, go] = useLocation();
  useEffect(() => {
    const leave = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') go('/');
    };
    window.addEventListener('keydown', leave);
    return () => window.removeEventListener('keydown', leave);
  }, [go]);
  const { growth } = snapshot;
  const shown = values.slice(0, WALL_VALUES);
  const longest = Math.max(CHARS_MIN, ...shown.map((value) => wordsOf(value).length));
  return (
    <div className={classes.wall} data-old={isOld} data-wall data-testid="wall">
      <p className={classes.growth}>
        {growth === null ? 'No growth is under way' : <bdi>{growth.name === '' ? 'Growth' : growth.name}</bdi>}
        {growth !== null && (
          <span className={classes.clock} role="timer" aria-label="Time since the start of the growth">
            {growthClock(growth, nowMs)}
          </span>
        )}
      </p>
      {fault && <Notice tone={fault.tone} message={fault.message} />}
      <ul className={classes.values} style={{ '--chars': longest } as CSSProperties}>
        {shown.map((value) => (
          <WallValue key={value.key} value={value} nowMs={nowMs} isOld={isOld} alarm={alarms.get(value.key)} />
        ))}
      </ul>
      <p className={classes.foot}>
        <span>{waitingWords(ownWaiting(snapshot))}</span>
        <TallLink href="/">Leave the wall view (Esc)</TallLink>
      </p>
    </div>
  );
}

/** The newest value with its unit. */
function wordsOf({ channel, line }: ShownValue): string {
  const last = line.values.at(-1);
  return last === undefined ? '–' : formatMeasured(last, channel.unit);
}

interface WallValueProps {
  value: ShownValue;
  nowMs: number;
  isOld: boolean;
  /** The level that it has reached. */
  alarm: string | undefined;
}

function WallValue({ value, nowMs, isOld, alarm }: WallValueProps) {
  const { name, line, isStale, staleAfterMs } = value;
  const last = line.values.at(-1);
  const ageMs = nowMs - (line.timesMs.at(-1) ?? nowMs);
  const isPast = isOld || isStale || ageMs > staleAfterMs;
  return (
    <li className={classes.value} data-old={isPast} data-alarm={alarm}>
      <span className={classes.name}>
        <bdi>{name}</bdi> {alarm}
      </span>
      <span className={classes.number}>{wordsOf(value)}</span>
      <span className={classes.age}>{isPast && last !== undefined ? formatAge(ageMs) : ''}</span>
    </li>
  );
}
