// Who changed what a lab relies on: keys, users, settings of the service, what was brought over, and what the interface lets a
// person change. A line is written in the transaction of its change, so that neither is there without the other; what was asked for
// and is so already changes nothing, and has no line. Chunks and streams are no part of it: they are the data themselves.
import { hostname, userInfo } from 'node:os';
import { all, run, type Script } from './script.ts';

/** Who acts, and from where, as a person reads it. */
export interface Actor {
  /** A user with the number of a key, or a user of the PC on which a command was given. */
  readonly who: string;
  /** Address of the request, or the name of that PC. */
  readonly from: string;
}

export interface AuditLine extends Actor {
  readonly atMs: number;
  readonly action: string;
  readonly subject: string;
}

/** What a change came to. */
export interface Change<T> {
  readonly value: T;
  /** Whether anything is other than before. */
  readonly isReal: boolean;
}

const SUBJECT_MAX = 1000;

/** The user of this PC, for what is done by a command. */
export function hereActor(): Actor {
  let name: string;
  try {
    name = userInfo().username;
  } catch {
    // A user that the system has no name for, as in a container.
    name = `user ${process.getuid?.() ?? ''}`;
  }
  return { who: `${name}, by command`, from: hostname() };
}

/** Write a line. Takes what was done, in a few words that stay the same, and to what. */
export function* addAudit({ who, from }: Actor, action: string, subject: string): Script<void> {
  yield* run(
    'INSERT INTO audit (at_ms, who, came_from, action, subject) VALUES (?, ?, ?, ?, ?)',
    Date.now(),
    who,
    from,
    action,
    subject.slice(0, SUBJECT_MAX),
  );
}

/** Read the newest lines, oldest first. */
export function* listAudit(most: number): Script<readonly AuditLine[]> {
  const rows = yield* all<AuditLine>(
    'SELECT at_ms AS "atMs", who, came_from AS "from", action, subject FROM audit ORDER BY id DESC LIMIT ?',
    most,
  );
  return [...rows].reverse();
}
