import type { LineFault } from '../../delivery/upload/line.ts';
import { type ClockEvent, tellClockEvent } from '../../platform/clock-watch.ts';
import type { Journal } from './journal.ts';

/** What waits to be sent. */
interface Waiting {
  readonly lineFault: LineFault | null;
  release(): void;
}

/** Note in the journal what happened to a clock; after sleep, and once the clock may be right, what waits is tried at once. */
export function recordClock(journal: Journal, event: ClockEvent, uploader: Waiting): void {
  // Each is an event of its own, never a repeat of another one.
  journal.record(tellClockEvent(event), JSON.stringify(event));
  const isCertificateDue = event.kind === 'set' && uploader.lineFault?.trouble === 'certificate';
  if (event.kind === 'stood-still' || event.kind === 'plausible' || isCertificateDue) uploader.release();
}
