// `epistream status`: how things stand. A running agent is asked over loopback; without one the queue is opened and read.

import { resolve } from 'node:path';
import { Snapshot } from '../contract/snapshot.ts';
import { instant, showControls } from '../delivery/receipt/receipt-words.ts';
import { formatBytes } from '../model/format.ts';
import type { GapRow, StreamTally } from '../model/queue.ts';
import { askAgent } from '../platform/control.ts';
import { defaultDataFolder } from '../platform/data-folder.ts';
import { receiptLine } from './drain.ts';
import { EXIT } from './shared/exit.ts';
import { openQueueOf } from './shared/open-queue.ts';
import { type Option, readOptions } from './shared/options.ts';

const OPTIONS = {
  data: { value: 'D', help: 'data folder of the agent (default: the one of this user)' },
  json: { value: null, help: 'print everything as JSON' },
} as const satisfies Record<string, Option>;

/** Streams that are listed. */
const STREAMS_LISTED = 20;
/** Gaps that are listed as text. */
const GAPS_LISTED = 5;

/**
 * Print how things stand.
 *
 * @returns exit code 0.
 * @throws `status.no-data` when the folder holds no queue; those of the store.
 */
export async function run(args: readonly string[]): Promise<number> {
  const read = readOptions('status', 'Say how things stand, also while an agent runs.', OPTIONS, args);
  if (!read) return EXIT.done;
  const folder = resolve(read.values.data ?? defaultDataFolder());
  const answer = await askAgent(folder, { ask: 'status' });
  if (answer === undefined) await printQueue(folder, read.values.json);
  else printSnapshot(Snapshot.parse(answer), read.values.json);
  return EXIT.done;
}

function printSnapshot(snapshot: Snapshot, isJson: boolean): void {
  if (isJson) {
    console.log(JSON.stringify({ isRunning: true, ...snapshot }, null, 2));
    return;
  }
  const { sentence, troubles, remarks, sources, streams, service, store, gaps, gapsTotal } = snapshot;
  console.log(showControls(sentence.text));
  if (sentence.hint !== '') console.log(showControls(`  ${sentence.hint}`));
  for (const { text, detail, hint } of [...troubles, ...remarks].slice(1)) {
    console.log(showControls(detail === '' ? text : `${text} ${detail}`));
    if (hint !== '') console.log(showControls(`  ${hint}`));
  }
  for (const source of sources) {
    const { id, state, health, rowsRead, pointsRead, cellsRefused, message } = source;
    const counts = `${rowsRead} rows, ${pointsRead} points, ${cellsRefused} cells not numbers`;
    console.log(
      showControls(
        `source ${id}: ${state === 'running' ? health : state}; ${counts}${message === '' ? '' : `; ${message}`}`,
      ),
    );
  }
  for (const { name, upload, pointsStored, pointsAcknowledged, pointsRefused } of streams.slice(0, STREAMS_LISTED)) {
    console.log(
      showControls(
        `stream ${name}: ${upload}; ${pointsStored} stored, ${pointsAcknowledged} acknowledged, ${pointsRefused} refused`,
      ),
    );
  }
  if (service) console.log(showControls(`service ${service.address}: ${service.state}; ${service.message}`));
  if (store) console.log(roomLine(store.freeBytes, store.fillText));
  printGaps(gaps, gapsTotal);
}

function roomLine(freeBytes: number | null, fillText: string): string {
  return `disk: ${freeBytes === null ? 'free space unknown' : `${formatBytes(freeBytes)} free`}. ${fillText}`;
}

/** How many gaps there are, and the newest ones. */
function printGaps(gaps: readonly GapRow[], total: number): void {
  if (total > 0) console.log(`${total} ${total === 1 ? 'gap' : 'gaps'}, noted last first:`);
  for (const { sourceId, fromMs, toMs, cause } of gaps.slice(0, GAPS_LISTED)) {
    console.log(showControls(`  ${sourceId}: nothing from ${instant(fromMs)} to ${instant(toMs)}: ${cause}`));
  }
  if (total > GAPS_LISTED) console.log('  (more with --json and in the receipts)');
}

async function printQueue(folder: string, isJson: boolean): Promise<void> {
  const store = await openQueueOf(folder);
  try {
    const tally = await store.tally(STREAMS_LISTED);
    const { freeBytes, bytesPerHour, hoursToFull } = await store.room();
    const room = { freeBytes, bytesPerHour, hoursToFull };
    if (isJson) {
      console.log(JSON.stringify({ isRunning: false, ...tally, room }, null, 2));
      return;
    }
    printTally(tally.streams, tally.waitingPoints);
    console.log(roomLine(freeBytes, 'Nothing is being recorded.'));
    printGaps(tally.gaps, tally.gapsTotal);
  } finally {
    await store.close();
  }
}

function printTally(streams: readonly StreamTally[], waitingPoints: number): void {
  console.log(
    `Stopped. ${waitingPoints === 0 ? 'All delivered.' : `${waitingPoints} points not sent: they stay here.`}`,
  );
  for (const stream of streams) console.log(showControls(receiptLine(stream)));
}
