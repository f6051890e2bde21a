// Writes files on the disk that a test commands. The test says what to do on standard input, one JSON line each, and gets one
// line back: {"ok":true}, with "found" where something is looked for, or {"code":"..."}; before it {"waits":true} for each wait.
import { createInterface } from 'node:readline';
import { writeFileAtomic } from '../../../src-main/platform/atomic-file.ts';
import { diskFiles } from '../../../src-main/platform/files.ts';
import { findNotLocal } from '../../../src-main/platform/local-disk.ts';
import { writeNewFile } from '../../../src-main/platform/new-file.ts';
import { renameWhenFree, renameWhenFreeSync } from '../../../src-main/platform/rename-when-free.ts';
import { RotatingFile } from '../../../src-main/platform/rotating-file.ts';
import { scanFolder } from '../../../src-main/sources/log/files/folder-scan.ts';
import type { HereOptions } from '../rigs/export-here.ts';

const WAIT_MS = 50;

/** Waits as Windows has them, short, for as long as it takes. Each is told: a try was refused then. */
function* toldWaits(): Generator<number> {
  yield WAIT_MS;
  for (;;) {
    console.log(JSON.stringify({ waits: true }));
    yield WAIT_MS;
  }
}
const waitsMs: number[] = Object.assign([WAIT_MS], { [Symbol.iterator]: toldWaits });
let log: RotatingFile | undefined;

const doing: Readonly<Record<string, (path: string, text: string) => Promise<unknown> | unknown>> = {
  atomic: (path, text) => writeFileAtomic(path, text),
  new: (path, text) =>
    writeNewFile(
      path,
      (async function* () {
        yield text;
      })(),
    ),
  log: async (path, text) => {
    log ??= new RotatingFile({ path, fileBytes: 1000, files: 3 });
    log.write(text);
    await log.flush();
  },
  rename: (path, text) => renameWhenFree(path, text, waitsMs),
  scan: async (path) => [...(await scanFolder({ path, files: diskFiles }, () => true)).files.keys()],
  notLocal: (path) => findNotLocal(path),
  export: async (path, text) => {
    const { exportHere } = await import('../rigs/export-here.ts');
    await exportHere({ ...(JSON.parse(text) as Omit<HereOptions, 'path'>), path });
  },
  renameSync: (path, text) => renameWhenFreeSync(path, text, waitsMs),
};

for await (const line of createInterface({ input: process.stdin })) {
  const [what, path, text] = JSON.parse(line) as [string, string, string];
  try {
    const found = await doing[what]?.(path, text);
    console.log(JSON.stringify({ ok: true, found }));
  } catch (error) {
    console.log(JSON.stringify({ code: (error as NodeJS.ErrnoException).code }));
  }
}
