import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { wordsOf } from '../../state/ask.ts';
import { useEndGrowth } from '../../state/growth.ts';
import { Notice } from '../../ui/notice.tsx';
import classes from './growth.module.css';

/** End the growth that runs, asked twice: a glove that slips ends nothing. */
export function EndButton() {
  const [isAsking, setIsAsking] = useState(false);
  const keep = useRef<HTMLButtonElement>(null);
  const first = useRef<HTMLButtonElement>(null);
  const wasAsking = useRef(false);
  const end = useEndGrowth();
  useEffect(() => {
    if (isAsking) keep.current?.focus();
    // The button that had the focus is gone: it goes back to where it came from.
    else if (wasAsking.current) first.current?.focus();
    wasAsking.current = isAsking;
  }, [isAsking]);
  if (!isAsking) {
    return (
      <Button ref={first} size="xl" onClick={() => setIsAsking(true)}>
        End growth
      </Button>
    );
  }
  return (
    <fieldset className={classes.question}>
      <legend>End it now?</legend>
      <p className={classes.fieldNote}>Its streams and its RHEED session end at this moment. Capture goes on.</p>
      <div className={classes.actions}>
        <Button ref={keep} size="lg" variant="default" onClick={() => setIsAsking(false)}>
          Cancel
        </Button>
        <Button size="lg" loading={end.isPending} onClick={() => end.mutate()}>
          End it now
        </Button>
      </div>
      {end.error && <Notice tone="attention" isUrgent {...wordsOf(end.error)} />}
    </fieldset>
  );
}
