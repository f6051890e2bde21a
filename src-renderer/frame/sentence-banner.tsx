import { VisuallyHidden } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Sentence, Trouble } from '../../src-main/contract/snapshot.ts';
import { formatDuration } from '../format/duration.ts';
import { formatClock, formatZone } from '../format/time.ts';
import { type Contact, useAgentNow, useContact } from '../state/contact.ts';
import { ToneMark } from '../ui/marks/tone-mark.tsx';
import { TallLink } from '../ui/tall-link.tsx';
import { meaningOf } from './announced.ts';
import classes from './frame.module.css';

/** The one sentence of truth. Without contact to the agent the truth is that nothing newer is known. */
export function SentenceBanner() {
  const contact = useContact();
  const nowMs = useAgentNow();
  const { tone, text, hint } = truth(contact, nowMs);
  const told = contact.state === 'live' ? contact.snapshot : null;
  const [worst, ...others] = told === null ? [] : [...told.troubles, ...told.remarks];
  const said = useAnnounced(tone, text);
  const atMs = contact.snapshot?.atMs ?? nowMs;
  return (
    <div className={classes.banner} data-tone={tone} data-testid="sentence">
      <ToneMark tone={tone} size={52} isSilent={false} />
      <div className={classes.bannerText}>
        <h1 className={classes.sentence}>
          <bdi>{text}</bdi>
        </h1>
        <VisuallyHidden role="status" data-testid="announced">
          {said}
        </VisuallyHidden>
        <div className={classes.whatToDo}>
          {hint !== '' && <bdi className={classes.sentenceHint}>{hint}</bdi>}
          {worst && <ActLink trouble={worst} />}
        </div>
        {others.length > 0 && (
          <ul className={classes.otherTroubles} aria-label="Also" data-testid="other-troubles">
            {others.map((trouble) => (
              <li key={trouble.text}>
                <bdi>{trouble.text}</bdi>
                <div className={classes.whatToDo}>
                  <bdi className={classes.sentenceHint}>{trouble.hint}</bdi>
                  <ActLink trouble={trouble} />
                </div>
              </li>
            ))}
          </ul>
        )}
      </div>
      <p className={classes.asOf}>
        as of <time dateTime={new Date(atMs).toISOString()}>{formatClock(atMs)}</time> {formatZone(atMs)}
      </p>
    </div>
  );
}

/** Leads to the page on which a matter ends. */
function ActLink({ trouble: { act } }: { trouble: Trouble }) {
  return act && <TallLink href={act.place}>{act.label}</TallLink>;
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

function truth({ state, snapshot }: Contact, nowMs: number): Sentence {
  if (state === 'unknown') {
    return {
      tone: 'attention',
      text: 'Epistream was restarted and does not know this page any more.',
      hint: 'Open a fresh link: "epistream open" gives one, and its terminal shows one. What stands below is old.',
    };
  }
  if (snapshot === null) {
    return {
      tone: 'stopped',
      text: 'Looking for the agent.',
      hint: 'If this stays, see whether Epistream still runs.',
    };
  }
  if (state === 'lost') {
    return {
      tone: 'attention',
      text: `Connection to the agent lost. What you see is ${formatDuration(Math.round((nowMs - snapshot.atMs) / 1000) * 1000)} old.`,
      hint: 'The page connects again by itself. Recording may have stopped: see whether Epistream still runs.',
    };
  }
  return snapshot.sentence;
}
