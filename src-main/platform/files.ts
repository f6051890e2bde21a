// What is asked of a file system to follow files, as a port: the real one here, a simulated one in the tests. It fails with
// the errors of Node (`code`: ENOENT, EACCES, ...). A call holds its thread until it returns: logs are read on threads of their
// own.
import { closeSync, fstatSync, openSync, readdirSync, readSync, realpathSync, statSync } from 'node:fs';

/** One object of the file system as it was at one moment. */
export interface FileFacts {
  /**
   * Which object it is, whatever it is called: device, number, and when it was made where the file system tells it. Empty
   * where the file system numbers nothing. A number can be given again as soon as its object is gone and no handle holds
   * it; then only the time tells the two apart, as finely as the file system counts it (4 ms on ext4, 2 s on FAT).
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
  facts(): FileFacts;
  read(into: Uint8Array, offset: number, length: number, position: number): { bytesRead: number };
  close(): void;
}

export interface Files {
  /** The operating system can tell of changes below a path. */
  readonly isWatchable: boolean;
  open(path: string): OpenFile;
  /** Of what a path leads to; links are followed. */
  facts(path: string): FileFacts;
  list(folder: string): readonly { readonly name: string; readonly kind: EntryKind }[];
  realPath(path: string): string;
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

/** An old kernel does not tell when files were made: Node gives the time of the last change instead, which moves. */
const TELLS_BIRTH = [process.execPath, '/'].some((path) => {
  const { birthtimeNs, ctimeNs } = statSync(path, { bigint: true });
  return birthtimeNs !== ctimeNs;
});

interface Numbers {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly birthtimeNs: bigint;
}

function factsOf(info: Kinds & Numbers): FileFacts {
  const { dev, ino, size, mtimeNs, birthtimeNs } = info;
  const modifiedMs = Number(mtimeNs / 1_000_000_000n) * 1000 + Number(mtimeNs % 1_000_000_000n) / 1e6;
  const made = TELLS_BIRTH ? `:${birthtimeNs}` : '';
  return { id: ino === 0n ? '' : `${dev}:${ino}${made}`, kind: kindOf(info), sizeBytes: Number(size), modifiedMs };
}

/** The same files where their numbers mean nothing: some shares give a file another one each time. Folders keep theirs. */
export function withoutNumbers(files: Files): Files {
  const strip = (facts: FileFacts): FileFacts => (facts.kind === 'file' ? { ...facts, id: '' } : facts);
  return {
    isWatchable: files.isWatchable,
    open: (path) => {
      const handle = files.open(path);
      return {
        facts: () => strip(handle.facts()),
        read: (...range) => handle.read(...range),
        close: () => handle.close(),
      };
    },
    facts: (path) => strip(files.facts(path)),
    list: (folder) => files.list(folder),
    realPath: (path) => files.realPath(path),
  };
}

/** Where calls on a file system are noted while they last. */
export interface CallNotes {
  began(): void;
  ended(): void;
}

/**
 * The file system of this PC, each call on which is noted.
 *
 * @param isWatchable - whether the operating system tells of changes below the paths that are asked for.
 */
export function notedFiles(isWatchable: boolean, calls: CallNotes): Files {
  const noted =
    <A extends unknown[], T>(call: (...args: A) => T) =>
    (...args: A): T => {
      calls.began();
      try {
        return call(...args);
      } finally {
        calls.ended();
      }
    };
  const open = noted((path: string): OpenFile => {
    const handle = openSync(path, 'r');
    return {
      facts: noted(() => factsOf(fstatSync(handle, { bigint: true }))),
      read: noted((into: Uint8Array, offset: number, length: number, position: number) => ({
        bytesRead: readSync(handle, into, offset, length, position),
      })),
      close: noted(() => closeSync(handle)),
    };
  });
  return {
    isWatchable,
    open,
    facts: noted((path: string) => factsOf(statSync(path, { bigint: true }))),
    list: noted((folder: string) =>
      readdirSync(folder, { withFileTypes: true }).map((entry) => ({ name: entry.name, kind: kindOf(entry) })),
    ),
    realPath: noted((path: string) => realpathSync.native(path)),
  };
}

/** The file system of this PC. */
export const diskFiles = notedFiles(true, { began: () => undefined, ended: () => undefined });
