import { once } from 'node:events';
import { createWriteStream, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { finished } from 'node:stream/promises';
import { logText } from './log-text.ts';

/** Write a whole log with a row a second, its folder too. */
export async function writeLog(path: string, columns: number, rows: number): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  const file = createWriteStream(path);
  for (const text of logText(columns, rows)) if (!file.write(text)) await once(file, 'drain');
  file.end();
  await finished(file);
}
