// The soak of serial instruments, for ten seconds; the long runs are made by hand.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hasPty } from '../support/pty.ts';

const SOAK = join(import.meta.dirname, '../soak/serial.ts');

test.skipIf(!hasPty)('instruments on troubled lines: no wrong value is stored, and every gap is named', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SOAK, '--minutes', String(10 / 60), '--seed', '7'], {
    encoding: 'utf8',
  });
  // The table says what was wrong, and the seed.
  expect(`${stdout}${stderr}`).toMatch(/^all +\d+ +\d+ +\d+ +0 +\d+ +\d+ +\d+ +\d+ +\d+ +0$/m);
  expect(status).toBe(0);
});
