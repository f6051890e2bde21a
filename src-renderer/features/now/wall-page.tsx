import { type CSSProperties, useEffect } from 'react';
import { useLocation } from 'wouter';
import type { Snapshot } from '../../../src-main/contract/snapshot.ts';
import { formatAge } from '../../format/duration.ts';
import { useAgentNow } from '../../state/contact.ts';
import { QueryFault } from '../../ui/query-fault.tsx';
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
  const { values, fault } = useShownValues(snapshot.sources, nowMs);
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
  const longest = Math.max(CHARS_MIN, ...shown.map(({ text }) => text.length));
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
      <QueryFault fault={fault} isBrief />
      <ul className={classes.values} style={{ '--chars': longest } as CSSProperties}>
        {shown.map((value) => (
          <WallValue key={value.key} value={value} isOld={isOld || value.isOld} alarm={alarms.get(value.key)} />
        ))}
      </ul>
      <p className={classes.foot}>
        <span>{waitingWords(ownWaiting(snapshot))}</span>
        <TallLink href="/">Leave the wall view (Esc)</TallLink>
      </p>
    </div>
  );
}

interface WallValueProps {
  value: ShownValue;
  isOld: boolean;
  /** The level that it has reached. */
  alarm: string | undefined;
}

function WallValue({ value: { name, line, text, ageMs }, isOld, alarm }: WallValueProps) {
  return (
    <li className={classes.value} data-old={isOld} data-alarm={alarm}>
      <span className={classes.name}>
        <bdi>{name}</bdi> {alarm}
      </span>
      <span className={classes.number}>{text}</span>
      <span className={classes.age}>{isOld && line.values.length > 0 ? formatAge(ageMs) : ''}</span>
    </li>
  );
}
