// A tool's logging program, played: it does to the files of a folder what tools and programs that rotate do.
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
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';

export type Deed =
  | { do: 'append'; file: string; text: string; encoding?: BufferEncoding }
  | { do: 'rewrite' | 'recreate' | 'replace'; file: string; text: string }
  | { do: 'truncate'; file: string; bytes: number }
  | { do: 'rename'; file: string; to: string }
  | { do: 'copy'; file: string; to: string }
  | { do: 'link'; file: string; to: string }
  | { do: 'remove'; file: string }
  | { do: 'fill'; file: string; bytes: number; byte: number }
  | { do: 'burst'; folder: string; files: number; text: string };

/** Files of a burst that are written at a time; a look that is under way meets the folder between two such times. */
const BURST_FILES = 20;
const FILL_BYTES = 1024 * 1024;

export class LogWriter {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Do something to the files. Names are below the folder; a link's target is taken as it is. */
  does(deed: Deed): Promise<void> {
    return this.doesIn('', deed);
  }

  /** The same in a folder below. */
  async doesIn(below: string, deed: Deed): Promise<void> {
    const own = (name: string) => join(this.folder, below, name);
    if (deed.do === 'burst') return burst(own(deed.folder), deed.files, deed.text);
    act(deed, own);
  }

  append(file: string, text: string): Promise<void> {
    return this.does({ do: 'append', file, text });
  }
}

function act(deed: Exclude<Deed, { do: 'burst' }>, own: (name: string) => string): void {
  const file = own(deed.file);
  if (deed.do === 'append') appendFileSync(file, Buffer.from(deed.text, deed.encoding));
  else if (deed.do === 'rewrite') writeFileSync(file, deed.text);
  else if (deed.do === 'truncate') truncateSync(file, deed.bytes);
  else if (deed.do === 'rename') renameSync(file, own(deed.to));
  else if (deed.do === 'copy') copyFileSync(file, own(deed.to));
  else if (deed.do === 'remove') rmSync(file);
  else if (deed.do === 'recreate') {
    rmSync(file);
    writeFileSync(file, deed.text);
  } else if (deed.do === 'link') {
    rmSync(file, { force: true });
    symlinkSync(deed.to, file);
  } else if (deed.do === 'fill') {
    const block = Buffer.alloc(FILL_BYTES, deed.byte);
    for (let left = deed.bytes; left > 0; left -= block.length) appendFileSync(file, block.subarray(0, left));
  } else {
    writeFileSync(`${file}.part~`, deed.text);
    renameSync(`${file}.part~`, file);
  }
}

async function burst(folder: string, files: number, text: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (let i = 0; i < files; i++) {
    writeFileSync(join(folder, `burst-${String(i).padStart(6, '0')}.csv`), text.replaceAll('#', String(i)));
    if (i % BURST_FILES === 0) await turn();
  }
}
