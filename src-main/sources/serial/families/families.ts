// The protocol families there are. Adding one is a file here and a line below.
import type { Family } from '../family.ts';
import { agilentWindow } from './agilent-window.ts';
import { genesys } from './genesys.ts';
import { hashAddress } from './hash-address.ts';
import { lineAscii } from './line-ascii.ts';
import { maxtek } from './maxtek.ts';
import { mksAt } from './mks-at.ts';
import { upp } from './upp.ts';

const FAMILIES: readonly Family[] = [lineAscii, agilentWindow, genesys, hashAddress, maxtek, mksAt, upp];

/** All families, by name. */
export const families: ReadonlyMap<string, Family> = new Map(FAMILIES.map((family) => [family.name, family]));
