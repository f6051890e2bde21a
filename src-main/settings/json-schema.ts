import { z } from 'zod';
import { SettingsFile } from './schema.ts';

/** The part of JSON Schema that zod gives for the settings file. */
export interface SchemaNode {
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly type?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly items?: SchemaNode;
  readonly anyOf?: readonly SchemaNode[];
  readonly oneOf?: readonly SchemaNode[];
}

/**
 * Make the JSON Schema of the settings file.
 *
 * @returns a plain object, draft 2020-12, with a description for every key; for editors and for the hints of faults.
 */
export function makeJsonSchema(): SchemaNode & Record<string, unknown> {
  const { $schema, ...rest } = z.toJSONSchema(SettingsFile, { io: 'input' });
  const title = 'Settings of an Epistream agent (epistream.yaml)';
  return { $schema, title, ...rest } as SchemaNode & Record<string, unknown>;
}
