// The dialects that ship with the agent: one YAML file each in resources/dialects. Adding one is one file there and one
// fixture in test/fixtures/logs.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseDocument } from 'yaml';
import { AgentError } from '../../../model/agent-error.ts';
import { Dialect } from '../../../model/dialect.ts';
import { decodeText, detectEncoding } from '../cells/encoding.ts';
import { isNamed } from '../cells/is-named.ts';

/** Bytes of a file in which its signs must stand. */
const SIGN_BYTES = 4096;

/** Where the files lie: from the sources, from the built main process, beside a packed application. */
function findFolder(): string | null {
  const places = [
    ...['../../../..', '../..', '..'].map((up) => join(import.meta.dirname, up, 'resources/dialects')),
    join((process as { resourcesPath?: string }).resourcesPath ?? '/', 'dialects'),
  ];
  return places.find((place) => existsSync(place)) ?? null;
}

/** Files of dialects in a folder, sorted. */
export function listDialectFiles(folder: string): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .sort();
}

/**
 * Read a dialect.
 *
 * @throws `log.dialect-broken` with the file and the line or field; it needs a person.
 */
export function readDialect(folder: string, file: string): Dialect {
  const document = parseDocument(readFileSync(join(folder, file), 'utf8'));
  const [torn] = document.errors;
  if (torn !== undefined) throw broken(file, torn.message.split('\n')[0] ?? '');
  const result = Dialect.safeParse(document.toJS());
  if (result.success && result.data.name === basename(file, '.yaml')) return result.data;
  const [issue] = result.error?.issues ?? [];
  throw broken(file, issue ? `${issue.path.join('.')}: ${issue.message}` : 'its name is not that of the file');
}

function broken(file: string, why: string): AgentError {
  return new AgentError({
    code: 'log.dialect-broken',
    message: `The dialect ${file} cannot be used: ${why.replace(/[.:]$/, '')}.`,
    hint: 'Install the agent again, or correct the file.',
    retry: 'after-human',
  });
}

let shipped: readonly Dialect[] | null = null;

/**
 * The dialects that ship with the agent, in the order of their files; read once.
 *
 * @throws those of `readDialect`.
 */
export function shippedDialects(): readonly Dialect[] {
  if (shipped === null) {
    const folder = findFolder();
    shipped = folder === null ? [] : listDialectFiles(folder).map((file) => readDialect(folder, file));
  }
  return shipped;
}

/**
 * Make a dialect complete that is like another one.
 *
 * @param known - those that are known.
 * @returns the dialect with everything that it leaves at its default taken from the one it is like; itself when it is like
 *   none.
 * @throws `log.dialect-unknown`; it needs a person.
 */
export function completeDialect(dialect: Dialect, known: readonly Dialect[]): Dialect {
  if (dialect.like === null) return dialect;
  const model = findDialect(dialect.like, known);
  const plain = Dialect.parse({});
  const time = { ...model.time, ...ownFields(dialect.time, plain.time) };
  return { ...model, ...ownFields(dialect, plain), time };
}

/** The fields in which a dialect, or a part of one, differs from another. */
export function ownFields<T extends object>(given: T, plain: T): Partial<T> {
  const isOwn = ([key, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify((plain as Record<string, unknown>)[key]);
  return Object.fromEntries(Object.entries(given).filter(isOwn)) as Partial<T>;
}

/**
 * Find a dialect by its name.
 *
 * @throws `log.dialect-unknown` with the names there are; it needs a person.
 */
export function findDialect(name: string, known: readonly Dialect[]): Dialect {
  const found = known.find((dialect) => dialect.name === name);
  if (found !== undefined) return found;
  throw new AgentError({
    code: 'log.dialect-unknown',
    message: `There is no dialect "${name}".`,
    hint: `Use auto, one of ${known.map((dialect) => dialect.name).join(', ')}, or describe the log under dialect.`,
    retry: 'after-human',
  });
}

/**
 * Choose the dialect of one file.
 *
 * @param head - its first bytes.
 * @param dialect - the dialect of the source.
 * @param known - those that are known. Only `auto` chooses: the first known one whose signs all stand in the first lines and
 *   whose file name fits; else it stays `auto`.
 */
export function chooseDialect(head: Uint8Array, path: string, dialect: Dialect, known: readonly Dialect[]): Dialect {
  if (dialect.name !== 'auto' || JSON.stringify(dialect) !== AUTO) return dialect;
  const encoding = detectEncoding(head.subarray(0, SIGN_BYTES), 'auto');
  if (encoding === null) return dialect;
  const text = decodeText(head.subarray(0, SIGN_BYTES), encoding.name);
  const fits = ({ signs, files }: Dialect) =>
    signs.length > 0 && signs.every((sign) => text.includes(sign)) && (files === null || isNamed(path, files));
  return known.find(fits) ?? dialect;
}

const AUTO = JSON.stringify(Dialect.parse({}));
