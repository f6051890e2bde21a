// The soak of serial instruments, for some seconds; in a long run for minutes.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { amount } from '../support/effort.ts';
import { hasPty } from '../support/pty.ts';

const MINUTES = amount(5 / 60, 1, 30);
const SOAK = join(import.meta.dirname, '../soak/serial.ts');

test.skipIf(!hasPty)('instruments on troubled lines: no wrong value is stored, and every gap is named', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SOAK, '--minutes', String(MINUTES), '--seed', '7'], {
    encoding: 'utf8',
  });
  // The table says what was wrong, and the seed.
  expect(`${stdout}${stderr}`).toMatch(/^all +\d+ +\d+ +\d+ +0 +\d+ +\d+ +\d+ +\d+ +\d+ +0$/m);
  expect(status).toBe(0);
});
