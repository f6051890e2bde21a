// `epistream receipt [STREAM]`: what became of the streams of a data folder, also while an agent runs.
import { resolve } from 'node:path';
import { OrphansAnswer } from '../agent/handlers/orphans.ts';
import { ReceiptAnswer, StreamsAnswer } from '../delivery/receipt/questions.ts';
import type { Receipt } from '../delivery/receipt/receipt.ts';
import { receiptText, showControls } from '../delivery/receipt/receipt-words.ts';
import type { StreamTally } from '../model/queue.ts';
import { defaultDataFolder } from '../platform/data-folder.ts';
import { receiptLine } from './drain.ts';
import { type AskQueue, withQueue } from './shared/ask-queue.ts';
import { askRunning } from './shared/ask-running.ts';
import { EXIT } from './shared/exit.ts';
import { type Option, readOptions } from './shared/options.ts';

const OPTIONS = {
  data: { value: 'D', help: 'data folder of the agent (default: the one of this user)' },
  json: { value: null, help: 'print everything as JSON' },
  orphans: { value: null, help: 'list entries of the service that belong to no stream here; an agent must run' },
} as const satisfies Record<string, Option>;

/**
 * Print the receipt of a stream, or a line for each stream.
 *
 * @returns exit code 0; 1 when the service gave back something else than was delivered, or the queue's sums do not agree.
 * @throws `status.no-data`, `receipt.unknown-stream`; those of agent and store.
 */
export async function run(args: readonly string[]): Promise<number> {
  const read = readOptions('receipt', 'Say what became of each stream, also while an agent runs.', OPTIONS, args, [
    'STREAM',
  ]);
  if (!read) return EXIT.done;
  const { data, json: isJson, orphans } = read.values;
  const folder = resolve(data ?? defaultDataFolder());
  if (orphans) return printOrphans(folder, isJson);
  const [stream] = read.words;
  return withQueue(folder, async (ask) => {
    if (stream === undefined) {
      await printAll(ask, isJson);
      return EXIT.done;
    }
    const receipt = ReceiptAnswer.parse(await ask({ ask: 'receipt', stream }));
    console.log(isJson ? JSON.stringify(receipt, null, 2) : receiptText(receipt));
    return isSound(receipt) ? EXIT.done : EXIT.fault;
  });
}

function isSound({ confirmation, disagreements }: Receipt): boolean {
  return confirmation?.outcome !== 'differs' && disagreements.length === 0;
}

async function printAll(ask: AskQueue, isJson: boolean): Promise<void> {
  const all: StreamTally[] = [];
  for (let before: number | null = null; ; ) {
    const { streams } = StreamsAnswer.parse(await ask({ ask: 'streams', before }));
    if (streams.length === 0) break;
    before = Math.min(...streams.map(({ id }) => id));
    if (isJson) all.push(...streams);
    else for (const stream of streams) console.log(`${stream.id}  ${showControls(receiptLine(stream))}`);
  }
  if (isJson) console.log(JSON.stringify(all, null, 2));
}

/**
 * Entries that bear the name of this tool and that no stream here fills.
 *
 * @throws `receipt.no-agent`; the agent's.
 */
async function printOrphans(folder: string, isJson: boolean): Promise<number> {
  const found = OrphansAnswer.parse(await askRunning('receipt', folder, { ask: 'orphans' }));
  if (isJson) console.log(JSON.stringify(found, null, 2));
  else {
    for (const { dataId, name, isOpen, cause } of found.orphans) {
      const whose = cause === 'twin' ? 'a second entry of a stream that is here' : 'begun from another data folder';
      console.log(showControls(`${dataId}  ${name}: ${whose}${isOpen ? ', still open' : ''}`));
    }
    console.log(`${found.total} ${found.total === 1 ? 'entry' : 'entries'} without a stream.`);
    if (found.isCut) console.log('The catalogue is longer than was looked through: there may be more.');
  }
  return EXIT.done;
}
