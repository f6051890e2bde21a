import { toCallError } from '../../state/ask.ts';

interface Fault {
  readonly message: string;
  readonly hint: string;
  readonly tone: 'attention' | 'stopped';
}

/**
 * Read why a question about an entry gave nothing.
 *
 * @returns the service's words; calm where it has nothing of the kind asked for (404), which is an answer too. Null without a
 *   fault.
 */
export function faultOf(thrown: unknown): Fault | null {
  if (thrown === null) return null;
  const { code, message, hint } = toCallError(thrown);
  return { message, hint, tone: code === 'service.target-gone' ? 'stopped' : 'attention' };
}
