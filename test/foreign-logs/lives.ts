// One log of any kind, as it is drawn: a plain table by its choices, any other kind by a seed.
import fc from 'fast-check';
import { CHOICES, type Choices } from './choices.ts';
import { KINDS, type Kind, writeKind } from './kinds/kinds.ts';
import type { WrittenLog } from './truth.ts';
import { writeLog } from './write-log.ts';

export type Life = { readonly choices: Choices } | { readonly kind: Kind; readonly seed: number };

/** Half of them are plain tables. */
export const LIVES: fc.Arbitrary<Life> = fc.oneof(
  fc.record({ choices: CHOICES }),
  fc.record({ kind: fc.constantFrom(...KINDS), seed: fc.integer({ min: 1, max: 2 ** 31 - 1 }) }),
);

export function kindOf(life: Life): string {
  return 'kind' in life ? life.kind : 'plain table';
}

export function writeLife(life: Life): WrittenLog {
  return 'kind' in life ? writeKind(life.kind, life.seed) : writeLog(life.choices);
}

/** The first lines of a log as a person sees them. */
export function shownLines(life: Life, log: WrittenLog, count: number): string {
  const isWide = 'choices' in life && life.choices.encoding === 'utf16le';
  const text = new TextDecoder(isWide ? 'utf-16le' : 'utf-8').decode(log.bytes);
  return text.split(/\r*\n/).slice(0, count).join('\n');
}
