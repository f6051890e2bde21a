import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { amount } from '../support/run/effort.ts';
import { hasPty } from '../support/serial/pty.ts';

const SOAK = join(import.meta.dirname, '../soak/serial.ts');

test.skipIf(!hasPty)('instruments on troubled lines: no wrong value or unit is stored, and every gap is named', () => {
  const args = [SOAK, '--minutes', String(amount(4, 8, 1800) / 60), '--seed', '7'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  // What it printed says what was wrong.
  expect(status, `${stdout}${stderr}`).toBe(0);
});
