// Files that the page makes and the browser saves. What is long goes to the browser's own disk piece by piece, never into
// memory as a whole, and from there into the folder of downloads.
import { useRef, useState } from 'react';
import { agent } from '../bridge.ts';
import { ask } from './ask.ts';

/** Pieces of former saves that nobody needs any more are dropped after this, milliseconds. */
const LEFTOVER_MS = 3_600_000;
const PREFIX = 'export-';

/** How a save stands. `points` counts what is written so far. */
export type SaveState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'saving'; readonly points: number }
  | { readonly kind: 'done'; readonly points: number; readonly damagedPoints: number; readonly fileName: string }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly thrown: unknown };

export interface CsvExport {
  readonly state: SaveState;
  start(): void;
  cancel(): void;
}

/** Export every stored point of a stream as CSV, with progress, until it is done or cancelled. */
export function useCsvExport(streamId: number): CsvExport {
  const [state, setState] = useState<SaveState>({ kind: 'idle' });
  const stop = useRef<AbortController | null>(null);
  const run = async (signal: AbortSignal) => {
    const sums = { points: 0, damagedPoints: 0, fileName: 'stream.csv' };
    const pages = async function* () {
      for (let cursor = null as Cursor | null, isFirst = true; isFirst || cursor !== null; isFirst = false) {
        const page = await ask(agent.stream.exportPage({ streamId, cursor }));
        sums.points += page.points;
        sums.damagedPoints += page.damagedPoints;
        sums.fileName = page.fileName;
        cursor = page.next;
        setState({ kind: 'saving', points: sums.points });
        yield page.text;
      }
    };
    const file = await collect(pages(), signal);
    handOver(file, sums.fileName);
    setState({ kind: 'done', ...sums });
  };
  const start = () => {
    const controller = new AbortController();
    stop.current = controller;
    setState({ kind: 'saving', points: 0 });
    run(controller.signal).catch((thrown: unknown) =>
      setState(controller.signal.aborted ? { kind: 'cancelled' } : { kind: 'failed', thrown }),
    );
  };
  return { state, start, cancel: () => stop.current?.abort() };
}

type Cursor = { after: number; skip: number };

/** Hand a short text to the browser to save. */
export function saveText(fileName: string, text: string, mediaType: string): void {
  handOver(new Blob([text], { type: mediaType }), fileName);
}

async function collect(pieces: AsyncIterable<string>, signal: AbortSignal): Promise<Blob> {
  const folder = await navigator.storage?.getDirectory?.().catch(() => null);
  if (!folder) {
    // A browser that keeps nothing: what is long stays in its memory then.
    const parts: string[] = [];
    for await (const piece of pieces) {
      signal.throwIfAborted();
      parts.push(piece);
    }
    return new Blob(parts, { type: 'text/csv' });
  }
  await dropLeftovers(folder);
  const name = `${PREFIX}${crypto.randomUUID()}`;
  const handle = await folder.getFileHandle(name, { create: true });
  const writing = await handle.createWritable();
  try {
    for await (const piece of pieces) {
      signal.throwIfAborted();
      await writing.write(piece);
    }
    await writing.close();
    return await handle.getFile();
  } catch (thrown) {
    await writing.abort().catch(() => undefined);
    await folder.removeEntry(name).catch(() => undefined);
    throw thrown;
  }
}

async function dropLeftovers(folder: FileSystemDirectoryHandle): Promise<void> {
  for await (const [name, handle] of folder.entries()) {
    if (!name.startsWith(PREFIX) || handle.kind !== 'file') continue;
    const { lastModified } = await (handle as FileSystemFileHandle).getFile();
    // One that another window writes is locked, and stays.
    if (Date.now() - lastModified > LEFTOVER_MS) await folder.removeEntry(name).catch(() => undefined);
  }
}

function handOver(file: Blob, fileName: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), LEFTOVER_MS);
}
