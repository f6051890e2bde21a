import { once } from 'node:events';
import { createWriteStream, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { finished } from 'node:stream/promises';
import { growthText } from './growth-text.ts';
import { logText } from './log-text.ts';

/** Write a whole log with a row a second, its folder too; `growth`: one that looks like that of a growth. */
export async function writeLog(path: string, columns: number | 'growth', rows: number): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  const file = createWriteStream(path);
  const pieces = columns === 'growth' ? growthText(rows) : logText(columns, rows);
  for (const text of pieces) if (!file.write(text)) await once(file, 'drain');
  file.end();
  await finished(file);
}
