// `npm run bench [-- NAME ... [MINUTES]]`: every benchmark of this folder, one after the other, each in a process of its own;
// a number is handed on to those that measure for some minutes. A benchmark prints medians and ratios of one run; nothing here asserts a time.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const all = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.ts') && name !== 'run.ts');
const given = process.argv.slice(2);
const numbers = given.filter((word) => /^[\d.]+$/.test(word));
const wanted = given.filter((word) => !numbers.includes(word));
const chosen = wanted.length === 0 ? all : all.filter((name) => wanted.includes(name.replace(/\.ts$/, '')));
if (chosen.length === 0) {
  console.error(`There is no such benchmark. Known: ${all.map((name) => name.replace(/\.ts$/, '')).join(', ')}`);
  process.exit(1);
}
let hasFailed = false;
for (const name of chosen) {
  console.log(`\n## ${name.replace(/\.ts$/, '')}\n`);
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, name), ...numbers], { stdio: 'inherit' });
  hasFailed ||= status !== 0;
}
process.exit(hasFailed ? 1 : 0);
