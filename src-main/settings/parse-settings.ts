// From the text of a settings file to settings, or to every fault in it with its line. YAML is read in its plain form:
// no aliases (a few lines of them can unfold to gigabytes, and a save could not tell which place is meant), no tags.
import { type Document, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, visit } from 'yaml';
import { explainIssue } from './explain.ts';
import { formatPath, quote, type SettingsFault } from './fault.ts';
import { type CheckedFile, SettingsFile, type SettingsInput } from './schema.ts';
import type { Path } from './schema-place.ts';
import { fillSettings, type Settings } from './settings.ts';

export type ParsedSettings =
  | {
      readonly isValid: true;
      readonly settings: Settings;
      /** As the file has it, without defaults. */
      readonly input: SettingsInput;
      /** Keeps comments and order; only a save changes it. */
      readonly document: Document;
    }
  | { readonly isValid: false; readonly faults: readonly SettingsFault[] };

const SYNTAX_HINTS: Record<string, string> = {
  BAD_DQ_ESCAPE: "In double quotes a \\ begins an escape. Put Windows paths in single quotes: 'C:\\MBE\\Logs'.",
  TAB_AS_INDENT: 'Indent with blanks, never with tabs.',
  MULTIPLE_DOCS: 'Remove the line --- and what follows it.',
};

/** YAML faults that are listed. */
const SYNTAX_FAULTS_MAX = 10;

interface Found {
  readonly offset: number;
  readonly path: Path;
  readonly message: string;
  readonly hint: string;
}

function findSyntaxFaults(document: Document.Parsed): Found[] {
  const tooDeep = document.errors.find(({ code }) => code === 'RESOURCE_EXHAUSTION');
  if (tooDeep) {
    const hint = 'Settings need a few levels only.';
    return [{ offset: tooDeep.pos[0], path: [], message: 'brackets or blanks are nested too deeply', hint }];
  }
  // One slip makes the parser stumble many times; what comes later says nothing new.
  const stumbles = [...document.errors, ...document.warnings].slice(0, SYNTAX_FAULTS_MAX);
  const faults: Found[] = stumbles.map(({ code, message, pos }) => ({
    offset: pos[0],
    path: [],
    message: (message.split('\n')[0] ?? message).replace(/\.$/, ''),
    hint: SYNTAX_HINTS[code] ?? 'Look at quotes, colons and indentation on this line and the one before.',
  }));
  visit(document, {
    Map: (_, { items }) => {
      const known = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key) || faults.length >= SYNTAX_FAULTS_MAX) continue;
        const message = 'the same key stands here twice';
        if (known.has(key.value))
          faults.push({ offset: key.range?.[0] ?? 0, path: [], message, hint: 'Keep one of the two.' });
        known.add(key.value);
      }
    },
    Alias: (_, { source, range }) => {
      const hint = 'Write the value out in both places.';
      faults.push({ offset: range?.[0] ?? 0, path: [], message: `the alias *${source} is not possible here`, hint });
    },
  });
  return faults;
}

/** Where a path of the data stands in the text; the nearest thing around it where it stands nowhere. */
function findOffset(document: Document.Parsed, path: Path, isKey: boolean): number {
  let node: unknown = document.contents;
  let offset = document.contents?.range[0] ?? 0;
  for (const [depth, step] of path.entries()) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step));
      if (!pair) return offset;
      const keyOffset = (pair.key as Node).range?.[0] ?? offset;
      const value = pair.value as Node | null;
      const isLast = depth === path.length - 1;
      // A mapping or list is looked for where its key stands; a text where the text begins.
      offset = (isLast && isKey) || !isScalar(value) ? keyOffset : (value.range?.[0] ?? keyOffset);
      node = value;
    } else if (isSeq(node)) {
      node = node.items[Number(step)];
      offset = (node as Node | undefined)?.range?.[0] ?? offset;
    } else return offset;
  }
  return offset;
}

/** Two sources with one name, or two that would read the same files and so send every point twice. */
function findDoubles(data: unknown): Omit<Found, 'offset'>[] {
  const sources = typeof data === 'object' && data !== null && 'sources' in data ? data.sources : [];
  const faults: Omit<Found, 'offset'>[] = [];
  const ids = new Map<string, number>();
  const folders = new Map<string, number>();
  const ports = new Map<string, number>();
  for (const [index, source] of (Array.isArray(sources) ? sources : []).entries()) {
    const { id, kind, path, match, port, address = null } = (source ?? {}) as Record<string, unknown>;
    const first = typeof id === 'string' ? ids.get(id.toLowerCase()) : undefined;
    if (first !== undefined) {
      const message = `${quote(id)} is already the name of sources[${first}]`;
      faults.push({ path: ['sources', index, 'id'], message, hint: 'Give each source a name of its own.' });
    } else if (typeof id === 'string') ids.set(id.toLowerCase(), index);
    if (kind === 'serial' && port !== undefined) {
      const place = JSON.stringify([port, address]).toLowerCase();
      const other = ports.get(place);
      if (other === undefined) ports.set(place, index);
      else {
        const message = `sources[${other}] reads the same port${address === null ? '' : ' and address'}`;
        const hint = 'Instruments on one line need an address each; one instrument is one source.';
        faults.push({ path: ['sources', index, 'port'], message, hint });
      }
    }
    if (kind !== 'log' || typeof path !== 'string') continue;
    const place = JSON.stringify([path.replace(/[/\\]+$/, ''), match ?? '**/*']);
    const same = folders.get(place);
    if (same === undefined) folders.set(place, index);
    else {
      const message = `sources[${same}] reads the same files`;
      faults.push({ path: ['sources', index, 'path'], message, hint: 'Every point would be sent twice: keep one.' });
    }
  }
  return faults;
}

function findDataFaults(document: Document.Parsed, data: unknown): Found[] | { settings: CheckedFile } {
  const checked = SettingsFile.safeParse(data);
  const doubles = findDoubles(data).map((fault) => ({ ...fault, isKey: false }));
  if (checked.success && doubles.length === 0) return { settings: checked.data };
  const explained = checked.success ? [] : checked.error.issues.flatMap((issue) => explainIssue(issue, data));
  return [...explained, ...doubles].map(({ path, isKey, message, hint }) => ({
    offset: findOffset(document, path, isKey),
    path,
    message,
    hint,
  }));
}

/**
 * Parse the text of a settings file. Takes the text without byte-order mark, line ends as they are, and the file's path
 * (relative paths in it count from its folder).
 *
 * @returns the settings with all defaults, or every fault with line and column. A file whose YAML is broken gives its YAML
 *   faults only, since what it says is not known. Never throws.
 */
export function parseSettings(text: string, file: string): ParsedSettings {
  const lines = new LineCounter();
  const refuse = (found: readonly Found[]): ParsedSettings => ({
    isValid: false,
    faults: found.map(({ offset, path, message, hint }) => {
      const { line, col } = lines.linePos(offset);
      return { line: Math.max(1, line), column: Math.max(1, col), path: formatPath(path), message, hint };
    }),
  });
  // Keys that stand twice are found below: the parser compares each with all others.
  const document = parseDocument(text, {
    ...{ lineCounter: lines, prettyErrors: false, stringKeys: true, uniqueKeys: false },
  });
  const broken = findSyntaxFaults(document);
  if (broken.length > 0) return refuse(broken);
  if (document.contents === null || (isScalar(document.contents) && document.contents.value === null)) {
    const hint = 'Begin with "version: 1" and "tool:", or start without the file to be led through it.';
    return refuse([{ offset: 0, path: [], message: 'the file is empty', hint }]);
  }
  const data: unknown = document.toJS();
  const found = findDataFaults(document, data);
  if (Array.isArray(found)) return refuse(found);
  return { isValid: true, settings: fillSettings(found.settings, file), input: data as SettingsInput, document };
}
