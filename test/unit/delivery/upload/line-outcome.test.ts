import { expect, test } from 'vitest';
import type { Failure, NotSentCause } from '../../../../src-main/delivery/client/failure.ts';
import { lineOutcome } from '../../../../src-main/delivery/upload/line-outcome.ts';
import { AgentError } from '../../../../src-main/model/agent-error.ts';

const error = new AgentError({ code: 'c', message: 'm', hint: 'h', retry: 'later' });
const told = { code: 'c', message: 'm', hint: 'h' };
const notSent = (cause: NotSentCause, afterMs: number | null = null): Failure => ({ kind: 'not-sent', cause, afterMs });

test.each<[Failure | undefined, unknown]>([
  [{ kind: 'refused', isTooLarge: false }, 'through'],
  [{ kind: 'held', reason: 'target' }, 'through'],
  [{ kind: 'ambiguous' }, 'unknown'],
  [undefined, 'unknown'],
  [
    { kind: 'held', reason: 'key' },
    { ...told, trouble: 'key', afterMs: null },
  ],
  [{ kind: 'not-the-service' }, { ...told, trouble: 'foreign', afterMs: null }],
  [notSent('asked-to-wait', 7000), { ...told, trouble: 'asked', afterMs: 7000 }],
  [
    { kind: 'busy', afterMs: 8000 },
    { ...told, trouble: 'asked', afterMs: 8000 },
  ],
  [notSent('tls'), { ...told, trouble: 'certificate', afterMs: null }],
  [notSent('clock'), { ...told, trouble: 'certificate', afterMs: null }],
  [notSent('proxy-login'), { ...told, trouble: 'certificate', afterMs: null }],
  [notSent('proxy'), { ...told, trouble: 'offline', afterMs: null }],
  [notSent('unreachable', 1000), { ...told, trouble: 'offline', afterMs: 1000 }],
])('%j says of the line: %j', (failure, outcome) => {
  expect(lineOutcome(failure, error)).toEqual(outcome);
});
