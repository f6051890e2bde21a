// What is asked of a file system to follow files, as a port: the real one here, a simulated one in the tests. It fails with
// the errors of Node (`code`: ENOENT, EACCES, ...).
import { type FileHandle, open, readdir, realpath, stat } from 'node:fs/promises';

/** One object of the file system as it was at one moment. */
export interface FileFacts {
  /**
   * Which object it is, whatever it is called: device and number. Empty where the file system numbers nothing. A number
   * can be given again as soon as its object is gone and no handle holds it.
   */
  readonly id: string;
  readonly kind: EntryKind;
  readonly sizeBytes: number;
  /** When it was last changed, Unix ms with fractions. */
  readonly modifiedMs: number;
}

export type EntryKind = 'file' | 'folder' | 'link' | 'other';

/** A file held open: it stays the same object, whatever happens to its name. */
export interface OpenFile {
  facts(): Promise<FileFacts>;
  read(into: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
  close(): Promise<void>;
}

export interface Files {
  /** The operating system can tell of changes below a path. */
  readonly isWatchable: boolean;
  open(path: string): Promise<OpenFile>;
  /** Of what a path leads to; links are followed. */
  facts(path: string): Promise<FileFacts>;
  list(folder: string): Promise<readonly { readonly name: string; readonly kind: EntryKind }[]>;
  realPath(path: string): Promise<string>;
}

interface Kinds {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

function kindOf(entry: Kinds): EntryKind {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? 'link' : 'other';
}

function factsOf(info: Kinds & { dev: bigint; ino: bigint; size: bigint; mtimeNs: bigint }): FileFacts {
  const { dev, ino, size, mtimeNs } = info;
  const modifiedMs = Number(mtimeNs / 1_000_000_000n) * 1000 + Number(mtimeNs % 1_000_000_000n) / 1e6;
  return { id: ino === 0n ? '' : `${dev}:${ino}`, kind: kindOf(info), sizeBytes: Number(size), modifiedMs };
}

function opened(handle: FileHandle): OpenFile {
  return {
    facts: async () => factsOf(await handle.stat({ bigint: true })),
    read: (into, offset, length, position) => handle.read(into, offset, length, position),
    close: () => handle.close(),
  };
}

/** The same files where their numbers mean nothing: some shares give a file another one each time. Folders keep theirs. */
export function withoutNumbers(files: Files): Files {
  const strip = (facts: FileFacts): FileFacts => (facts.kind === 'file' ? { ...facts, id: '' } : facts);
  return {
    isWatchable: files.isWatchable,
    open: async (path) => {
      const handle = await files.open(path);
      return {
        facts: async () => strip(await handle.facts()),
        read: (...range) => handle.read(...range),
        close: () => handle.close(),
      };
    },
    facts: async (path) => strip(await files.facts(path)),
    list: (folder) => files.list(folder),
    realPath: (path) => files.realPath(path),
  };
}

/** The file system of this PC. */
export const diskFiles: Files = {
  isWatchable: true,
  open: async (path) => opened(await open(path, 'r')),
  facts: async (path) => factsOf(await stat(path, { bigint: true })),
  list: async (folder) => {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.map((entry) => ({ name: entry.name, kind: kindOf(entry) }));
  },
  realPath: (path) => realpath(path),
};
