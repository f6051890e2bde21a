// What the system refuses to the user who runs a command is no fault of the program: most often the files are another user's,
// as those of the service are.
import { AgentError, toAgentError } from '../../model/agent-error.ts';
import { type FileFault, fileFaultOf } from '../../platform/file-fault.ts';

/** What a person can do. A file that is not there says nothing: what asks for one has its own message, or is wrong. */
const HINTS: Readonly<Partial<Record<FileFault, string>>> = {
  closed:
    'Run the command as the user whose files these are (of the Debian package: sudo -u epistream epistream ...), or let this user in.',
  held: 'Close the program that holds it and try again.',
  unreachable: 'Check the disk or the share, and try again.',
  full: 'Free space on this disk and try again.',
  'too-many-open': 'Close programs or raise the limit of open files, and try again.',
};

/** SQLite's codes for a file that this user may not open or write. */
const CLOSED = /^SQLITE_(CANTOPEN|READONLY|PERM)/;

/**
 * Turn what a command threw into an AgentError.
 *
 * @returns the same AgentError; `file.refused` for what the system refused; else `internal`.
 */
export function commandError(thrown: unknown): AgentError {
  const { code = '', message = '' } = (thrown ?? {}) as { code?: string; message?: string };
  const hint = HINTS[CLOSED.test(code) ? 'closed' : (fileFaultOf(thrown) ?? 'gone')];
  if (thrown instanceof AgentError || hint === undefined) return toAgentError(thrown);
  return new AgentError({
    code: 'file.refused',
    message: `The system refuses a file or folder: ${message}.`,
    hint,
    retry: 'after-human',
    cause: thrown,
  });
}
