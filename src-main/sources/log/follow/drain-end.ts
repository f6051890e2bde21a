// What a drain says when it has come to the end.
import { AgentError } from '../../../model/agent-error.ts';
import { isMuchRefused, type WatchedFile } from '../files/watched-file.ts';
import type { LogNotes } from '../notes/log-notes.ts';
import { isNoLog } from '../recognise/header-line.ts';

/** Questions told in full. */
const MESSAGES_MAX = 10;

/**
 * End a drain.
 *
 * @throws what holds a file back, when data waits for a person; what is wrong with all files, when none could be read. Files
 *   that are just no logs do not fail it.
 */
export function endDrain(files: readonly WatchedFile[], notes: LogNotes): void {
  const held = files.filter(({ problem }) => problem !== null && !isNoLog(problem.code));
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
  const problem = files.find((file) => file.problem !== null)?.problem;
  if (readable.length === 0 && problem) throw new AgentError({ ...problem, retry: 'after-human' });
  for (const file of files) {
    const isPending = file.layout !== null && file.copyOf === null && (file.seen?.sizeBytes ?? 0) > file.byte;
    if (isPending) notes.add('log.line-pending', file.path);
    const isUnread = file.layout === null && file.problem === null && file.copyOf === null && !file.isLeftOut;
    if (isUnread && file.skip === null && (file.seen?.sizeBytes ?? 0) > 0) notes.add('log.nothing-read', file.path);
  }
  notes.publish();
}
