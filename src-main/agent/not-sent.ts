import { formatCount } from '../model/format.ts';

/** What stays here when a run ends, as a sentence that follows another one; empty when nothing does, or it is not known. */
export function notSent(waitingPoints: number | null): string {
  if (waitingPoints === null || waitingPoints === 0) return '';
  const points = `${formatCount(waitingPoints)} ${waitingPoints === 1 ? 'point' : 'points'}`;
  return ` ${points} not sent: they stay here and go out next time.`;
}
