import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { dispatch } from '../../../src-main/contract/dispatch.ts';
import { CallError, callNames, calls, type Handlers } from '../../../src-main/contract/table.ts';
import { makePageAgent } from '../../support/page/page-agent.ts';

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

/** Arguments whose rules go beyond their types; those of all other calls are made from their schemas. */
const chosenArguments: Record<string, unknown> = {
  'heldSource.answer': { sourceId: 'log', file: 'log.csv', choice: { answer: 'rename', names: { T2: 'T' } } },
  'rheed.preview': { entry: { id: 'camera', kind: 'rheed', counter: { type: 'counter-file', path: 'c.txt' } } },
  'stream.sendAgain': { streamId: 1, chunkIds: [5], channel: null },
  'stream.sendAsNew': { streamId: 1, chunkIds: null, channel: 'Ga', pointsPerChunk: 5, unit: 'K', rename: null },
};

interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly format?: string;
}

/** The smallest value that fits a schema. */
function sampleOf(schema: Schema): unknown {
  if ('const' in schema) return schema.const;
  if (schema.enum) return schema.enum[0];
  const [first] = schema.anyOf ?? schema.oneOf ?? [];
  if (first) return sampleOf(first);
  if (schema.format === 'uuid') return '5e0c4a0e-0000-4000-8000-000000000001';
  switch (schema.type) {
    case 'string':
      return 'x'.repeat(schema.minLength ?? 0);
    case 'integer':
    case 'number':
      return Math.max(0, schema.minimum ?? 0, (schema.exclusiveMinimum ?? -1) + 1);
    case 'boolean':
      return false;
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => sampleOf(schema.items ?? {}));
    case 'object': {
      const required = (schema.required ?? []).map((name) => [name, sampleOf(schema.properties?.[name] ?? {})]);
      return Object.fromEntries(required);
    }
    default:
      return null;
  }
}

const validArguments = Object.fromEntries(
  callNames.map((name) => {
    const schema = z.toJSONSchema(rowOf(name)?.argument as z.ZodType, { io: 'input', unrepresentable: 'any' });
    return [name, chosenArguments[name] ?? sampleOf(schema as Schema)];
  }),
);

test.each(callNames)('takes a good argument of %s to its handler', async (name) => {
  const { reached, handlers } = recordingHandlers();
  expect(await dispatch(handlers, name, validArguments[name])).toEqual({ ok: true, value: null });
  // Defaults of the row may be filled in on the way.
  expect(reached).toEqual([{ name, argument: rowOf(name)?.argument.parse(validArguments[name]) }]);
});

test('names the field that is wrong', async () => {
  const answer = await dispatch(agent.handlers, 'plot.read', { channels: [], fromMs: 'now', toMs: 1, maxPoints: 10 });
  expect(answer).toMatchObject({ ok: false, error: { message: expect.stringContaining('fromMs') } });
});
