import { Button } from '@mantine/core';
import { wordsOf } from '../../state/ask.ts';
import { Notice } from '../../ui/notice.tsx';
import classes from './library.module.css';

interface FormEndProps {
  /** Why it was not taken; null: it was not refused. */
  error: Error | null;
  /** On the button that sends the form. */
  word: string;
  isBusy: boolean;
  isDisabled?: boolean;
  /** On the button that leaves it. */
  back: string;
  onBack: () => void;
  /** What is said before the buttons. */
  children?: React.ReactNode;
}

/** The foot of a form: why it was refused, the button that sends it, and the one that leaves it. */
export function FormEnd({ error, word, isBusy, isDisabled = false, back, onBack, children }: FormEndProps) {
  return (
    <>
      {error && <Notice tone="attention" isUrgent {...wordsOf(error)} />}
      {children}
      <div className={classes.actions}>
        <Button type="submit" disabled={isDisabled} loading={isBusy}>
          {word}
        </Button>
        <Button variant="default" onClick={onBack}>
          {back}
        </Button>
      </div>
    </>
  );
}
