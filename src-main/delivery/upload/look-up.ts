// A look-up is a precaution. Where the key has no right to it (403), or the service has no such call (404), the agent sends
// without it and says once what that costs.
import { AgentError } from '../../model/agent-error.ts';

/** True where what a look-up failed with says that this key may not look. Takes what was thrown. */
export function isLookUpRefused(thrown: unknown): boolean {
  const { status } = thrown as { status?: number | null };
  return status === 403 || status === 404;
}

/** Say what a refused look-up costs. */
export function blindError({ message }: AgentError): AgentError {
  return new AgentError({
    code: 'upload.no-look-up',
    message: `What the service holds cannot be looked up, and sending goes on without: ${message}`,
    hint: 'Give the key the right to list entries and to read series. Without it a lost answer is sent again, and a queue that was put back from an older copy is noticed by the count of the service, one chunk late.',
    retry: 'later',
  });
}

/** Say why a count that differs holds a stream: what the service holds cannot be read with this key. */
export function unreadError({ message }: AgentError): AgentError {
  return new AgentError({
    code: 'upload.count-unread',
    message: `${message} What it holds cannot be read with this key.`,
    hint: 'Nothing more of this stream is sent; its data is safe here. Give the key the right to read series, then press Try again.',
    retry: 'after-human',
  });
}
