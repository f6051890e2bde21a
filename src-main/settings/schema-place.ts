// Finds its way in the schema along a path of the file, to say what is known there and what is meant.
import { makeJsonSchema, type SchemaNode } from './json-schema.ts';

export type Path = readonly PropertyKey[];

const root = makeJsonSchema();

function isRecord(data: unknown): data is Record<string, unknown> {
  return typeof data === 'object' && data !== null && !Array.isArray(data);
}

/** Of several forms the one that the data take: mappings by their `kind` or `type`, else the first mapping. */
function chooseForm(node: SchemaNode, data: unknown): SchemaNode {
  const forms = node.oneOf ?? node.anyOf;
  if (!forms || !isRecord(data)) return node;
  const mappings = forms.filter((form) => form.properties);
  const isMeant = ({ properties: { kind, type } = {} }: SchemaNode) =>
    kind ? kind.const === data.kind : type?.const !== undefined && type.const === data.type;
  return mappings.find(isMeant) ?? mappings[0] ?? node;
}

/** What the schema says about one place of the file. */
export interface SchemaPlace {
  /** Keys known there; empty where no mapping is expected. */
  readonly keys: readonly string[];
  /** Description of the place, or of the nearest thing around it that has one. */
  readonly description: string;
}

/**
 * Look up a place of the settings file in the schema.
 *
 * @param data - the data it leads through (they decide between forms).
 * @returns the keys known there and what the place is for.
 */
export function findPlace(path: Path, data: unknown): SchemaPlace {
  let node = chooseForm(root, data);
  let description = root.description ?? '';
  let value = data;
  for (const step of path) {
    const next = typeof step === 'number' ? node.items : node.properties?.[String(step)];
    if (!next) return { keys: [], description };
    value = Array.isArray(value) ? value[Number(step)] : isRecord(value) ? value[String(step)] : undefined;
    description = next.description ?? description;
    node = chooseForm(next, value);
  }
  return { keys: Object.keys(node.properties ?? {}), description };
}

/**
 * Find where else in the file a key is known.
 *
 * @returns the mapping it belongs to (`tool`, `sources[]`), or undefined.
 */
export function findHome(key: string): string | undefined {
  const search = (node: SchemaNode, name: string): string | undefined => {
    if (name !== '' && node.properties && Object.hasOwn(node.properties, key)) return name;
    for (const [child, inner] of Object.entries(node.properties ?? {})) {
      const found = search(inner, name === '' ? child : `${name}.${child}`);
      if (found) return found;
    }
    for (const form of [...(node.oneOf ?? []), ...(node.anyOf ?? [])]) {
      const found = search(form, name);
      if (found) return found;
    }
    return node.items ? search(node.items, `${name}[]`) : undefined;
  };
  return search(root, '');
}
