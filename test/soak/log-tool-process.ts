// A growth tool that writes its logs, a new file every so often as others begin one each day, named by its time:
// `log-tool-process.ts FOLDER COLUMNS ROWS_PER_SECOND FILE_SECONDS`. Rows carry the time at which they were written, and no
// two the same. It ends when its parent says so or is gone; the files stay and are what was written.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { logHeader, logRow } from '../bench/parts/log-text.ts';

const [folder = '', columns = '20', rate = '20', fileSeconds = '300'] = process.argv.slice(2);
const STEP_MS = 10;

mkdirSync(folder, { recursive: true });
const startMs = performance.now();
let written = 0;
let lastMs = 0;
let files = 0;
let path = '';

/** Begin the next file when the present one has had its time. */
function turnPage(): void {
  if (performance.now() - startMs < files * Number(fileSeconds) * 1000) return;
  const stamp = new Date().toISOString().slice(0, 19).replace('T', ' ').replaceAll(':', '-');
  path = join(folder, `growth ${stamp}.csv`);
  writeFileSync(path, logHeader(Number(columns)));
  files += 1;
}

function writeDue(): void {
  turnPage();
  const due = Math.floor(((performance.now() - startMs) * Number(rate)) / 1000);
  let text = '';
  for (; written < due; written++) {
    lastMs = Math.max(Date.now(), lastMs + 1);
    text += logRow(Number(columns), written, lastMs);
  }
  if (text !== '') appendFileSync(path, text);
}

setInterval(writeDue, STEP_MS);
process.on('disconnect', () => process.exit());
process.on('message', () => process.exit());
