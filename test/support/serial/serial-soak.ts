// The soak of serial instruments as a process of its own, for so many seconds.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'vitest';

const SOAK = join(import.meta.dirname, '../../soak/serial.ts');

/** Record from troubled lines: no wrong value and no wrong unit is stored, and every gap is named. */
export function expectSoundSoak(seconds: number): void {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [SOAK, '--minutes', String(seconds / 60), '--seed', '7'],
    {
      encoding: 'utf8',
    },
  );
  // The table says what was wrong, and the seed.
  // all: asked, taken, refused, 0 wrong, units turned at least once, 0 wrong units, ..., 0 unnamed.
  expect(`${stdout}${stderr}`).toMatch(/^all +\d+ +\d+ +\d+ +0 +[1-9]\d* +0 +\d+ +\d+ +\d+ +\d+ +\d+ +0$/m);
  expect(status).toBe(0);
}
