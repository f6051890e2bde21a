// What it means that the system refuses a file or a folder, as one table: all that follow files, keep the queue or check
// settings ask it, so that a lost share is the same to all of them.
import { constants } from 'node:os';

/**
 * - `gone`: no file is there under this path.
 * - `closed`: this user may not do that.
 * - `held`: another program holds it; that passes in moments.
 * - `unreachable`: the disk or the share does not answer; it may come back.
 * - `full`: there is no room.
 * - `too-many-open`: this program or this PC has no handle left; the file has nothing to do with it.
 */
export type FileFault = 'gone' | 'closed' | 'held' | 'unreachable' | 'full' | 'too-many-open';

const CODES: Readonly<Record<FileFault, readonly string[]>> = {
  gone: ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'],
  closed: ['EACCES', 'EPERM', 'EROFS'],
  held: ['EBUSY', 'ETXTBSY'],
  unreachable: [
    ...[
      'EIO',
      'ENXIO',
      'ENODEV',
      'ENOMEDIUM',
      'EREMOTEIO',
      'ESTALE',
      'ENOTCONN',
      'EHOSTDOWN',
      'EHOSTUNREACH',
      'ENETDOWN',
    ],
    // What libuv calls a Windows error that it has no name for: those of a share that is lost are among them.
    ...['ENETUNREACH', 'ETIMEDOUT', 'ECONNRESET', 'ECONNABORTED', 'UNKNOWN'],
  ],
  full: ['ENOSPC', 'EDQUOT'],
  'too-many-open': ['EMFILE', 'ENFILE'],
};

const FAULTS: ReadonlyMap<string, FileFault> = new Map(
  (Object.keys(CODES) as FileFault[]).flatMap((fault) => CODES[fault].map((code) => [code, fault] as const)),
);

/** Node gives an error that it has no name for as its number; some of them, such as ESTALE, have one here. */
const NAMES: ReadonlyMap<number, string> = new Map(
  Object.entries(constants.errno).map(([name, number]) => [-number, name]),
);

/** Name the fault of the file system that was thrown; null: it is none of these, and so a bug or told by other means. */
export function fileFaultOf(thrown: unknown): FileFault | null {
  const { code = '', errno = 0 } = (thrown ?? {}) as { code?: string; errno?: number };
  return FAULTS.get(code) ?? FAULTS.get(NAMES.get(errno) ?? '') ?? null;
}
