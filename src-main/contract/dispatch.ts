// The one way in from an untrusted screen: whatever the transport, a call is looked up, its argument parsed, its outcome
// answered. Never throws.
import { type Answer, type CallError, type Caller, calls, type Handlers } from './table.ts';

const REFUSED = 'call.refused';

function fault(message: string, hint: string): Answer<never> {
  return { ok: false, error: { code: REFUSED, message, hint } };
}

function describe(thrown: unknown): CallError {
  const { code, message, hint } = (thrown ?? {}) as Partial<CallError>;
  return {
    code: typeof code === 'string' ? code : 'internal',
    message: typeof message === 'string' ? message : String(thrown),
    hint: typeof hint === 'string' ? hint : 'This is a bug. Capture goes on; please report it with the journal.',
  };
}

/**
 * Answer one call of the screen. Takes the handlers, the call's name (`plot.read`) and its argument as it came in, both
 * untrusted; and who asks, as the transport knows it.
 *
 * @returns `ok` with the handler's value, or an error with code, message and hint; unknown names and arguments that do not fit
 *   the table are answered with code `call.refused`, naming the field.
 */
export async function dispatch(
  handlers: Handlers,
  name: unknown,
  argument: unknown,
  caller: Caller = 'the window',
): Promise<Answer<unknown>> {
  const [noun = '', verb = '', ...rest] = typeof name === 'string' ? name.split('.') : [];
  const verbs = Object.hasOwn(calls, noun) ? (calls as Record<string, Record<string, unknown>>)[noun] : undefined;
  if (!verbs || rest.length > 0 || !Object.hasOwn(verbs, verb)) {
    return fault(
      `There is no call named ${JSON.stringify(name)}.`,
      'Reload the window: it may be older than the agent.',
    );
  }
  const row = verbs[verb] as (typeof calls)['plot']['read'];
  const parsed = row.argument.safeParse(argument);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return fault(`${noun}.${verb}: ${issue?.path.join('.') || 'argument'}: ${issue?.message}`, 'Correct this field.');
  }
  type Handler = (argument: unknown, caller: Caller) => Promise<unknown>;
  const handler = (handlers as unknown as Record<string, Record<string, Handler>>)[noun]?.[verb];
  try {
    return { ok: true, value: await handler?.(parsed.data, caller) };
  } catch (thrown) {
    return { ok: false, error: describe(thrown) };
  }
}
