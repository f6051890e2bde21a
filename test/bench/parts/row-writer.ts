// A growth tool that writes its log: `row-writer.ts FILE COLUMNS|growth ROWS_PER_SECOND`. Rows carry the time at which they were
// written. Each 10 ms it appends what is due; it ends with its input, having printed how many rows it wrote.
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { growthHeader, growthRow } from './growth-text.ts';
import { logHeader, logRow } from './log-text.ts';

const [file = '', columns = '20', rate = '1000'] = process.argv.slice(2);
const STEP_MS = 10;
const isGrowth = columns === 'growth';
const header = isGrowth ? growthHeader() : logHeader(Number(columns));
const rowNow = (row: number) => (isGrowth ? growthRow(row, Date.now()) : logRow(Number(columns), row, Date.now()));

if (!existsSync(file)) writeFileSync(file, header);
const startMs = performance.now();
let written = 0;
const timer = setInterval(() => {
  const due = Math.floor(((performance.now() - startMs) * Number(rate)) / 1000);
  let text = '';
  for (; written < due; written++) text += rowNow(written);
  if (text !== '') appendFileSync(file, text);
}, STEP_MS);
process.stdin.resume().on('end', () => {
  clearInterval(timer);
  console.log(String(written));
});
