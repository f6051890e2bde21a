// The texts of what waits for a former service.
import type { FormerView } from '../../../src-main/contract/snapshot.ts';
import { formatCounted } from '../../format/number.ts';
import { formatDay } from '../../format/time.ts';

export const formerWords = {
  title: 'Recorded for another service',
  send: (isBuiltIn: boolean) => (isBuiltIn ? 'Send them to the built-in service' : 'Send them there'),
  move: 'Send them to the service named now',
  moveHint:
    'They become new streams there. Points whose delivery to the former service was not confirmed may then be at both.',
  keep: 'Keep them here',
  key: 'API key of that service',
  keyHint: 'Used for that service only, and forgotten when Epistream ends.',
} as const;

/** What waits, for which service, and what becomes of it. */
export function formerSentence({ service, points, firstMs, lastMs, state }: FormerView): string {
  const what = formatCounted(points, 'point');
  const days = firstMs === null || lastMs === null ? '' : ` of ${dayRange(firstMs, lastMs)}`;
  const where = service === 'embedded' ? 'the built-in service' : service;
  const one = points === 1;
  const end = {
    asks: `${one ? 'waits' : 'wait'} for your choice.`,
    sending: `${one ? 'is' : 'are'} being sent there.`,
    kept: `${one ? 'stays' : 'stay'} on this PC, as you chose.`,
  }[state];
  return `${what}${days}, recorded for ${where}, ${end}`;
}

function dayRange(firstMs: number, lastMs: number): string {
  const [first, last] = [formatDay(firstMs), formatDay(lastMs)];
  return first === last ? first : `${first} to ${last}`;
}
