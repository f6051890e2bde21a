import { Loader } from '@mantine/core';
import { QueryFault, type ShownFault } from './query-fault.tsx';
import classes from './ui.module.css';

interface AnsweredProps {
  /** Nothing has come yet. */
  isPending: boolean;
  /** Why nothing came, or nothing new; null: no fault. */
  fault: ShownFault | null;
  /** What is being waited for, as a sentence. */
  loading: string;
  children: React.ReactNode;
}

/** What a question gave: a sentence while it runs, else the content; a fault stands above what is shown all the same. */
export function Answered({ isPending, fault, loading, children }: AnsweredProps) {
  if (isPending) {
    return (
      <p className={classes.loading} role="status">
        <Loader size="sm" aria-hidden="true" /> {loading}
      </p>
    );
  }
  return (
    <>
      <QueryFault fault={fault} />
      {(fault === null || fault.shownOfMs !== null) && children}
    </>
  );
}
