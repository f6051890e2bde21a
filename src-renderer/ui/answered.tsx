import { Button, Loader } from '@mantine/core';
import type { Tone } from './marks/tone-mark.tsx';
import { Notice } from './notice.tsx';
import classes from './ui.module.css';

interface AnsweredProps {
  /** Nothing has come yet. */
  isPending: boolean;
  /** Why nothing came; null: no fault. */
  fault: { readonly message: string; readonly hint: string; readonly tone?: Tone } | null;
  /** What is being waited for, as a sentence. */
  loading: string;
  onRetry: () => void;
  children: React.ReactNode;
}

/** What a question gave: a sentence while it runs, the fault with a way to ask again, else the content. */
export function Answered({ isPending, fault, loading, onRetry, children }: AnsweredProps) {
  if (fault) {
    return (
      <div className={classes.answered}>
        <Notice tone={fault.tone ?? 'attention'} message={fault.message} hint={fault.hint} />
        <Button variant="default" onClick={onRetry}>
          Ask again
        </Button>
      </div>
    );
  }
  if (isPending) {
    return (
      <p className={classes.loading} role="status">
        <Loader size="sm" aria-hidden="true" /> {loading}
      </p>
    );
  }
  return children;
}
