import type { LineFault } from '../../delivery/upload/line.ts';
import { formatDuration } from '../../model/format.ts';
import type { Journal } from './journal.ts';

/** Longer than this, and a clock was set meanwhile; the duration would be none, milliseconds. */
const AWAY_MAX_MS = 30 * 86_400_000;

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
  const awayMs = nowMs - before.sinceMs;
  const after = awayMs <= AWAY_MAX_MS ? ` after ${formatDuration(awayMs)}` : '';
  const message = `Connection to the service restored${after}. Sending queued data.`;
  journal.record({ level: 'info', code: 'service.back', message, hint: '' });
}
