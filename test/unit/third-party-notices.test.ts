// The notices that ship with the program are those of the packages that are in it, and each licence is one we may pass on.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listThirdParties, makeNotices } from '../../resources/scripts/third-party.ts';

const top = join(import.meta.dirname, '../..');

/** Licences that ask for no more than their text. */
const ALLOWED = [
  'MIT',
  'MIT-0',
  '(MIT OR CC0-1.0)',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'Python-2.0',
  'Unlicense',
];

/** Packages that name no known licence, with the beginning of the text that was read: it asks for no more than itself. */
const READ: Readonly<Record<string, RegExp>> = {
  // The notice of NIST (NIST-PD-fallback in SPDX) and the licence of HDF5, of the kind of BSD-3-Clause.
  h5wasm:
    /^h5wasm license statement:\s+NIST-developed software is provided by NIST as a public service\. You may use,\s+copy, and distribute copies of the software in any medium, provided that you\s+keep intact this entire notice\./,
};

test('names what ships in node_modules, what the bundler takes in, and what these need, and no tool of the house', () => {
  const names = new Set(listThirdParties(top).map(({ name }) => name));
  for (const name of ['better-sqlite3', 'ms', 'react', 'zod', '@floating-ui/core']) expect(names).toContain(name);
  for (const name of ['electron', 'vitest', 'fast-check', '@types/react']) expect(names).not.toContain(name);
});

test('every licence is one that may be passed on', () => {
  const isRead = (name: string) =>
    READ[name]?.test(readFileSync(join(top, 'node_modules', name, 'LICENSE.txt'), 'utf8')) === true;
  const others = listThirdParties(top).filter(({ name, licence }) => !ALLOWED.includes(licence) && !isRead(name));
  expect(others.map(({ name, licence }) => `${name}: ${licence}`)).toEqual([]);
});

test('the file of notices is up to date; else run "npm run notices"', () => {
  expect(readFileSync(join(top, 'resources/third-party-notices.md'), 'utf8')).toBe(makeNotices(top));
});
