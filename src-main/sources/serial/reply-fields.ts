// From the text of a reply to its fields, as the profile says. Patterns run on a linear-time engine: they may come from
// anybody.
import { RE2JS } from 're2js';
import type { ReplyRule } from '../../model/instrument.ts';
import type { Reply } from './exchange.ts';
import { profileFault } from './profile-fault.ts';

/** Fields of a reply, by name or by number from 1. */
export interface Fields {
  readonly raw: string;
  get(field: number | string): string | number | undefined;
}

export interface FieldCutter {
  /** Whether the text has the form of this reply. */
  fits(text: string): boolean;
  /** Cut a text; null when it has not the form. */
  cut(text: string): Fields | null;
  /** Whether the rule knows a field of this name or number, as far as that can be told. */
  knows(field: number | string): boolean;
}

/** Compile a pattern that must fit whole texts. **Errors**: `serial.profile-broken`. */
export function compilePattern(where: string, pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern, RE2JS.DOTALL);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw profileFault(where, `the pattern ${pattern} cannot be read: ${why}`, 'Patterns are written as for RE2.');
  }
}

/** Make the cutter of a reply rule. **Errors**: `serial.profile-broken`. */
export function makeCutter(where: string, rule: ReplyRule): FieldCutter {
  if (rule.pattern !== null) return patternCutter(where, rule.pattern);
  const { prefix, split, fields: count } = rule;
  const cut = (whole: string): Fields | null => {
    if (!whole.startsWith(prefix)) return null;
    const text = whole.slice(prefix.length);
    const parts = (split === null ? [text] : split === ' ' ? text.trim().split(/ +/) : text.split(split)).map(trim);
    return count === null || parts.length === count ? listFields(whole, parts) : null;
  };
  const knows = (field: number | string) =>
    typeof field === 'number' && (split !== null || field === 1) && (count === null || field <= count);
  return { fits: (text) => cut(text) !== null, cut, knows };
}

function patternCutter(where: string, text: string): FieldCutter {
  const pattern = compilePattern(where, text);
  const names = new Set(Object.keys(pattern.namedGroups()));
  const count = pattern.groupCount();
  return {
    fits: (reply) => pattern.matches(reply),
    cut: (reply) => {
      const matcher = pattern.matcher(reply);
      if (!matcher.matches()) return null;
      const group = (field: number | string) =>
        typeof field === 'string' && !names.has(field) ? undefined : (matcher.group(field) ?? undefined);
      return { raw: reply, get: (field) => trim(group(count === 0 ? 0 : field)) };
    },
    knows: (field) => (typeof field === 'string' ? names.has(field) : field <= Math.max(1, count)),
  };
}

const trim = <T extends string | undefined>(text: T): T => text?.trim() as T;

function listFields(raw: string, parts: readonly string[]): Fields {
  return { raw, get: (field) => (typeof field === 'number' ? parts[field - 1] : undefined) };
}

/**
 * Fields of a reply.
 * **Gives**: its fields; null when its text has not the form that the rule wants.
 */
export function fieldsOf(reply: Extract<Reply, { is: 'text' | 'fields' }>, cutter: FieldCutter): Fields | null {
  if (reply.is === 'text') return cutter.cut(reply.text);
  const { fields, raw } = reply;
  const list = Object.values(fields);
  return {
    raw,
    get: (field) => (typeof field === 'number' ? list[field - 1] : Object.hasOwn(fields, field) ? fields[field] : undefined),
  };
}
