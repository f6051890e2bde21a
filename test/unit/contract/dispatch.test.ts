import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { dispatch } from '../../../src-main/contract/dispatch.ts';
import { CallError, callNames, calls, type Handlers } from '../../../src-main/contract/table.ts';
import { makePageAgent } from '../../support/page-agent.ts';

const agent = makePageAgent();
afterAll(agent.stop);

/** Handlers that write down what reached them; each parsed argument is checked against its row again. */
function recordingHandlers() {
  const reached: { name: string; argument: unknown }[] = [];
  const handlers = Object.fromEntries(
    Object.entries(calls).map(([noun, verbs]) => [
      noun,
      Object.fromEntries(
        Object.keys(verbs).map((verb) => [
          verb,
          async (argument: unknown) => {
            reached.push({ name: `${noun}.${verb}`, argument });
            return null;
          },
        ]),
      ),
    ]),
  ) as unknown as Handlers;
  return { reached, handlers };
}

const rowOf = (name: string) => {
  const [noun = '', verb = ''] = name.split('.');
  return (calls as unknown as Record<string, Record<string, { argument: typeof CallError }>>)[noun]?.[verb];
};

/** Names that have fooled look-ups before, and anything else. */
const hostileName = fc.oneof(
  fc.constantFrom(
    '__proto__',
    'constructor',
    'toString',
    '__proto__.polluted',
    'constructor.constructor',
    'plot',
    '.',
    'plot.',
    '.read',
    'plot.read.x',
    'plot.toString',
    'plot.__proto__',
    'hasOwnProperty.call',
    'snapshot.read\u0000',
  ),
  fc.string(),
  fc.anything(),
);

const hostileArgument = fc.oneof(
  fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withObjectString: true,
    withSparseArray: true,
  }),
  fc.jsonValue(),
  fc.constant(JSON.parse('{"__proto__":{"polluted":true}}')),
  fc.record(
    { channels: fc.anything(), fromMs: fc.anything(), toMs: fc.anything(), maxPoints: fc.anything() },
    { requiredKeys: [] },
  ),
);

test('answers every hostile name, and never throws', async () => {
  const { reached, handlers } = recordingHandlers();
  await fc.assert(
    fc.asyncProperty(
      hostileName.filter((name) => !callNames.includes(name as string)),
      hostileArgument,
      async (name, argument) => {
        const answer = await dispatch(handlers, name, argument);
        expect(answer).toMatchObject({ ok: false, error: { code: 'call.refused' } });
      },
    ),
  );
  expect(reached).toEqual([]);
});

test.each(callNames)('answers every hostile argument of %s, and passes on only what its row allows', async (name) => {
  const { reached, handlers } = recordingHandlers();
  await fc.assert(
    fc.asyncProperty(hostileArgument, async (argument) => {
      reached.length = 0;
      const answer = await dispatch(handlers, name, argument);
      if (answer.ok) {
        expect(reached).toHaveLength(1);
        expect(rowOf(name)?.argument.safeParse(reached[0]?.argument).success).toBe(true);
      } else {
        expect(reached).toEqual([]);
        expect(CallError.safeParse(answer.error).success).toBe(true);
        expect(answer.error.code).toBe('call.refused');
      }
    }),
  );
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
});

test.each(callNames)('answers what the handler of %s throws, whatever that is', async (name) => {
  const thrown: unknown[] = [new Error('disk gone'), 'text', null, undefined, 42, { code: 7 }, agent.faults];
  for (const what of thrown) {
    const failing = new Proxy(
      {},
      { get: () => new Proxy({}, { get: () => async () => Promise.reject(what) }) },
    ) as Handlers;
    const answer = await dispatch(failing, name, validArguments[name]);
    expect(answer.ok).toBe(false);
    if (!answer.ok) expect(CallError.safeParse(answer.error).success).toBe(true);
    if (!answer.ok) expect(answer.error.code).not.toBe('call.refused');
  }
});

/** An argument that each call takes; a call that has none here is refused, and its tests fail. */
const validArguments: Record<string, unknown> = {
  'heldSource.list': null,
  'heldSource.look': { sourceId: 'log', file: 'run/log.csv' },
  'heldSource.answer': { sourceId: 'log', file: 'log.csv', choice: { answer: 'rename', names: { T2: 'T' } } },
  'snapshot.read': null,
  'trial.start': null,
  'tool.preview': { folder: '/logs', match: '*', timeZone: 'UTC', timeFormat: '' },
  'tool.connect': {
    toolName: 'MBE-1',
    timeZone: 'UTC',
    folder: '/logs',
    match: '*',
    backfill: 'all',
    serviceUrl: 'embedded',
    apiKey: '',
    timeFormat: '',
  },
  'plot.listChannels': null,
  'service.keepKey': { apiKey: 'a-key-of-this-service' },
  'plot.read': { channels: [], fromMs: 0, toMs: 1, maxPoints: 10 },
  'plot.readMarks': { sourceId: null, fromMs: 0, toMs: 1, after: null, limit: 10 },
  'rheed.listSessions': null,
  'rheed.start': { sourceId: 'camera', newSampleName: 'G3-117' },
  'rheed.change': { nonce: 'k7f3q', sampleId: 'a', projectId: null },
  'rheed.end': { sourceId: 'camera' },
  'rheed.preview': { entry: { id: 'camera', kind: 'rheed', counter: { type: 'counter-file', path: 'c.txt' } } },
  'rheed.retry': { nonce: 'k7f3q' },
  'stream.refused': { streamId: 1 },
  'stream.sendAgain': { streamId: 1, chunkIds: [5], channel: null },
  'stream.sendAsNew': { streamId: 1, chunkIds: null, channel: 'Ga', pointsPerChunk: 5, unit: 'K', rename: null },
};

test.each(callNames)('takes a good argument of %s to its handler', async (name) => {
  const { reached, handlers } = recordingHandlers();
  expect(await dispatch(handlers, name, validArguments[name])).toEqual({ ok: true, value: null });
  expect(reached).toEqual([{ name, argument: validArguments[name] }]);
});

test('names the field that is wrong', async () => {
  const answer = await dispatch(agent.handlers, 'plot.read', { channels: [], fromMs: 'now', toMs: 1, maxPoints: 10 });
  expect(answer).toMatchObject({ ok: false, error: { message: expect.stringContaining('fromMs') } });
});
