import { AgentError } from '../../../model/agent-error.ts';

/** A profile that cannot be used; it needs a person. `where` is the instrument and the field. */
export function profileFault(where: string, what: string, hint: string): AgentError {
  return new AgentError({
    code: 'serial.profile-broken',
    message: `The instrument profile ${where}: ${what}.`,
    hint,
    context: { where },
    retry: 'after-human',
  });
}

/** A question that is not on its family's list of read-only ones; it is never sent. */
export function notReadOnly(where: string, what: string): AgentError {
  return new AgentError({
    code: 'serial.not-read-only',
    message: `The instrument profile ${where}: ${what}.`,
    hint: 'This agent only ever reads. What may be asked, by the set that protocol.commands names, stands in resources/docs/instruments.md under What may be asked.',
    context: { where },
    retry: 'after-human',
  });
}
