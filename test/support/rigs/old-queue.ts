// A queue of the first version of the program, as its fixture has it, and what goes out of it.
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { openQueue } from '../../../src-main/queue/store/queue.ts';
import { tempFolder } from '../temp-folder.ts';

/** When it is opened, Unix milliseconds. */
export const OPENED_MS = Date.UTC(2026, 10, 21);
const FIXTURE = join(import.meta.dirname, '../../fixtures/queue/queue-v1.db');

/** A copy of it in a folder of its own. */
export function queueFile(): { folder: string; path: string } {
  const folder = tempFolder();
  const path = join(folder, 'queue.db');
  copyFileSync(FIXTURE, path);
  return { folder, path };
}

/** Waiting points of a stream, by index and channel, as they would go out. */
export function waiting(path: string): string[] {
  const queue = openQueue(path, { reserveBytes: 0 });
  const out: string[] = [];
  for (const { id } of queue.uploadStreams()) {
    for (let chunk = queue.nextChunk(id); chunk; chunk = queue.nextChunk(id)) {
      out.push(`${id} ${chunk.index} ${chunk.channels.map((c) => `${c.name}:${[...c.values]}`)}`);
      queue.acknowledge(chunk.id, OPENED_MS);
    }
  }
  queue.close();
  return out;
}
