// What stands in front of named values: a stamp, and behind it what a logging library adds, such as `INFO oven:`.
import { readWith } from '../time/stamp-search.ts';
import { listStampFormats } from '../time/stamp-shapes.ts';

/** Cells that a stamp has at most. */
const STAMP_WORDS = 6;
const LEVEL = /^\W*(?:trace|debug|info|notice|warn(?:ing)?|error|err|critical|fatal)\W*$/i;
const SOURCE = /^\p{L}[\p{L}\p{N}_.\-/]*(?: \p{L}[\p{L}\p{N}_.\-/]*){0,2}$/u;

/** True for a stamp that tells date and time, or counts from a known zero. */
export function isWholeStamp(text: string): boolean {
  const shape = listStampFormats(text);
  const isStamp = shape?.kind === 'stamp' && shape.formats.some((format) => readWith(format, text) !== null);
  return isStamp || /^\d{9,19}(?:\.\d+)?$/.test(text);
}

/**
 * Cut what stands in front of the first name.
 *
 * @returns the stamp, and who speaks (empty: nobody is named), a level of importance left out; null when it is anything else.
 */
export function splitLead(lead: string): { stamp: string; source: string } | null {
  const words = lead.split(/\s+/);
  for (let length = Math.min(words.length, STAMP_WORDS); length > 0; length--) {
    const stamp = words
      .slice(0, length)
      .join(' ')
      .replace(/[,;|]+$/, '');
    if (!isWholeStamp(stamp)) continue;
    const rest = words.slice(length).filter((word) => !LEVEL.test(word) && /[\p{L}\p{N}]/u.test(word));
    const source = rest
      .join(' ')
      .replace(/[:>\-|,;]+$/, '')
      .replace(/^\[(.*)\]$/, '$1')
      .trim();
    return source === '' || SOURCE.test(source) ? { stamp, source } : null;
  }
  return null;
}
