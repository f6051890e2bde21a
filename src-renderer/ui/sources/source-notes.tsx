import { inZone } from '../../format/time.ts';
import { LevelMark } from '../marks/level-mark.tsx';
import classes from './source-notes.module.css';

interface SourceNote {
  readonly level: 'info' | 'warning' | 'error';
  readonly message: string;
  readonly hint: string;
}

/** What is worth knowing of a source: each note with its level and what to do; nothing where there is none. */
export function SourceNotes({ notes }: { notes: readonly SourceNote[] }) {
  if (notes.length === 0) return null;
  return (
    <ul className={classes.notes}>
      {notes.map(({ level, message, hint }) => (
        <li key={message}>
          <LevelMark level={level} />
          <div>
            <bdi>{inZone(message)}</bdi>
            {hint !== '' && <bdi className={classes.hint}>{inZone(hint)}</bdi>}
          </div>
        </li>
      ))}
    </ul>
  );
}

/** Texts under each other, as they came from an instrument or a file. */
export function TextList({ texts }: { texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <ul className={classes.notes}>
      {texts.map((text) => (
        <li key={text}>
          <bdi>{text}</bdi>
        </li>
      ))}
    </ul>
  );
}
