// Wires the RHEED sessions: their rules from the settings, their names, their way to the service.
import { Temporal } from 'temporal-polyfill';
import { backoffMs } from '../../delivery/upload/backoff.ts';
import type { SessionService, SessionStore } from '../../growth/rheed-session/ports.ts';
import { SessionManager } from '../../growth/rheed-session/session-manager.ts';
import type { SessionRule } from '../../growth/rheed-session/session-rules.ts';
import type { RheedSession } from '../../model/rheed-session.ts';
import { formatStreamName } from '../../model/stream-name.ts';
import type { Clock } from '../../platform/clock.ts';
import type { RheedSourceSettings, Settings } from '../../settings/settings.ts';
import { counterPortOpener } from '../../sources/counter-port.ts';
import { type CounterView, openRheedSource } from '../../sources/rheed/rheed-source.ts';
import type { Source } from '../../sources/source.ts';
import type { Journal } from './journal.ts';
import { makeNonce } from './nonce.ts';
import { recordOfSource } from './source-journal.ts';

/** Longest wait between two tries to tell the service of a session, milliseconds. Streams have theirs in delivery/upload/backoff.ts. */
const SESSION_CAP_MS = 30_000;

export interface RheedDeskParts {
  readonly settings: Settings;
  readonly store: SessionStore;
  readonly service: SessionService;
  readonly serviceAddress: string;
  readonly clock: Clock;
  readonly journal: Journal;
  readonly holdOffMs: number;
  readonly onChange: () => void;
  readonly onSession: (session: RheedSession) => void;
  readonly isHeld: (session: RheedSession) => boolean;
}

/**
 * Open the desk of the RHEED sessions. Sessions of a former run are taken up.
 *
 * @throws those of the store.
 */
export function openSessionManager(parts: RheedDeskParts): Promise<SessionManager> {
  const { settings, journal, ...rest } = parts;
  return SessionManager.open({
    ...rest,
    finalizePath: settings.service.finalize.rheed,
    rules: settings.sources.flatMap((source) => (source.kind === 'rheed' ? [ruleOf(source)] : [])),
    makeNonce,
    nameOf: (sourceId, startedMs, nonce, title) => {
      const { name: toolName, timeZone } = settings.tool;
      return formatStreamName({ toolName, sourceId, start: localTime(startedMs, timeZone), words: title, nonce });
    },
    backoffMs: (failures) => backoffMs(failures, Math.random(), SESSION_CAP_MS),
    tell: (news, about) => journal.record(news, about),
  });
}

/** The source of a frame counter, whose sessions the desk keeps. */
export function openRheed(settings: RheedSourceSettings, clock: Clock, desk: SessionManager, journal: Journal): Source {
  const told = (thrown: unknown) => {
    const { code, message, hint } = thrown as { code: string; message: string; hint: string };
    recordOfSource(journal, settings.id, { level: 'warning', code, message, hint });
  };
  return openRheedSource({
    ...settings,
    clock,
    openPort: counterPortOpener(settings.counter, clock),
    onCounter: (view: CounterView) => void desk.onCounter(settings.id, view).catch(told),
    onCount: (counted) => desk.onCount(settings.id, counted),
  });
}

/** What a frame counter reads, for the screen. */
export function placeOfCounter({ counter }: RheedSourceSettings): string {
  if (counter.type === 'serial') return counter.port;
  return 'match' in counter ? `${counter.path}: ${counter.match}` : counter.path;
}

function ruleOf({ id, fps, rotationRpm, session }: RheedSourceSettings): SessionRule {
  const { start, endAfterSilenceMs, projectId } = session;
  return { sourceId: id, fps, rpm: rotationRpm, projectId, start, endAfterSilenceMs };
}

/** Local date and time, as in the names of streams: `2026-11-20 02:00:12`. */
function localTime(timeMs: number, timeZone: string): string {
  const local = Temporal.Instant.fromEpochMilliseconds(Math.floor(timeMs)).toZonedDateTimeISO(timeZone);
  return `${local.toPlainDate().toString()} ${local.toPlainTime().toString({ smallestUnit: 'second' })}`;
}
