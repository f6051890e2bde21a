// Where in a file a fault of an instrument's profile stands: in the file of an instrument that ships, or in settings that
// describe one.
import { readFile } from 'node:fs/promises';
import { isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import type { AgentError } from '../../../model/agent-error.ts';
import { instrumentFile } from './profile-library.ts';

/** A fault names a part of the profile behind the instrument: `my-gauge, question pressure`. */
const PART = /, (question|unsolicited|lookup|identity)(?: (.+))?$/;
const LISTS: Readonly<Record<string, string>> = { question: 'questions', unsolicited: 'unsolicited' };

/**
 * Say where a fault of a profile stands.
 *
 * @param agentError - the fault.
 * @param options - the source's id and instrument as the settings have them.
 * @returns `FILE, line 12`; null when the fault names no part of a profile, or the file cannot be read.
 */
export async function placeOfFault(
  { context }: AgentError,
  { id, instrument }: { readonly id: string; readonly instrument: unknown },
  settingsFile: string,
): Promise<string | null> {
  const [, part, name] = PART.exec(String(context.where ?? '')) ?? [];
  const isShipped = typeof instrument === 'string';
  const file = isShipped ? instrumentFile(instrument) : settingsFile;
  const text = file === null ? null : await readFile(file, 'utf8').catch(() => null);
  if (part === undefined || text === null) return null;
  const lines = new LineCounter();
  const { contents } = parseDocument(text, { lineCounter: lines });
  const profile = isShipped ? contents : pick(item(pick(contents, 'sources'), id), 'instrument');
  const found = findPart(profile, part, name ?? '');
  return `${file}, line ${lines.linePos(found ?? offsetOf(profile) ?? 0).line}`;
}

/** Where the question of a part stands; else where the part does. */
function findPart(profile: unknown, part: string, name: string): number | null {
  const list = LISTS[part];
  const node = list ? item(pick(profile, list), name) : pick(profile, part === 'lookup' ? 'lookups' : part);
  const own = part === 'lookup' ? pick(node, name) : node;
  return offsetOf(pick(own, 'ask')) ?? offsetOf(own);
}

/** The entry of a list with this id. `kelvin-${input}` is one for each value of an option. */
function item(list: unknown, id: string): unknown {
  const entries = isSeq(list) ? list.items : [];
  const idOf = (entry: unknown) => String((pick(entry, 'id') as { value?: unknown } | undefined)?.value ?? '');
  const isOneOf = (entry: unknown) => {
    const parts = idOf(entry).split(/\$\{\w+\}/);
    return new RegExp(`^${parts.map((text) => text.replace(/[^\w-]/g, '\\$&')).join('.*')}$`).test(id);
  };
  return entries.find((entry) => idOf(entry) === id) ?? entries.find(isOneOf);
}

function pick(node: unknown, key: string): unknown {
  if (!isMap(node)) return undefined;
  return node.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === key)?.value ?? undefined;
}

const offsetOf = (node: unknown): number | null => (node as { range?: [number] } | undefined)?.range?.[0] ?? null;
