// The other end of log-writer-process.ts: tells the writer what to do and waits until it is done.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';

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

export class LogWriter {
  readonly folder: string;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #answers: AsyncIterator<string>;

  /** Start a writer for one folder; it ends with the test. */
  constructor(folder: string) {
    this.folder = folder;
    this.#child = spawn(process.execPath, [join(import.meta.dirname, '../processes/log-writer-process.ts')], {
      stdio: 'pipe',
    });
    this.#answers = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
    onTestFinished(() => {
      this.#child.kill('SIGKILL');
    });
  }

  /** Do something to the files and wait until it is done. Names are below the folder; a link's target is taken as it is. */
  does(deed: Deed): Promise<void> {
    return this.doesIn('', deed);
  }

  /** The same in a folder below. */
  async doesIn(below: string, deed: Deed): Promise<void> {
    const own = (name: string) => join(this.folder, below, name);
    const placed = { ...deed } as Record<string, unknown>;
    if ('file' in deed) placed.file = own(deed.file);
    if ('folder' in deed) placed.folder = own(deed.folder);
    if ('to' in deed && deed.do !== 'link') placed.to = own(deed.to);
    this.#child.stdin.write(`${JSON.stringify(placed)}\n`);
    const answer = await this.#answers.next();
    const { error } = JSON.parse(answer.value ?? '{"error":"the writer has ended"}') as { error?: string };
    if (error !== undefined) throw new Error(`${JSON.stringify(deed)}: ${error}`);
  }

  append(file: string, text: string): Promise<void> {
    return this.does({ do: 'append', file, text });
  }
}
