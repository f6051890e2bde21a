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

test('the unit for systemd sets what the benchmarks set, and where it may keep translated TypeScript', () => {
  const unit = read('resources/epistream.service');
  const set = [...unit.matchAll(/^Environment=(\w+)=(.*)$/gm)];
  const kept = { NODE_COMPILE_CACHE: `/var/cache/${unit.match(/^CacheDirectory=(.*)$/m)?.[1]}` };
  expect(Object.fromEntries(set.map(([, name, value]) => [name, value]))).toEqual({ ...ENVIRONMENT, ...kept });
});
