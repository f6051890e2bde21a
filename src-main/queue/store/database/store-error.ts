// How faults of SQLite and of the file system are told. A full, busy, held or missing file is never called damaged: only
// what SQLite found in the file's own bytes is.
import { AgentError } from '../../../model/agent-error.ts';
import { type FileFault, fileFaultOf } from '../../../platform/file-fault.ts';

/** The first row that fits the code of what was thrown: SQLite's, by its beginning, or a fault of the file system. */
const FAULTS: readonly {
  readonly names: readonly string[];
  readonly files: readonly FileFault[];
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly retry: 'later' | 'after-human';
}[] = [
  {
    names: ['SQLITE_FULL'],
    files: ['full'],
    code: 'store.disk-full',
    message: 'The disk is full: the queue cannot take more.',
    hint: 'Free space on this disk. What was stored is safe; storing goes on as soon as there is room.',
    retry: 'later',
  },
  {
    names: ['SQLITE_BUSY', 'SQLITE_LOCKED'],
    files: [],
    code: 'store.in-use',
    message: 'The queue is open in another program.',
    hint: 'Close the other Epistream that uses this data folder, or choose another folder.',
    retry: 'later',
  },
  {
    // The library itself refuses a folder that does not exist, with a TypeError that has no code.
    names: ['SQLITE_CANTOPEN', 'SQLITE_READONLY', 'SQLITE_PERM', 'TypeError'],
    files: ['gone', 'closed', 'held', 'too-many-open'],
    code: 'store.cannot-open',
    message: 'The queue cannot be opened or written.',
    hint: 'Check that the folder exists, that this user may write there, and that no other program holds the file.',
    retry: 'later',
  },
  {
    // A short read is no disk that fails: the file ends before a page that it names.
    names: ['SQLITE_CORRUPT', 'SQLITE_NOTADB', 'SQLITE_IOERR_SHORT_READ'],
    files: [],
    code: 'store.damaged',
    message: 'The queue is damaged.',
    hint: 'Start Epistream again: the damaged file is then set aside whole and what can be read of it is kept.',
    retry: 'after-human',
  },
  {
    names: ['SQLITE_IOERR'],
    files: ['unreachable'],
    code: 'store.disk-fault',
    message: 'The disk refuses to store data.',
    hint: 'Check the disk and its cable; what was stored before is kept.',
    retry: 'later',
  },
];

/**
 * Turn a fault of SQLite or of the file system into an AgentError.
 *
 * @param thrown - whatever was thrown.
 * @param path - the file concerned.
 * @returns `store.disk-full`, `store.in-use`, `store.cannot-open`, `store.disk-fault` (all of which may pass), `store.damaged`
 *   (which does not), else `store.fault`.
 */
export function storeError(thrown: unknown, path: string): AgentError {
  if (thrown instanceof AgentError) return thrown;
  const { code, name, message: detail = String(thrown) } = thrown as { code?: string; name?: string; message?: string };
  const what = code ?? name ?? '';
  const ofFile = fileFaultOf(thrown);
  const isFit = ({ names, files }: (typeof FAULTS)[number]) =>
    names.some((prefix) => what.startsWith(prefix)) || (ofFile !== null && files.includes(ofFile));
  const fault = FAULTS.find(isFit);
  return new AgentError({
    code: fault?.code ?? 'store.fault',
    message: `${fault?.message ?? 'The queue failed.'} (${path}: ${what === '' ? detail : `${what}, ${detail}`})`,
    hint: fault?.hint ?? 'Please report this with the journal; what was stored before is kept.',
    retry: fault?.retry ?? 'later',
    context: { path },
    cause: thrown,
  });
}
