// The soak of the built agent, for a few seconds: every part starts, suffers and ends, and all is delivered. Hours are by hand.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hasPty } from '../support/pty.ts';

const SOAK = join(import.meta.dirname, '../soak/run.ts');

test.skipIf(process.platform !== 'linux' || !hasPty)('everything is at the service once and unaltered', () => {
  const args = [SOAK, 'whole', '--minutes', String(15 / 60), '--seed', '7'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(`${stdout}${stderr}`).toMatch(/^logs: [1-9][\d,]* points; 0 lost, 0 doubled, 0 altered$/m);
  expect(stdout).toMatch(/^Whole: nothing lost, doubled or altered\. /m);
  expect(status).toBe(0);
});
