import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeJsonSchema, type SchemaNode } from '../../../src-main/settings/json-schema.ts';

const file = join(import.meta.dirname, '../../../resources/epistream.schema.json');

test('the published JSON Schema is the one the agent checks with: else run `npm run schema`', () => {
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(JSON.stringify(makeJsonSchema())));
});

test('describes every key of the settings, and refuses unknown ones everywhere, as the agent does', () => {
  const [silent, open]: string[][] = [[], []];
  const walk = (node: SchemaNode & { additionalProperties?: unknown }, path: string) => {
    if (node.properties && node.additionalProperties !== false) open?.push(path);
    for (const [key, inner] of Object.entries(node.properties ?? {})) {
      if (!inner.description) silent?.push(`${path}.${key}`);
      walk(inner, `${path}.${key}`);
    }
    for (const form of [...(node.anyOf ?? []), ...(node.oneOf ?? [])]) walk(form, path);
    if (node.items) walk(node.items, `${path}[]`);
  };
  walk(makeJsonSchema(), '');
  expect([silent, open]).toEqual([[], []]);
});
