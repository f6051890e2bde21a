import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import { formatCount } from '../../format/number.ts';
import { GROWTHS, NOTES } from './mark-sources.ts';
import classes from './plot.module.css';

const words = {
  label: 'Marks',
  named: { [NOTES]: 'Notes', [GROWTHS]: 'Growths' } as Readonly<Record<string, string>>,
  counted: (name: string, count: number, isMore: boolean) => `${name} ${formatCount(count)}${isMore ? ' or more' : ''}`,
} as const;

interface Marked {
  readonly sourceId: string;
}

/** Of more marks than this of one source nobody reads each: they are counted until somebody wants them. */
const MANY = 20;
const KEY = 'epistream.marks';

type Wanted = Readonly<Record<string, boolean>>;

function readWanted(): Wanted {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return typeof read === 'object' && read !== null ? (read as Wanted) : {};
  } catch {
    return {};
  }
}

export interface MarkChoice<M extends Marked> {
  /** Those that are drawn. */
  readonly shown: readonly M[];
  /** How many each source has, in the order in which they come. */
  readonly counts: readonly (readonly [string, number])[];
  readonly isShown: (sourceId: string) => boolean;
  readonly toggle: (sourceId: string) => void;
}

/** Which marks are drawn: a person's choice, which this browser keeps; by itself notes, and sources with few marks. */
export function useMarkChoice<M extends Marked>(marks: readonly M[]): MarkChoice<M> {
  const [wanted, setWanted] = useState<Wanted>(readWanted);
  const counts = [...Map.groupBy(marks, ({ sourceId }) => sourceId)].map(([id, own]) => [id, own.length] as const);
  const many = new Set(counts.filter(([id, count]) => id !== NOTES && count > MANY).map(([id]) => id));
  const isShown = (sourceId: string) => wanted[sourceId] ?? !many.has(sourceId);
  const toggle = (sourceId: string) => {
    const next = { ...wanted, [sourceId]: !isShown(sourceId) };
    setWanted(next);
    try {
      localStorage.setItem(KEY, JSON.stringify(next));
    } catch {
      // A browser that keeps nothing: the choice lasts as long as the page.
    }
  };
  return { shown: marks.filter(({ sourceId }) => isShown(sourceId)), counts, isShown, toggle };
}

/** The sources of marks with their counts; each is switched on and off. */
export function MarkFilter({ choice, isMore }: { choice: MarkChoice<Marked>; isMore: boolean }) {
  if (choice.counts.length === 0) return null;
  return (
    <fieldset className={classes.marks}>
      <legend>{words.label}</legend>
      {choice.counts.map(([sourceId, count]) => (
        <Checkbox
          key={sourceId}
          label={<bdi>{words.counted(words.named[sourceId] ?? sourceId, count, isMore)}</bdi>}
          checked={choice.isShown(sourceId)}
          onChange={() => choice.toggle(sourceId)}
        />
      ))}
    </fieldset>
  );
}
