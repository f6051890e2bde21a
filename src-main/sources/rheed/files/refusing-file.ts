// What it means to a frame counter that the system refuses a file.
import { AgentError } from '../../../model/agent-error.ts';
import { fileFaultOf } from '../../../platform/file-fault.ts';

/**
 * Pass over a file that is not there, may not be read or is held for a moment: the next look tells.
 *
 * @throws `rheed.unreachable` (later) when the disk or share does not answer, or no handle is left; any other fault as it was
 *   thrown.
 */
export function passOver(thrown: unknown, path: string): void {
  const fault = fileFaultOf(thrown);
  if (fault === 'gone' || fault === 'closed' || fault === 'held') return;
  if (fault !== 'unreachable' && fault !== 'too-many-open') throw thrown;
  const { code } = thrown as { code: string };
  throw new AgentError({
    code: 'rheed.unreachable',
    message: `${path} cannot be reached (${code}).`,
    hint:
      fault === 'unreachable'
        ? 'Check the drive or share that it lies on. Counting continues automatically when it answers again.'
        : 'This program or PC has as many files open as it may. Epistream tries again automatically; close programs, or raise the limit of open files.',
    retry: 'later',
    cause: thrown,
  });
}
