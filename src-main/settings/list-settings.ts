// Every setting that is no source and no limit, with what it is for, what it holds and on which line: the screen shows and
// changes them by one rule, so that a setting that is added here needs nothing there.
import { type Document, isMap, isNode, parseDocument, stringify } from 'yaml';
import { AgentError } from '../model/agent-error.ts';
import { makeJsonSchema, type SchemaNode } from './json-schema.ts';
import type { SettingsInput } from './schema.ts';

/** Lists of their own, and what nobody changes. */
const APART = new Set(['version', 'sources', 'limits']);

/** A setting. */
export interface ListedSetting {
  /** Dotted, as in messages: service.proxy. */
  readonly path: string;
  readonly about: string;
  /** The values that it may have; null: others too. */
  readonly choices: readonly string[] | null;
  /** As YAML in one line; null: the file does not name it. */
  readonly value: string | null;
  /** What holds then, as YAML; null: nothing fixed, as `about` says. */
  readonly otherwise: string | null;
  /** Line of the file, from 1; null: the file does not name it. */
  readonly line: number | null;
  /** The line as it stands there. */
  readonly lineText: string;
}

const inOneLine = (value: unknown) => stringify(value, { collectionStyle: 'flow', lineWidth: 0 }).trim();

interface Leaf {
  readonly keys: readonly string[];
  readonly node: SchemaNode & { default?: unknown };
}

function leavesOf(node: SchemaNode, keys: readonly string[] = []): Leaf[] {
  return Object.entries(node.properties ?? {})
    .filter(([key]) => keys.length > 0 || !APART.has(key))
    .flatMap(([key, inner]) =>
      inner.properties ? leavesOf(inner, [...keys, key]) : [{ keys: [...keys, key], node: inner }],
    );
}

function choicesOf({ enum: values, type }: SchemaNode): string[] | null {
  if (type === 'boolean') return ['true', 'false'];
  return values ? values.map(String) : null;
}

/**
 * List the settings of a file.
 *
 * @param document - the file, parsed, and its text.
 * @returns in the order of the schema.
 */
export function listSettings(document: Document, text: string): ListedSetting[] {
  const lines = text.split(/\r?\n/);
  return leavesOf(makeJsonSchema()).map(({ keys, node }) => {
    const value: unknown = document.getIn(keys, true);
    const offset = offsetOf(document, keys);
    const line = offset === null ? null : text.slice(0, offset).split('\n').length;
    return {
      path: keys.join('.'),
      about: node.description ?? '',
      choices: choicesOf(node),
      value: value === undefined ? null : inOneLine(isNode(value) ? value.toJS(document) : value),
      otherwise: node.default === undefined ? null : inOneLine(node.default),
      line,
      lineText: line === null ? '' : (lines[line - 1] ?? '').trim(),
    };
  });
}

/** Where the key of a value begins, UTF-16 units; null: it is not there. */
function offsetOf(document: Document, keys: readonly string[]): number | null {
  const above: unknown = keys.length === 1 ? document.contents : document.getIn(keys.slice(0, -1), true);
  if (!isMap(above)) return null;
  const pair = above.items.find(({ key }) => String(isNode(key) ? key.toJS(document) : key) === keys.at(-1));
  const key: unknown = pair?.key;
  return isNode(key) ? (key.range?.[0] ?? null) : null;
}

/**
 * Give one setting another value.
 *
 * @param current - what the file says now.
 * @param path - one that `listSettings` gave.
 * @param text - the value as YAML; empty: the setting is taken out, so that its default holds.
 * @returns what the file should say; the settings' own schema checks it.
 * @throws `settings.unknown` for another path; `settings.value` when the text is no YAML.
 */
export function changeSetting(current: SettingsInput, path: string, text: string): SettingsInput {
  const leaf = leavesOf(makeJsonSchema()).find(({ keys }) => keys.join('.') === path);
  if (!leaf) {
    const hint = 'Load the page again: it may be of another version.';
    throw new AgentError({ code: 'settings.unknown', message: `There is no setting ${path}.`, hint });
  }
  const value = text.trim() === '' ? undefined : readValue(path, text);
  const changed = structuredClone(current) as Record<string, unknown>;
  let at = changed;
  for (const key of leaf.keys.slice(0, -1)) {
    const inner = (at[key] ?? {}) as Record<string, unknown>;
    at[key] = inner;
    at = inner;
  }
  at[leaf.keys.at(-1) as string] = value;
  return changed as SettingsInput;
}

function readValue(path: string, text: string): unknown {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (!error) return document.toJS() as unknown;
  throw new AgentError({
    code: 'settings.value',
    message: `${path}: ${error.message.split('\n')[0]}.`,
    hint: "Put a text with a colon, a # or quotes in single quotes: 'D:\\Data'.",
    retry: 'after-human',
  });
}
