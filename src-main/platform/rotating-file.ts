// A text file that never grows beyond a bound: when it is full it becomes .1, .1 becomes .2, and the oldest goes.
//
// Writing never waits and never throws: lines are taken into memory and written behind the caller's back, one write under
// way at a time. Bounds: FILES files of FILE_BYTES each on disk (a line longer than that is cut), twice that while somebody
// holds a file open on Windows, HELD_BYTES_MAX in memory; what comes beyond while the disk does not take it is dropped and
// counted, and the count is written when it does.
import { appendFileSync } from 'node:fs';
import { chmod, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isHeld } from './rename-when-free.ts';

export interface RotatingFileOptions {
  readonly path: string;
  /** Bytes of one file; 2 MB unless said otherwise. */
  readonly fileBytes?: number;
  /** Files kept, the present one included; 5 unless said otherwise. */
  readonly files?: number;
}

const HELD_BYTES_MAX = 1024 * 1024;

export class RotatingFile {
  readonly #options: Required<RotatingFileOptions>;
  #held: string[] = [];
  #underWay: readonly string[] = [];
  #heldBytes = 0;
  #dropped = 0;
  #size: number | null = null;
  #writing: Promise<void> | null = null;

  constructor({ path, fileBytes = 2 * 1024 * 1024, files = 5 }: RotatingFileOptions) {
    this.#options = { path, fileBytes, files };
  }

  /** Take a line (with its line end). Cheap; never waits, never throws. */
  write(line: string): void {
    const bytes = Buffer.byteLength(line);
    if (this.#heldBytes + bytes > HELD_BYTES_MAX) {
      this.#dropped += 1;
    } else {
      this.#held.push(line);
      this.#heldBytes += bytes;
    }
    this.#writing ??= this.#drain();
  }

  /** Wait until everything taken so far has been offered to the disk. */
  async flush(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  /** Write what is held at once, for a process that is about to end. A line that is just being written may stand twice. */
  flushNow(): void {
    try {
      const lines = [...this.#underWay, ...this.#held.splice(0)];
      if (lines.length > 0) appendFileSync(this.#options.path, lines.join(''), { mode: 0o600 });
    } catch {
      // The process ends and the disk refuses: there is nobody left to tell.
    }
  }

  async #drain(): Promise<void> {
    // One turn later, so that lines written together go out together.
    await Promise.resolve();
    while (this.#held.length > 0) {
      const lines = this.#held.splice(0);
      this.#heldBytes = 0;
      this.#underWay = lines;
      await this.#append(lines);
      this.#underWay = [];
    }
    this.#writing = null;
  }

  async #append(lines: readonly string[]): Promise<void> {
    try {
      this.#size ??= await this.#sizeNow();
      if (this.#dropped > 0) {
        const note = `${JSON.stringify({ level: 'warning', msg: `${this.#dropped} log lines were dropped` })}\n`;
        await this.#appendText(note);
        this.#dropped = 0;
      }
      for (const text of this.#parts(lines)) await this.#appendText(text);
    } catch {
      // The log has nobody to tell; it says how many lines are missing once the disk takes them again.
      this.#dropped += lines.length;
      this.#size = null;
    }
  }

  /** Lines joined into texts that fit into one file. */
  *#parts(lines: readonly string[]): Generator<string> {
    const { fileBytes } = this.#options;
    let text = '';
    // Counted along: to count a long text again for each of its lines takes seconds.
    let textBytes = 0;
    for (const line of lines) {
      const whole = Buffer.byteLength(line) <= fileBytes ? line : `${line.slice(0, fileBytes / 4)}…\n`;
      const bytes = Buffer.byteLength(whole);
      if (text !== '' && textBytes + bytes > fileBytes) {
        yield text;
        text = '';
        textBytes = 0;
      }
      text += whole;
      textBytes += bytes;
    }
    if (text !== '') yield text;
  }

  async #appendText(text: string): Promise<void> {
    const { path, fileBytes } = this.#options;
    const bytes = Buffer.from(text);
    if ((this.#size ?? 0) > 0 && (this.#size ?? 0) + bytes.length > fileBytes) await this.#rotate(bytes.length);
    const handle = await open(path, 'a', 0o600);
    try {
      await handle.appendFile(bytes);
    } finally {
      await handle.close();
    }
    this.#size = (this.#size ?? 0) + bytes.length;
  }

  /** Begin a new file. While somebody holds the present one open, which Windows lets nobody rename, lines go on into it. */
  async #rotate(nextBytes: number): Promise<void> {
    const { path, fileBytes, files } = this.#options;
    try {
      await this.#passOn();
      await rename(path, `${path}.0`).catch(ifMissing);
      this.#size = 0;
      await this.#passOn();
    } catch (error) {
      if (!isHeld(error) || (this.#size ?? 0) + nextBytes > fileBytes * files) throw error;
    }
  }

  /** Give `.0`, which was the present file, its place: it becomes .1 and the others move on, as far as no number is free. */
  async #passOn(): Promise<void> {
    const { path, files } = this.#options;
    const numbered = (number: number) => `${path}.${number}`;
    if (!(await exists(numbered(0)))) return;
    let free = 1;
    while (free < files - 1 && (await exists(numbered(free)))) free += 1;
    await rm(numbered(free), { force: true });
    for (let number = free; number > 0; number--) await rename(numbered(number - 1), numbered(number));
  }

  async #sizeNow(): Promise<number> {
    const { path } = this.#options;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const size = await stat(path).then((found) => found.size, ifMissing);
    if (size !== undefined) await chmod(path, 0o600);
    return size ?? 0;
  }
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(ifMissing)) !== undefined;
}

/** A file that is not there needs no renaming and has no size. */
function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
