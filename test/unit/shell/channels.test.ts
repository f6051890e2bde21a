// What may come in through the calls: every row of the contract bounds what it takes. Who may call, and that every
// argument is parsed, stands in shell.test.ts and in test/unit/contract.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { calls } from '../../../src-main/contract/table.ts';

interface Node {
  readonly [key: string]: unknown;
}

/** Entries of the settings file cross as they stand in it; its own schema checks them, and the file has 256 KB at most. */
const SETTINGS_ENTRIES = [
  'source.save.entry',
  'source.startLook.entry',
  'source.describeInstrument.options',
  'source.previewLog.dialect',
  'rheed.preview.entry',
  'heldSource.answer.choice.names',
];

/** Places of a schema that take a text or a list of any length, or anything at all. */
function findUnbounded(node: unknown, path: string): string[] {
  if (typeof node !== 'object' || node === null || SETTINGS_ENTRIES.includes(path)) return [];
  const { type, properties = {}, items, additionalProperties: more, ...rest } = node as Node;
  const isNamed = rest.enum !== undefined || rest.const !== undefined || rest.format !== undefined;
  const types = [type].flat();
  const isLong = types.includes('string') && rest.maxLength === undefined && !isNamed;
  const isEndless = types.includes('array') && rest.maxItems === undefined && rest.prefixItems === undefined;
  const isOpen = Object.keys(node).length === 0 || (typeof more === 'object' && more !== null);
  const branches = ['anyOf', 'oneOf', 'allOf', 'prefixItems'].flatMap((key) => (rest[key] ?? []) as unknown[]);
  return [
    ...(isLong || isEndless || isOpen ? [path] : []),
    ...Object.entries(properties as Node).flatMap(([name, child]) => findUnbounded(child, `${path}.${name}`)),
    ...[...branches, items].flatMap((child) => findUnbounded(child, path)),
  ];
}

const unboundedOf = (argument: z.ZodType, path: string) =>
  findUnbounded(z.toJSONSchema(argument, { io: 'input' }), path);

test('107: every call bounds the length of each text and list that it takes', () => {
  const rows = Object.entries(calls).flatMap(([noun, verbs]) =>
    Object.entries(verbs as Record<string, { argument: z.ZodType }>).map(([verb, { argument }]) => ({
      name: `${noun}.${verb}`,
      argument,
    })),
  );
  expect(rows.length).toBeGreaterThan(50);
  expect(rows.flatMap(({ name, argument }) => unboundedOf(argument, name))).toEqual([]);
});

test('a text, a list, a record or anything without a bound is found', () => {
  const loose = z.object({
    name: z.string(),
    list: z.array(z.number()),
    record: z.record(z.string(), z.number()),
    any: z.unknown(),
    deep: z.object({ name: z.string().nullable() }).nullable(),
    good: z.string().max(5),
  });
  expect(unboundedOf(loose, 'x').sort()).toEqual(['x.any', 'x.deep.name', 'x.list', 'x.name', 'x.record']);
});
