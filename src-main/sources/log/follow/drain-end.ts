// What a drain says when it has come to the end.
import { AgentError } from '../../../model/agent-error.ts';
import { isGzip } from '../files/packed.ts';
import { formerPaths } from '../files/rotated-names.ts';
import { birthPath, isMuchRefused, isUnopened, type WatchedFile } from '../files/watched-file.ts';
import type { LogNotes } from '../notes/log-notes.ts';
import { isNoLog } from '../recognise/header-line.ts';

/** Questions told in full, and files named. */
const MESSAGES_MAX = 10;

/**
 * End a drain.
 *
 * @param files - what is there.
 * @param ended - those in which no whole line is left.
 * @throws what holds a file back, when data waits for a person; what is wrong with all files, when none could be read;
 *   `log.not-read-whole` (later) where lines were left in a file. Files that are just no logs do not fail it, but for a rotated
 *   one of a log that is there.
 */
export function endDrain(files: readonly WatchedFile[], ended: ReadonlySet<WatchedFile>, notes: LogNotes): void {
  const logs = new Set(files.filter(({ layout }) => layout !== null).map(birthPath));
  const isOfLog = (path: string) => isGzip(path) && formerPaths(path).some((log) => logs.has(log));
  const held = files.filter(({ problem, path }) => problem !== null && (!isNoLog(problem.code) || isOfLog(path)));
  const first = held[0]?.problem;
  if (first) {
    // What of the others could be read was handed over before.
    const messages = [...new Set(held.map(({ problem }) => problem?.message ?? ''))];
    const more = messages.length - MESSAGES_MAX;
    const message = [...messages.slice(0, MESSAGES_MAX), ...(more > 0 ? [`${more} more files wait.`] : [])].join(' ');
    throw new AgentError({ ...first, message, retry: 'after-human', context: { files: held.map(({ path }) => path) } });
  }
  const refused = files.filter(isMuchRefused);
  const [most] = refused;
  if (most !== undefined) {
    throw new AgentError({
      code: 'log.lines-refused',
      message: `${most.linesRefused} of ${most.linesRead} lines of ${most.path} do not fit and were refused.`,
      hint: 'All others are recorded. The refused lines stand in the receipt: the file is probably not written as its dialect says.',
      retry: 'after-human',
      context: { files: refused.map(({ path }) => path) },
    });
  }
  const readable = files.filter(({ layout, problem }) => layout !== null || problem === null);
  const unreadable = files.filter((file) => file.problem !== null);
  const problem = unreadable[0]?.problem;
  if (readable.length === 0 && problem) {
    const context = { files: unreadable.map(({ path }) => path) };
    throw new AgentError({ ...problem, retry: 'after-human', context });
  }
  const left: string[] = [];
  for (const file of files) {
    const { layout, problem, copyOf, isLeftOut, path, byte, stopAt, skip } = file;
    if (problem !== null || copyOf !== null || isLeftOut) continue;
    const bytes = file.seen?.sizeBytes ?? 0;
    const isPending = layout !== null && Math.min(bytes, stopAt) > byte;
    if (isUnopened(file) || (isPending && !ended.has(file))) left.push(path);
    else if (isPending) notes.add('log.line-pending', path);
    else if (layout === null && skip === null && bytes > 0) notes.add('log.nothing-read', path);
  }
  notes.publish();
  if (left.length > 0) throw notRead(left);
}

function notRead(paths: readonly string[]): AgentError {
  const more = paths.length - MESSAGES_MAX;
  const named = paths.slice(0, MESSAGES_MAX).join(', ') + (more > 0 ? ` and ${more} more` : '');
  return new AgentError({
    code: 'log.not-read-whole',
    message: `Not read to the end: ${named}.`,
    hint: 'Another program holds it, or a file that comes before it. Run the same command again later: it goes on where it stopped.',
    retry: 'later',
    context: { files: paths },
  });
}
