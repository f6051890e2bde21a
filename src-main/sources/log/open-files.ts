// The PC has no handle left for one more open file. Neither the folder nor its files have anything to do with it.
import { AgentError } from '../../model/agent-error.ts';
import { fileFaultOf } from '../../platform/file-fault.ts';

/**
 * Tell what failed for want of a handle.
 * **Takes**: whatever opening or listing threw. **Gives**: the error that says so (`log.too-many-open-files`, tried again by
 * itself); null for any other.
 */
export function tooManyOpen(thrown: unknown, place: string): AgentError | null {
  if (fileFaultOf(thrown) !== 'too-many-open') return null;
  const { code } = thrown as { code: string };
  return new AgentError({
    code: 'log.too-many-open-files',
    message: `${place} could not be opened: ${code === 'EMFILE' ? 'this program has' : 'this PC has'} as many files open as it may (${code}).`,
    hint: 'The folder and its files are all right, and nothing is lost: it is tried again by itself. Close programs, or raise the limit of open files (ulimit -n, LimitNOFILE of the service). If it stays, report it.',
    retry: 'later',
    cause: thrown,
  });
}
