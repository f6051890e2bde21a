// The torture command itself: kills, power cuts and simulated lives, for the minutes of this run.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { amount } from '../support/run/effort.ts';

const MINUTES = amount(0.3, 1, 30);

test(`${MINUTES} minutes of kills, power cuts and simulated lives: nothing lost, doubled, altered or missing without a gap`, () => {
  const command = [join(import.meta.dirname, '../torture/torture.ts'), '--minutes', String(MINUTES)];
  // It ends with 1, and this throws, when anything was found; the table names the commands that repeat it.
  const table = execFileSync(process.execPath, command, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  console.log(table);
  expect(table).toContain('simulated seeds');
});
