// The command of real rotations itself, for as many as this run takes: the built agent, a real service, a tool of its own.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { amount } from '../support/run/effort.ts';

const ALIVE = amount(25, 30, 2500);
const KILLED = amount(25, 25, 500);
const KEEP = 1000;
const OFF = amount(8, 10, 200);

test(`${ALIVE + KILLED + OFF} rotations of real logs, the agent alive, killed and off: no row is lost, doubled or altered`, () => {
  // Nothing is destroyed unread, however slow the machine is: then no row may be missing.
  const amounts = ['--alive', ALIVE, '--killed', KILLED, '--off', OFF, '--keep', KEEP].map(String);
  // It ends with 1, and this throws, when anything was lost, doubled or altered; the rounds that did so are named.
  const table = execFileSync(process.execPath, [join(import.meta.dirname, '../torture/rotations.ts'), ...amounts], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  console.log(table);
  expect(table).toContain('killed');
});
