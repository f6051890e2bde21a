// What a person should know and need not act on at once: it ends by itself, or can wait. None of it is hidden by a trouble.
import type { Trouble } from '../../contract/snapshot.ts';
import { describeSilence, isUnderWay, leadTo, openSource, type Picture, safeHere } from './troubles.ts';
import { listSome } from './words.ts';

/**
 * Find what is not as it should be and needs nobody now. Pure.
 * @returns what costs most if it goes on first; empty: all is as it should be.
 */
export function findRemarks(picture: Picture): Trouble[] {
  const silence = isUnderWay(picture.facts) ? null : describeSilence(picture, 'silent');
  const late = picture.facts.growth === null ? null : describeSilence(picture, 'late');
  return [silence, late, toolClock(picture), notSending(picture)].filter((remark) => remark !== null);
}

/** Stamps of logs do not fit the clock of this PC: what is delivered may stand at a wrong time. */
function toolClock({ sources }: Picture): Trouble | null {
  const off = sources.flatMap(({ id, notes }) => {
    const note = notes.find(({ code, level }) => code === 'log.tool-clock' && level !== 'info');
    return note === undefined ? [] : [{ id, text: `${id}: ${note.message}`, hint: note.hint }];
  });
  const [first] = off;
  if (first === undefined) return null;
  return {
    keys: off.map(({ id }) => `clock ${id}`),
    text: `Times of ${listSome(off.map(({ id }) => id))} do not fit the clock of this PC.`,
    detail: off.map(({ text }) => text).join(' '),
    hint: first.hint,
    act: openSource(first.id),
  };
}

/** Nothing goes out, and will again. */
function notSending({ facts, service }: Picture): Trouble | null {
  if (service && service.pausedSinceMs !== null) {
    return {
      keys: ['paused'],
      text: `Sending is paused. ${safeHere(facts)}`,
      detail: '',
      hint: 'Resume sending from the tray or the page Now. It also resumes at the next start.',
      act: leadTo('Open Now', '/'),
    };
  }
  if (service?.state !== 'offline') return null;
  const isAsked = facts.service?.fault?.trouble === 'asked';
  return {
    keys: ['offline'],
    text: `${isAsked ? 'Sending waits.' : 'The service cannot be reached.'} ${safeHere(facts)}`,
    detail: isAsked ? service.message : '',
    hint: 'No action needed: sending resumes automatically. The service card says why.',
    act: null,
  };
}
