// The soak of the built agent for the minutes of this run: every part suffers, and all is delivered. Hours are by hand.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { amount } from '../support/run/effort.ts';
import { hasPty } from '../support/serial/pty.ts';

const MINUTES = amount(15 / 60, 15 / 60, 20);
const SOAK = join(import.meta.dirname, '../soak/run.ts');

test.skipIf(process.platform !== 'linux' || !hasPty)(
  `everything is at the service once and unaltered after ${MINUTES} minutes of trouble`,
  async () => {
    const args = [SOAK, 'whole', '--minutes', String(MINUTES), '--seed', '7'];
    const { code, stdout, stderr } = await new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
      const child = execFile(process.execPath, args, (error, stdout, stderr) =>
        resolve({ code: error?.code ?? 0, stdout, stderr }),
      );
      // A soak that outlasts its test would disturb the next.
      onTestFinished(() => void child.kill());
    });
    expect(`${stdout}${stderr}`).toMatch(/^logs: [1-9][\d,]* points; 0 lost, 0 doubled, 0 altered$/m);
    expect(stdout).toMatch(/^Whole: nothing lost, doubled or altered\. /m);
    expect(code).toBe(0);
  },
);
