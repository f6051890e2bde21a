import type { LineFault } from '../../delivery/upload/line.ts';
import type { Journal } from './journal.ts';

/** Longer than this, and a clock was set meanwhile; the duration would be none, seconds. */
const AWAY_MAX_S = 30 * 24 * 3600;

/**
 * Note in the journal when the service goes away and when it is back; what stays the same is not noted again. Takes what
 * holds the line to the service now, what held it before (null: nothing), and the clock that the line goes by.
 */
export function recordLine(journal: Journal, fault: LineFault | null, before: LineFault | null, nowMs: number): void {
  if (fault && fault.trouble !== before?.trouble) {
    const { code, message, hint } = fault;
    journal.record({ level: 'warning', code, message, hint }, 'line');
  }
  if (fault || !before) return;
  const awayS = Math.round((nowMs - before.sinceMs) / 1000);
  const after = awayS <= AWAY_MAX_S ? ` after ${awayS} s` : '';
  const message = `The service answers again${after}. What waited goes out now.`;
  journal.record({ level: 'info', code: 'service.back', message, hint: '' });
}
