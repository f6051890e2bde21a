import { Button, VisuallyHidden } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Sentence, Trouble } from '../../src-main/contract/snapshot.ts';
import { formatDuration } from '../format/duration.ts';
import { formatClock, inZone } from '../format/time.ts';
import { wordsOf } from '../state/ask.ts';
import { type Contact, useAgentNow, useContact } from '../state/contact.ts';
import { useAcknowledge } from '../state/limits.ts';
import { ToneMark } from '../ui/marks/tone-mark.tsx';
import { Notice } from '../ui/notice.tsx';
import { TallLink } from '../ui/tall-link.tsx';
import { meaningOf } from './announced.ts';
import classes from './frame.module.css';
import { ZoneSwitch } from './zone-switch.tsx';

/** The one sentence of truth. Without contact to the agent the truth is that nothing newer is known. */
export function SentenceBanner() {
  const contact = useContact();
  const nowMs = useAgentNow();
  const { tone, text, standing, headline, detail, hint } = truth(contact, nowMs);
  const told = contact.state === 'live' ? contact.snapshot : null;
  const [worst, ...others] = told === null ? [] : [...told.troubles, ...told.remarks];
  const said = useAnnounced(tone, text);
  const atMs = contact.snapshot?.atMs ?? nowMs;
  return (
    <div className={classes.banner} data-tone={tone} data-testid="sentence">
      <ToneMark tone={tone} size={52} isSilent={false} />
      <div className={classes.bannerText}>
        <h1 className={classes.sentence}>
          <span className={classes.standing}>{standing} </span>
          <bdi className={classes.headline}>{headline}</bdi>
        </h1>
        <VisuallyHidden role="status" data-testid="announced">
          {said}
        </VisuallyHidden>
        <div className={classes.whatToDo}>
          {hint !== '' && <bdi className={classes.sentenceHint}>{hint}</bdi>}
          {worst && <Act trouble={worst} />}
          {detail !== '' && (
            <details>
              <summary>Details</summary>
              <bdi>{inZone(detail)}</bdi>
            </details>
          )}
          {others.length > 0 && <Others troubles={others} urgent={(told?.troubles.length ?? 0) - 1} />}
        </div>
      </div>
      <p className={classes.asOf}>
        as of <time dateTime={new Date(atMs).toISOString()}>{formatClock(atMs)}</time> <ZoneSwitch atMs={atMs} />
      </p>
    </div>
  );
}

/** The other matters, counted; opened they are a list. */
function Others({ troubles, urgent }: { troubles: readonly Trouble[]; urgent: number }) {
  const asking = urgent > 0 ? `, ${urgent} of them ${urgent === 1 ? 'needs' : 'need'} you` : '';
  return (
    <details data-testid="other-troubles">
      <summary>{`${troubles.length} more${asking}`}</summary>
      <ul className={classes.otherTroubles} aria-label="Also">
        {troubles.map((trouble) => (
          <li key={trouble.text}>
            <bdi>{trouble.text}</bdi>
            {trouble.detail !== '' && <bdi className={classes.sentenceHint}>{inZone(trouble.detail)}</bdi>}
            <div className={classes.whatToDo}>
              <bdi className={classes.sentenceHint}>{trouble.hint}</bdi>
              <Act trouble={trouble} />
            </div>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Acknowledges the alarm here, or links to the page on which the matter ends. */
function Act({ trouble: { act } }: { trouble: Trouble }) {
  const acknowledge = useAcknowledge();
  if (act === null) return null;
  const { label, place, alarm } = act;
  if (alarm === null) return <TallLink href={place}>{label}</TallLink>;
  return (
    <>
      <Button loading={acknowledge.isPending} onClick={() => acknowledge.mutate(alarm)}>
        {label}
      </Button>
      {acknowledge.error && <Notice tone="attention" isUrgent {...wordsOf(acknowledge.error)} />}
    </>
  );
}

/** As long as it takes to say it: what stands there longer would be old while its numbers go on. */
const SAID_MS = 5000;

/**
 * What a screen reader hears of the headline: a change of what it says, never of the numbers in it.
 *
 * @returns the text as it was when the state began; empty once it was said.
 */
function useAnnounced(tone: Sentence['tone'], text: string): string {
  const state = meaningOf(tone, text);
  const [told, setTold] = useState({ state, text });
  if (told.state !== state) setTold({ state, text });
  useEffect(() => {
    const timer = setTimeout(() => setTold({ state, text: '' }), SAID_MS);
    return () => clearTimeout(timer);
  }, [state]);
  return told.text;
}

/** What the page says of itself. */
const own = (tone: Sentence['tone'], headline: string, { hint }: { hint: string }): Sentence => {
  return { tone, text: headline, standing: '', headline, detail: '', hint };
};

function truth({ state, snapshot }: Contact, nowMs: number): Sentence {
  if (state === 'unknown') {
    return own('attention', 'This page needs a fresh link. Open Epistream again on the tool PC.', {
      hint: '"epistream open" gives a fresh link, and its terminal shows one. What stands below is old.',
    });
  }
  if (snapshot === null) {
    return own('stopped', 'Looking for the agent.', { hint: 'If this stays, see whether Epistream still runs.' });
  }
  if (state === 'lost') {
    const ageMs = Math.round((nowMs - snapshot.atMs) / 1000) * 1000;
    return own('attention', `Connection to the agent lost. What you see is ${formatDuration(ageMs)} old.`, {
      hint: 'The page connects again by itself. Recording may have stopped: see whether Epistream still runs.',
    });
  }
  return snapshot.sentence;
}
