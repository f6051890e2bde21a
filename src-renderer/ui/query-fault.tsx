import { Button } from '@mantine/core';
import { formatMoment } from '../format/time.ts';
import type { Tone } from './marks/tone-mark.tsx';
import { Notice } from './notice.tsx';
import classes from './ui.module.css';

/** Why a question gave nothing new, and the way to ask again. */
export interface ShownFault {
  readonly message: string;
  readonly hint: string;
  readonly awaySinceMs: number | null;
  readonly tone: Tone;
  /** When it came what is shown all the same, Unix milliseconds; null: nothing old is shown. */
  readonly shownOfMs: number | null;
  readonly isFetching: boolean;
  readonly retry: () => void;
}

/** Why something is not shown, or of when it is; nothing without a fault. `isBrief`: on a page that is only looked at. */
export function QueryFault({ fault, isBrief = false }: { fault: ShownFault | null; isBrief?: boolean }) {
  if (fault === null) return null;
  const { hint, tone, awaySinceMs, shownOfMs, isFetching, retry } = fault;
  const since = awaySinceMs === null ? '' : ` No connection since ${formatMoment(awaySinceMs, Date.now())}.`;
  const message = `${fault.message}${since}`;
  if (isBrief)
    return (
      <div data-testid="query-fault">
        <Notice
          tone={shownOfMs === null ? tone : 'attention'}
          message={shownOfMs === null ? message : `${oldText(shownOfMs)} ${message}`}
        />
      </div>
    );
  return (
    <div className={classes.answered} data-testid="query-fault">
      {shownOfMs === null ? (
        <Notice tone={tone} message={message} hint={hint} />
      ) : (
        <Notice tone="attention" message={oldText(shownOfMs)} hint={[message, hint].filter(Boolean).join(' ')} />
      )}
      <Button variant="default" loading={isFetching} onClick={retry}>
        Try again
      </Button>
    </div>
  );
}

const oldText = (timeMs: number) =>
  `Not up to date: this is from ${formatMoment(timeMs, Date.now())}. It could not be refreshed.`;
