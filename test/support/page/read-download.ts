import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Download } from 'playwright-core';
import { tempFolder } from '../temp-folder.ts';

/** Waits until the browser has saved a file, and reads it. */
export async function readDownload(download: Download): Promise<Buffer> {
  const path = join(tempFolder('download'), 'file');
  await download.saveAs(path);
  return readFileSync(path);
}
