// A tool's logging program, played: it does one thing to its files for each line of JSON on its standard input, and says
// when it is done. A process of its own, so that the reader meets another writer as it does in the lab.
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createInterface } from 'node:readline';
import type { Deed } from '../logs/log-writer.ts';

function act(deed: Deed): void {
  const data = 'text' in deed ? Buffer.from(deed.text, deed.do === 'append' ? deed.encoding : 'utf8') : Buffer.alloc(0);
  if (deed.do === 'append') appendFileSync(deed.file, data);
  else if (deed.do === 'rewrite') writeFileSync(deed.file, data);
  else if (deed.do === 'truncate') truncateSync(deed.file, deed.bytes);
  else if (deed.do === 'rename') renameSync(deed.file, deed.to);
  else if (deed.do === 'copy') copyFileSync(deed.file, deed.to);
  else if (deed.do === 'remove') rmSync(deed.file);
  else if (deed.do === 'recreate') {
    rmSync(deed.file);
    writeFileSync(deed.file, data);
  } else if (deed.do === 'replace') {
    writeFileSync(`${deed.file}.part~`, data);
    renameSync(`${deed.file}.part~`, deed.file);
  } else if (deed.do === 'link') {
    rmSync(deed.file, { force: true });
    symlinkSync(deed.to, deed.file);
  } else if (deed.do === 'fill') {
    const block = Buffer.alloc(1024 * 1024, deed.byte);
    for (let left = deed.bytes; left > 0; left -= block.length) appendFileSync(deed.file, block.subarray(0, left));
  } else if (deed.do === 'burst') {
    mkdirSync(deed.folder, { recursive: true });
    for (let i = 0; i < deed.files; i++) {
      writeFileSync(`${deed.folder}/burst-${String(i).padStart(6, '0')}.csv`, deed.text.replaceAll('#', String(i)));
    }
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  try {
    act(JSON.parse(line) as Deed);
    process.stdout.write('{}\n');
  } catch (error) {
    process.stdout.write(`${JSON.stringify({ error: String(error) })}\n`);
  }
}
