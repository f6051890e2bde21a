// What is remembered of a folder as a whole, beside the positions of its files.
import { z } from 'zod';
import { AgentError } from '../../../model/agent-error.ts';
import { formatSecond } from '../../../model/format.ts';
import type { Listing } from '../files/folder-scan.ts';
import { FOLDER_KEY } from '../files/watched-file.ts';
import type { FillOptions, RunOptions } from './run-options.ts';

export const FolderMark = z.object({
  /** When it was first looked at: files without a position are new since then. Unix ms. */
  surveyedMs: z.number(),
  files: z.int(),
  /** When it was last looked at, by and large: ten minutes sooner at most. 0: not known. */
  lookedMs: z.number().default(0),
  /** Which folder it was when it last held files; empty: not known. */
  identity: z.string().default(''),
  /** Since when it cannot be reached, Unix ms; null: it can. */
  lostMs: z.number().nullable().default(null),
  /** Highest number of a file whose position was dropped; later files of any path are numbered on from it. */
  floor: z.int().default(0),
  /** Everything from this instant on was read of what was skipped, Unix ms; null: nothing was asked for. */
  filledFromMs: z.number().nullable().default(null),
  /** What was skipped at the first look without anybody having said so; null: that is settled. */
  question: z
    .object({ files: z.int(), bytes: z.number(), fromMs: z.number(), toMs: z.number() })
    .nullable()
    .default(null),
});
export type FolderMark = z.infer<typeof FolderMark>;

/** The earliest instant there is: JSON knows no infinity. */
const EVER_MS = -8.64e15;

/**
 * What is still to be read of what was skipped.
 *
 * @param options - the settings.
 * @returns the pass to be made; null when there is none, or it was made already.
 */
export function fillOf(mark: FolderMark | null, { backfill }: RunOptions): FillOptions | null {
  if (mark === null || backfill === 'ask' || backfill === 'from-now') return null;
  const sinceMs = backfill === 'all' ? Number.NEGATIVE_INFINITY : backfill.fromMs;
  const isFilled = mark.filledFromMs !== null && mark.filledFromMs <= Math.max(EVER_MS, sinceMs);
  return isFilled ? null : { sinceMs, left: new Map(), held: new Set() };
}

/** The mark once a pass has read all it was to read. */
export function markFilled(mark: FolderMark, { sinceMs }: FillOptions): FolderMark {
  const filledFromMs = Math.min(mark.filledFromMs ?? Number.POSITIVE_INFINITY, Math.max(EVER_MS, sinceMs));
  return { ...mark, filledFromMs, question: null };
}

/** Read the mark among the positions of a source; null before the first look. */
export function readMark(positions: ReadonlyMap<string, string>): FolderMark | null {
  const text = positions.get(FOLDER_KEY);
  return text === undefined ? null : FolderMark.parse(JSON.parse(text));
}

/**
 * Tell a share that is not mounted from a folder without files: the place where it was is an empty folder then.
 *
 * @throws `log.folder-missing` when the folder is empty, held files before, and is another one than then.
 */
export function checkMounted(root: string, { files, identity }: Listing, mark: FolderMark | null, known: number): void {
  const isOther = mark !== null && mark.identity !== '' && mark.identity !== identity;
  if (files.size > 0 || known === 0 || !isOther) return;
  throw new AgentError({
    code: 'log.folder-missing',
    message: `The folder ${root} is empty, and is not the one that held ${known} files: its drive or share is not mounted.`,
    hint: 'Mount it again: reading goes on where it stopped. If the files were removed on purpose, it goes on with the first new one.',
    retry: 'later',
  });
}

/** Say since when a folder cannot be reached. */
export function sayLost(root: string, sinceMs: number, cause: AgentError): AgentError {
  return new AgentError({
    code: cause.code,
    message: `Share not reachable since ${formatSecond(sinceMs)}: ${root}. ${cause.message}`,
    hint: cause.hint,
    retry: 'later',
    cause,
  });
}

/** Say that a folder is back. */
export function sayBack(root: string, lostMs: number, nowMs: number): string {
  return `Reachable again: ${root}. It was not from ${formatSecond(lostMs)} to ${formatSecond(nowMs)}; reading went on where it had stopped.`;
}
