// Kills of a program that exports, in place of one of its operations on the file.
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { version } from '../../../src-main/commands/shared/version.ts';
import { EXPORT_FORMATS, type ExportFormat } from '../../../src-main/model/export.ts';
import { runAgent } from '../processes/agent-process.ts';
import { exportHere } from '../rigs/export-here.ts';
import { writeGrowthQueue } from '../rigs/growth-queue.ts';
import { tempFolder } from '../temp-folder.ts';
import { FaultyDisk } from './fault-shim.ts';

/** One of the two archives for NOMAD: they are written alike. */
export const FORMS = Object.keys(EXPORT_FORMATS).filter((format) => format !== 'nomad-sputter') as ExportFormat[];

/**
 * Kill an export in place of each of these operations, counted from 1: it leaves no file of its name that is not whole.
 */
export async function killExport(format: ExportFormat, operations: readonly number[]): Promise<void> {
  const { data, growth } = writeGrowthQueue({ seconds: 2000, channels: 10, gaps: 4 });
  const whole = join(tempFolder('whole'), 'whole');
  await exportHere({ data, growth, format, path: whole, version: version() });
  for (const killAt of operations) {
    const out = join(tempFolder('killed'), `growth.${format}`);
    const disk = new FaultyDisk(tempFolder('shim'), { match: `growth.${format}`, killAt });
    const words = ['export', '--data', data, '--growth', growth, '--format', format, '--out', out];
    const { signal, code } = await runAgent(words, disk.env);
    // Killed between its naming and the removal of the part, it is there and whole.
    if (existsSync(out)) expect(statSync(out).size).toBe(statSync(whole).size);
    else expect([signal, code]).toEqual(['SIGKILL', null]);
  }
}
