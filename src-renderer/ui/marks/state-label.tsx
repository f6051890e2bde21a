import classes from '../ui.module.css';
import { type Tone, ToneMark } from './tone-mark.tsx';

/** A state in a word, with the shape of its tone. */
export function StateLabel({ tone, word }: { tone: Tone; word: string }) {
  return (
    <span className={classes.stateLabel} style={{ color: `var(--tone-${tone})` }}>
      <ToneMark tone={tone} size={15} />
      {word}
    </span>
  );
}
