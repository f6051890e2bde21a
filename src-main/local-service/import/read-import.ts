// From an import file to checked values, each fault with its line and field.
import { readFileSync } from 'node:fs';
import { LineCounter, parseDocument } from 'yaml';
import { AgentError } from '../../model/agent-error.ts';
import { placeOfIllFormed } from '../requests/well-formed.ts';
import { ImportFile } from './import-schema.ts';

/** Faults named at most. */
const FAULTS_MAX = 10;

/**
 * Find the line of a field.
 *
 * JSON's own parser tells no lines. A JSON text is a YAML text too, and that parser keeps them; it is slower, so it reads
 * the file only when there is a fault to place.
 */
function createLocator(text: string): (path: readonly PropertyKey[]) => number | null {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: false, strict: false });
  return (path) => {
    // A missing field has no place: then that of what should hold it.
    for (let length = path.length; length >= 0; length--) {
      const node = document.getIn(path.slice(0, length), true) as { range?: [number, number, number] } | undefined;
      if (node?.range) return lines.linePos(node.range[0]).line;
    }
    return null;
  };
}

function unfit(path: string, message: string, context: Record<string, unknown>): AgentError {
  return new AgentError({
    code: 'service.import-unfit',
    message: `${path}: ${message}`,
    hint: 'Correct the file and import it again; nothing of it was taken.',
    retry: 'after-human',
    context,
  });
}

/** A fault of one field of an import file. */
interface ImportFault {
  readonly line: number | null;
  readonly field: string;
  readonly message: string;
}

/** Refuse an import file with the line and field of each fault. */
export function importError(
  path: string,
  text: string,
  faults: readonly { path: readonly PropertyKey[]; message: string }[],
): AgentError {
  const locate = createLocator(text);
  const placed = faults.slice(0, FAULTS_MAX).map(({ path: at, message }): ImportFault => {
    return { line: locate(at), field: at.map(String).join('.'), message };
  });
  const words = placed.map(({ line, field, message }) => `line ${line}, ${field || 'whole file'}: ${message}`);
  const more = faults.length > FAULTS_MAX ? `; ${faults.length - FAULTS_MAX} more` : '';
  return unfit(path, words.join('; ') + more, { faults: placed });
}

/**
 * Read an import file.
 *
 * @returns its text and its checked content.
 * @throws AgentError `service.import-missing` when it cannot be read; `service.import-unfit` with line and field of each fault.
 */
export function readImport(path: string): { text: string; content: ImportFile } {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (cause) {
    throw new AgentError({
      code: 'service.import-missing',
      message: `${path} cannot be read: ${(cause as Error).message}`,
      hint: 'Check the path.',
      retry: 'after-human',
      cause,
    });
  }
  let text: string;
  try {
    // A byte order mark, as editors on Windows write it, is left out by the decoder.
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw unfit(path, 'the text is not UTF-8', {});
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const [, position] = /position (\d+)/.exec((cause as Error).message) ?? [];
    const line = position === undefined ? null : text.slice(0, Number(position)).split('\n').length;
    throw unfit(path, `line ${line ?? text.split('\n').length}: not JSON: ${(cause as Error).message}`, { line });
  }
  const illFormed = placeOfIllFormed(value);
  if (illFormed) throw importError(path, text, [{ path: illFormed, message: 'not well-formed Unicode' }]);
  const checked = ImportFile.safeParse(value);
  if (!checked.success) throw importError(path, text, checked.error.issues);
  return { text, content: checked.data };
}
