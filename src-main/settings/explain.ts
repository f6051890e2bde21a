// Turns what the schema finds into sentences for people: what is wrong, and what to write instead.
import type { z } from 'zod';
import { formatCounted } from '../model/format.ts';
import { quote } from './fault.ts';
import { findNearest } from './nearest.ts';
import { findHome, findPlace, type Path } from './schema-place.ts';

type Issue = z.core.$ZodIssue;

/** A fault without its line. `isKey` where the key itself is at fault and not what it holds. */
export interface Explained {
  readonly path: Path;
  readonly isKey: boolean;
  readonly message: string;
  readonly hint: string;
}

const SECRET_KEY = /^(x-?)?(api|access|secret|auth|private)?-?(key|token|password|passwd|pass|secret|credentials?)$/i;

/** Keys that exist no longer, and what does their work. */
const REPLACED: ReadonlyMap<string, string> = new Map([
  [
    'state_columns',
    'Move the words to states. If the first rows of a column contain none of them, add the column to numeric.',
  ],
  [
    'downloads',
    'Remove the line. The browser saves raw files where you choose; exports of the screen go into your download folder, those of growth.after and "epistream export" into any folder.',
  ],
  ['event_text', 'List under leave_out the columns that marks must not contain.'],
]);

function valueAt(data: unknown, path: Path): unknown {
  let value = data;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[step];
  }
  return value;
}

function explainUnknownKey(key: string, path: Path, data: unknown): Explained {
  const { keys } = findPlace(path, data);
  const explained = { path: [...path, key], isKey: true };
  if (SECRET_KEY.test(key.replace(/[_ ]/g, '-'))) {
    // The value is never repeated: it may be the key itself.
    return {
      ...explained,
      message: `a secret must not stand in this file`,
      hint: path.includes('mail')
        ? 'Remove the line. The password for the mail server belongs in the environment variable EPISTREAM_SMTP_PASSWORD.'
        : 'Remove the line. The API key belongs in the environment variable EPISTREAM_API_KEY, or into the window, which ' +
          'hands it to the key store of this PC; a key that stood in a file should be replaced by a new one.',
    };
  }
  const message = `the key ${quote(key)} is not known here`;
  const instead = REPLACED.get(key);
  if (instead !== undefined) return { ...explained, message, hint: instead };
  const near = findNearest(key, keys);
  if (near) return { ...explained, message, hint: `Did you mean ${near}?` };
  const home = findHome(key);
  if (home) return { ...explained, message, hint: `It belongs to ${home}.` };
  return { ...explained, message, hint: `Known here: ${keys.join(', ')}.` };
}

/** Keys that are explained one by one: a file of another program may have any number of them. */
const KEYS_EXPLAINED = 20;

function explainUnknownKeys(keys: readonly string[], path: Path, data: unknown): Explained[] {
  const told = keys.slice(0, KEYS_EXPLAINED).map((key) => explainUnknownKey(key, path, data));
  const [next] = keys.slice(KEYS_EXPLAINED);
  if (next === undefined) return told;
  const message = `${formatCounted(keys.length - KEYS_EXPLAINED, 'further key')} from here on are not known`;
  return [...told, { path: [...path, next], isKey: true, message, hint: 'Is this the settings file of Epistream?' }];
}

function explainWord(value: unknown, known: readonly unknown[]): { message: string; near: string } {
  const words = known.map(String);
  const near = typeof value === 'string' ? findNearest(value, words) : undefined;
  return { message: `${quote(value)} is not ${words.join(' or ')}`, near: near ? `Did you mean ${near}? ` : '' };
}

const ARTICLES: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping (key: value)',
};

function explainValue(issue: Issue, path: Path, data: unknown): Explained {
  const value = valueAt(data, path);
  const { description } = findPlace(path, data);
  const explain = (message: string, hint = description): Explained => ({ path, isKey: false, message, hint });
  const wrongType = (expected: string) => {
    if (!issue.message.startsWith('Invalid input')) return explain(issue.message);
    const quotes = expected === 'string' && typeof value === 'number' ? `Put it in quotes: '${value}'. ` : '';
    return explain(`${quote(value)} is not ${ARTICLES[expected] ?? `of type ${expected}`}`, `${quotes}${description}`);
  };
  if (value === undefined) return explain('is missing');
  if (value === null) return explain('the value is empty');
  switch (issue.code) {
    case 'invalid_type':
      return wrongType(issue.expected);
    case 'too_big':
    case 'too_small': {
      const isBig = issue.code === 'too_big';
      const bound = issue.code === 'too_big' ? issue.maximum : issue.minimum;
      if (typeof value === 'number') {
        const limit = issue.inclusive ? (isBig ? 'at most' : 'at least') : isBig ? 'below' : 'above';
        return explain(`${value} is out of bounds: ${limit} ${bound}`);
      }
      const what = typeof value === 'string' ? 'characters' : 'entries';
      return explain(`it has ${isBig ? 'more than' : 'fewer than'} ${bound} ${what}`);
    }
    case 'invalid_value': {
      const { message, near } = explainWord(value, issue.values);
      return explain(message, `${near}${description}`);
    }
    case 'custom':
      return explain(issue.message, typeof issue.params?.hint === 'string' ? issue.params.hint : description);
    default:
      return explain(`${quote(value)} is not possible here`);
  }
}

function explainKind(path: Path, data: unknown): Explained {
  const value = valueAt(data, path);
  const missing = value === undefined;
  const { message, near } = explainWord(value, ['log', 'serial', 'rheed', 'simulator']);
  return {
    path,
    isKey: false,
    message: missing ? 'is missing' : message,
    hint: `${near}Give log (a folder of text logs), serial (an instrument on a line), rheed (a frame counter) or simulator (a simulated growth).`,
  };
}

function explainCounter(path: Path, data: unknown): Explained {
  const value = valueAt(data, path);
  const { message, near } = explainWord(value, ['images', 'movie', 'counter-file', 'log', 'serial']);
  return {
    path,
    isKey: false,
    message: value === undefined ? 'is missing' : message,
    hint: `${near}${findPlace(path, data).description}`,
  };
}

/**
 * Describe what the schema found.
 *
 * @param data - the path it is relative to.
 * @param base - the data as the file holds them.
 * @returns one entry for each thing at fault, never repeating the value of a key that looks like a secret.
 */
export function explainIssue(issue: Issue, data: unknown, base: Path = []): Explained[] {
  const path = [...base, ...issue.path];
  if (issue.code === 'unrecognized_keys') return explainUnknownKeys(issue.keys, path, data);
  if (issue.code === 'invalid_union') {
    if ('discriminator' in issue && issue.discriminator === 'kind') return [explainKind(path, data)];
    if ('discriminator' in issue && issue.discriminator === 'type') return [explainCounter(path, data)];
    // Of the forms a value may take (a word, a number, a mapping) the one it was meant for is not refused as a whole.
    const isOther = ({ code, path: inner }: Issue) =>
      inner.length === 0 && (code === 'invalid_type' || code === 'invalid_value' || code === 'invalid_union');
    const form = issue.errors.find((faults) => !faults.some(isOther));
    if (form && valueAt(data, path) !== undefined) return form.flatMap((fault) => explainIssue(fault, data, path));
  }
  return [explainValue(issue, path, data)];
}
