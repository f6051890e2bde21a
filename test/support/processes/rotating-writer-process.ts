// A tool that writes a log and rotates it, as fast as it can: folder, style, rotations, lines between two of them, files kept.
import { appendFileSync, copyFileSync, existsSync, renameSync, truncateSync } from 'node:fs';
import { join } from 'node:path';

const [folder = '', style, rotations, lines, keep] = process.argv.slice(2);
const log = join(folder, 'log.csv');
let next = 1;

function write(): void {
  for (let line = 0; line < Number(lines); line++) {
    appendFileSync(log, `${1_790_000_000 + next}.5,${next}\n`);
    next += 1;
  }
}

write();
for (let rotation = 0; rotation < Number(rotations); rotation++) {
  for (let number = Number(keep); number > 0; number--) {
    if (existsSync(`${log}.${number}`)) renameSync(`${log}.${number}`, `${log}.${number + 1}`);
  }
  if (style === 'rename chain') renameSync(log, `${log}.1`);
  else {
    copyFileSync(log, `${log}.1`);
    truncateSync(log);
  }
  appendFileSync(log, 'time,v\n');
  write();
}
