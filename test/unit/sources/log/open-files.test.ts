// A PC that has no handle left: the folder is not to blame, and no bug is.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../support/temp-folder.ts';

test.skipIf(process.platform === 'win32')(
  'too many open files are named as such, and neither folder nor file is blamed',
  () => {
    const folder = tempFolder();
    mkdirSync(join(folder, 'below'));
    writeFileSync(join(folder, 'log.txt'), 'Time,P\n');
    const script = join(import.meta.dirname, '../../../support/processes/few-files-process.ts');
    const said = execFileSync('sh', ['-c', 'ulimit -n 100; exec "$0" "$1" "$2"', process.execPath, script, folder]);
    const told = JSON.parse(said.toString()) as { code: string; hint: string; retry: string }[];
    expect(told.map(({ code, retry }) => [code, retry])).toEqual([
      ['log.too-many-open-files', 'later'],
      ['log.too-many-open-files', 'later'],
    ]);
    for (const { hint } of told) expect(hint).toContain('limit of open files');
  },
);
