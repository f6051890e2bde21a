// The protocol families there are. Adding one is a file here and a line below.
import type { Family } from '../family.ts';
import { lineAscii } from './line-ascii.ts';

const FAMILIES: readonly Family[] = [lineAscii];

/** All families, by name. */
export const families: ReadonlyMap<string, Family> = new Map(FAMILIES.map((family) => [family.name, family]));
