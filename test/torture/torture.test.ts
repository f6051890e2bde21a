// The torture command itself, for five minutes where CI runs it and for a moment elsewhere. The long runs are made by hand.
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

const MINUTES = process.env.CI ? 5 : 0.3;

test(`${MINUTES} minutes of kills, power cuts and simulated lives: nothing lost, doubled, altered or missing without a gap`, () => {
  const command = [`${import.meta.dirname}/torture.ts`, '--minutes', String(MINUTES)];
  // It ends with 1, and this throws, when anything was found; the table names the commands that repeat it.
  const table = execFileSync(process.execPath, command, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  console.log(table);
  expect(table).toContain('simulated seeds');
});
