// `epistream export`: every stored point of a stream as CSV, acknowledged or not, also while an agent runs.
import { resolve } from 'node:path';
import { CSV_HEADER } from '../delivery/receipt/csv.ts';
import { type Cursor, EXPORT_START, ExportAnswer, ReceiptAnswer } from '../delivery/receipt/questions.ts';
import { showControls } from '../delivery/receipt/receipt-words.ts';
import { defaultDataFolder } from '../platform/data-folder.ts';
import { writeNewFile } from '../platform/new-file.ts';
import { type AskQueue, withQueue } from './shared/ask-queue.ts';
import { EXIT } from './shared/exit.ts';
import { type Option, readOptions, requireOption } from './shared/options.ts';

const OPTIONS = {
  data: { value: 'D', help: 'data folder of the agent (default: the one of this user)' },
  stream: { value: 'S', help: 'number, name, nonce or entry of the stream' },
  out: { value: 'F.csv', help: 'file to make; one that exists is not touched' },
} as const satisfies Record<string, Option>;

/**
 * Export a stream.
 *
 * @returns exit code 0; 1 when points are missing in the file because the disk altered them.
 * @throws `status.no-data`, `receipt.unknown-stream`, `file.exists`; those of agent, store and file system. No file is left
 *   behind then.
 */
export async function run(args: readonly string[]): Promise<number> {
  const read = readOptions(
    'export',
    'Write every stored point of a stream as CSV, also while an agent runs.',
    OPTIONS,
    args,
  );
  if (!read) return EXIT.done;
  const folder = resolve(read.values.data ?? defaultDataFolder());
  const stream = requireOption('export', 'stream', read.values.stream);
  const file = resolve(requireOption('export', 'out', read.values.out));
  return withQueue(folder, async (ask) => {
    const before = ReceiptAnswer.parse(await ask({ ask: 'receipt', stream }));
    const { id, name } = before.stream;
    const sums = { points: 0, damaged: 0 };
    await writeNewFile(file, pagesOf(ask, id, sums));
    console.log(`${showControls(name)}: ${sums.points.toLocaleString('en-US')} points written to ${file}`);
    const gone = before.counts.pointsStored - sums.points - sums.damaged;
    if (gone > 0) {
      console.log(
        `${gone.toLocaleString('en-US')} points were acknowledged long ago and are kept on the service only.`,
      );
    }
    if (sums.damaged === 0) return EXIT.done;
    console.error(
      `epistream: ${sums.damaged.toLocaleString('en-US')} points no longer match their checksum and are not in the file.\n` +
        '  hint: The disk altered them. Check it, and copy the data folder away.',
    );
    return EXIT.fault;
  });
}

async function* pagesOf(
  ask: AskQueue,
  streamId: number,
  sums: { points: number; damaged: number },
): AsyncGenerator<string> {
  yield CSV_HEADER;
  for (let cursor: Cursor | null = EXPORT_START; cursor !== null; ) {
    const page = ExportAnswer.parse(await ask({ ask: 'export', streamId, cursor }));
    sums.points += page.points;
    sums.damaged += page.damagedPoints;
    cursor = page.next;
    yield page.text;
  }
}
