// The agent's way of storing, as small as a process can hold it: the real recorder on the real queue in one thread. It
// stores rows of the truth and acknowledges chunks, and says which rows are stored only once the commit has returned.
import { AgentError } from '../../src-main/model/agent-error.ts';
import { Recorder } from '../../src-main/queue/recorder/recorder.ts';
import { openQueue, type Queue } from '../../src-main/queue/store/queue.ts';
import { Chance } from '../simulation/random.ts';
import { CHANNELS, nextRow, pointOf, SOURCE, timeOf } from './truth.ts';

export interface WriteOptions {
  readonly seed: number;
  /** Captures to store; Infinity: until killed. */
  readonly captures: number;
  readonly reserveBytes?: number;
  /** Wall time, Unix milliseconds; that of the first row unless said otherwise. Old data has stamps long before it. */
  readonly wallMs?: number;
  /** Told after each capture with the number of rows stored so far. */
  readonly onStored: (rows: number) => void;
  /** Told when the store refuses, and with null when it takes again. */
  readonly onRefused?: (error: AgentError | null) => void;
  /** Wait before a refused commit is offered again, real milliseconds. */
  readonly retryMs?: number;
}

function block(first: number, rows: number) {
  const timesMs = Float64Array.from({ length: rows }, (_, i) => timeOf(first + i));
  const width = CHANNELS.length;
  const values = Float64Array.from({ length: rows * width }, (_, at) =>
    pointOf(at % width, first + Math.floor(at / width)),
  );
  return { channels: CHANNELS, timesMs, values };
}

/** What an uploader does to the queue between two captures. */
function acknowledgeSome(queue: Queue, chance: Chance): void {
  for (const { id } of queue.uploadStreams()) {
    for (let times = chance.between(0, 3); times > 0; times--) {
      const chunk = queue.nextChunk(id);
      if (!chunk) break;
      if (chance.happens(0.1) && chunk.channels.length > 1) queue.split(chunk.id);
      else queue.acknowledge(chunk.id, timeOf(0));
    }
    queue.finish(id, timeOf(0));
  }
}

/**
 * Store rows of the truth, from where the queue stands.
 *
 * @param path - the queue's path.
 * @returns fulfilled after the last capture, with the queue closed.
 * @throws those of opening the queue.
 */
export async function writeRows(path: string, options: WriteOptions): Promise<void> {
  const chance = new Chance(options.seed);
  const queue = openQueue(path, options.reserveBytes === undefined ? {} : { reserveBytes: options.reserveBytes });
  const clock = {
    nowMs: () => options.wallMs ?? timeOf(0),
    monotonicMs: () => 0,
    sleep: () => new Promise<void>((resolve) => setTimeout(resolve, options.retryMs ?? 50)),
  };
  const recorder = await Recorder.open({
    store: { load: async () => queue.load(), commit: async (commit) => queue.commit(commit) },
    clock,
    timeZone: 'UTC',
    toolName: 'Torture',
    synthSourceId: null,
    ruleOf: () => ({ pointsPerChunk: 7, rollover: 'growth', closeAfterQuietMs: null }),
    // A stream is stored before the next one begins, so this is never given twice, and the same run writes the same.
    makeNonce: () => `n${queue.tally(1).streamsTotal}`,
    onCommitted: () => {},
    onStoreState: (error) => options.onRefused?.(error),
  });
  let row = nextRow(queue);
  for (let capture = 0; capture < options.captures; capture++) {
    const rows = chance.between(1, 12);
    await recorder.capture(SOURCE, {
      blocks: [block(row, rows)],
      positions: [{ key: 'row', value: String(row + rows) }],
      rowsRead: rows,
      refusals: [],
      refusedCount: 0,
      origin: 'live',
    });
    row += rows;
    options.onStored(row);
    try {
      if (chance.happens(0.2)) acknowledgeSome(queue, chance);
    } catch (thrown) {
      // A disk that refuses is the recorder's to report; the uploader would try again later.
      if (!(thrown instanceof AgentError)) throw thrown;
    }
    if (chance.happens(0.03)) await recorder.closeStreams();
  }
  queue.close();
}
