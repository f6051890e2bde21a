// From the text of a reply to its fields, as the profile says. Patterns run on a linear-time engine: they may come from
// anybody.
import { RE2JS } from 're2js';
import type { ReplyRule } from '../../../model/instrument.ts';
import type { Reply } from '../protocol/exchange.ts';
import { profileFault } from '../protocol/profile-fault.ts';
import { fieldOfSpelling, spellingsOf } from './as-labs-write.ts';

/** Which field: by name, by number from 1, or (null) the one that stands for the reply. */
type FieldName = number | string | null;

export interface Fields {
  readonly raw: string;
  /** Cut by a pattern: a field is missing where its group took no part in the match. */
  readonly isByPattern: boolean;
  get(field: FieldName): string | number | undefined;
}

export interface FieldCutter {
  /** Whether the text has the form of this reply. */
  fits(text: string): boolean;
  /** Cut a text; null when it does not match. */
  cut(text: string): Fields | null;
  /** Whether the rule knows a field of this name or number, as far as that can be told. */
  knows(field: FieldName): boolean;
}

/**
 * Compile a pattern that must fit whole texts.
 *
 * @throws `serial.profile-broken`.
 */
export function compilePattern(where: string, pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern, RE2JS.DOTALL);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw profileFault(where, `the pattern ${pattern} cannot be read: ${why}`, 'Patterns are written as for RE2.');
  }
}

/**
 * Make the cutter of a reply rule.
 *
 * @throws `serial.profile-broken`.
 */
export function makeCutter(where: string, rule: ReplyRule): FieldCutter {
  if (rule.pattern !== null) return patternCutter(where, rule.pattern);
  const { prefix, split, fields: count } = rule;
  const cut = (whole: string): Fields | null => {
    if (!whole.startsWith(prefix)) return null;
    const text = whole.slice(prefix.length);
    const parts = (split === null ? [text] : split === ' ' ? text.trim().split(/ +/) : text.split(split)).map(trim);
    return count === null || parts.length === count ? listFields(whole, parts) : null;
  };
  const knows = (field: FieldName) =>
    field === null ||
    (typeof field === 'number' && (split !== null || field === 1) && (count === null || field <= count));
  return { fits: (text) => cut(text) !== null, cut, knows };
}

function patternCutter(where: string, text: string): FieldCutter {
  const pattern = compilePattern(where, text);
  const names = new Set(Object.keys(pattern.namedGroups()));
  const count = pattern.groupCount();
  return {
    fits: (reply) => findMatch(pattern, reply) !== null,
    cut: (reply) => {
      const matcher = findMatch(pattern, reply);
      if (matcher === null) return null;
      const group = (field: FieldName) => {
        if (typeof field === 'string') return names.has(field) ? matcher.group(field) : null;
        // A group that only brackets something is not taken for the value by accident.
        return field === null ? matcher.group(names.has('value') ? 'value' : 0) : matcher.group(field);
      };
      const get = (field: FieldName) => {
        const text = group(field);
        return text === null ? undefined : fieldOfSpelling(text.trim());
      };
      return { raw: reply, isByPattern: true, get };
    },
    knows: (field) => field === null || (typeof field === 'string' ? names.has(field) : field <= count),
  };
}

/** The match of a text, or of the nearest of its spellings that fits. */
function findMatch(pattern: RE2JS, text: string): ReturnType<RE2JS['matcher']> | null {
  const matcher = pattern.matcher(text);
  if (matcher.matches()) return matcher;
  const spelling = spellingsOf(text).find((one) => pattern.matches(one));
  if (spelling === undefined) return null;
  const found = pattern.matcher(spelling);
  found.matches();
  return found;
}

const trim = <T extends string | undefined>(text: T): T => text?.trim() as T;

function listFields(raw: string, parts: readonly string[]): Fields {
  const get = (field: FieldName) => (typeof field === 'string' ? undefined : parts[(field ?? 1) - 1]);
  return { raw, isByPattern: false, get };
}

/**
 * Fields of a reply.
 *
 * @returns its fields; null when its text does not match the format of the rule.
 */
export function fieldsOf(reply: Extract<Reply, { kind: 'text' | 'fields' }>, cutter: FieldCutter): Fields | null {
  if (reply.kind === 'text') return cutter.cut(reply.text);
  const { fields, raw } = reply;
  const list = Object.values(fields);
  return {
    raw,
    isByPattern: false,
    get: (field) => {
      const name = field ?? (Object.hasOwn(fields, 'value') ? 'value' : 1);
      if (typeof name === 'number') return list[name - 1];
      return Object.hasOwn(fields, name) ? fields[name] : undefined;
    },
  };
}
