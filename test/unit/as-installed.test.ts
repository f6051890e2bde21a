// The figures of the benchmarks hold for what is installed only when it is started as they start it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ENVIRONMENT, NODE_FLAGS } from '../bench/parts/as-installed.ts';

const read = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');

test.each(['agent', 'start'])('npm run %s gives Node what the benchmarks give it', (name) => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  expect(scripts[name]?.split(' ').filter((word) => word.startsWith('--'))).toEqual(NODE_FLAGS);
});

test.each(['epistream.service', 'epistream.sh', 'windows/Epistream.cmd', 'windows/autostart.mjs'])(
  'what is installed as %s gives Node what the benchmarks give it, at each start',
  (name) => {
    const starts = read(`resources/install/${name}`)
      .split('\n')
      .filter((line) => /dist.main.cli|'--max/.test(line));
    expect(starts.length).toBeGreaterThan(0);
    for (const line of starts) expect(NODE_FLAGS.filter((flag) => line.includes(flag))).toEqual(NODE_FLAGS);
  },
);

test('the unit for systemd sets what the benchmarks set', () => {
  const set = [...read('resources/install/epistream.service').matchAll(/^Environment=(\w+)=(.*)$/gm)];
  expect(Object.fromEntries(set.map(([, name, value]) => [name, value]))).toEqual(ENVIRONMENT);
});
