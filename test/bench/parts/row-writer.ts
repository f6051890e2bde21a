// A growth tool that writes its log: `row-writer.ts FILE COLUMNS|growth ROWS_PER_SECOND`. Rows carry the time at which they were
// written, and each is appended when it is due. It ends with its input, having printed how many rows it wrote.
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { growthHeader, growthRow } from './growth-text.ts';
import { logHeader, logRow } from './log-text.ts';

const [file = '', columns = '20', rate = '1000'] = process.argv.slice(2);
const isGrowth = columns === 'growth';
const header = isGrowth ? growthHeader() : logHeader(Number(columns));
const rowNow = (row: number) => (isGrowth ? growthRow(row, Date.now()) : logRow(Number(columns), row, Date.now()));

if (!existsSync(file)) writeFileSync(file, header);
const startMs = performance.now();
let written = 0;
let timer: NodeJS.Timeout;
/** Write the rows that are due, and wait for the next one. */
function write(): void {
  const due = Math.floor(((performance.now() - startMs) * Number(rate)) / 1000);
  let text = '';
  for (; written < due; written++) text += rowNow(written);
  if (text !== '') appendFileSync(file, text);
  const nextMs = startMs + ((written + 1) * 1000) / Number(rate);
  timer = setTimeout(write, Math.max(0, nextMs - performance.now()));
}
write();
process.stdin.resume().on('end', () => {
  clearTimeout(timer);
  console.log(String(written));
});
