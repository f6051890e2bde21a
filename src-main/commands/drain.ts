// `run --drain-and-exit`: read the log folders to the end that they have at start, deliver all of it, and say so.
import type { Agent } from '../agent/agent.ts';
import { AgentError } from '../model/agent-error.ts';
import type { StreamTally } from '../model/queue.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import { showControls } from '../receipt/receipt-words.ts';
import { EXIT } from './exit.ts';
import { untilSignal } from './until-signal.ts';
import { startOrExplain } from './with-agent.ts';

/** Without a point acknowledged for this long, a drain gives up, milliseconds. */
const NO_PROGRESS_MS = 60_000;
/** How often it looks, milliseconds. */
const LOOK_MS = 200;
const STREAMS_MAX = 100_000;

type DrainOutcome =
  | { readonly isDelivered: true; readonly left: readonly Left[] }
  | { readonly isDelivered: false; readonly left: readonly Left[]; readonly why: string; readonly hint: string };

/** A source that could not be read to its end, and why. */
interface Left {
  readonly message: string;
  readonly hint: string;
}

/**
 * Wait until everything that the log folders held is delivered.
 *
 * **Takes**: a pipeline started as a drain. **Gives**: delivered, or why not: held (by key, target or count), or no point
 * acknowledged for 60 s. What is not delivered stays in the queue. One source that cannot be read, or waits for a person,
 * keeps nothing of the others: it is named as left.
 */
async function drain(pipeline: Pipeline, clock: Clock): Promise<DrainOutcome> {
  const { streams } = await pipeline.store.tally(STREAMS_MAX);
  const before = new Set(streams.filter(({ isDelivered }) => isDelivered).map(({ id }) => id));
  const left = await readToTheEnd(pipeline, clock);
  await pipeline.recorder.closeStreams();
  let acknowledged = -1;
  let movedMs = clock.monotonicMs();
  for (;;) {
    const tally = await pipeline.store.tally(STREAMS_MAX);
    const waiting = tally.streams.filter(({ isDelivered }) => !isDelivered).map(({ id }) => id);
    if (waiting.length === 0) {
      // Read back, so that the receipts can say "confirmed"; earlier drains have done so for theirs.
      for (const { id } of tally.streams) if (!before.has(id)) await pipeline.confirm(id);
      return { isDelivered: true, left };
    }
    const held = heldBy(pipeline, waiting);
    if (held) return { isDelivered: false, left, ...held };
    const now = tally.streams.reduce((sum, stream) => sum + stream.pointsAcknowledged + stream.pointsRefused, 0);
    if (now !== acknowledged) movedMs = clock.monotonicMs();
    acknowledged = now;
    if (clock.monotonicMs() - movedMs >= NO_PROGRESS_MS) {
      const why = pipeline.uploader.lineFault?.message ?? 'No point was acknowledged for 60 s.';
      return { isDelivered: false, left, why, hint: 'Run the same command again later: it goes on where it stopped.' };
    }
    await clock.sleep(LOOK_MS);
  }
}

/** Wait until no source reads any more. **Gives**: those that could not be read to their end. */
async function readToTheEnd(pipeline: Pipeline, clock: Clock): Promise<Left[]> {
  let hasEnded = false;
  const ended = pipeline.sourcesEnded().then(() => {
    hasEnded = true;
  });
  for (;;) {
    await Promise.race([ended, clock.sleep(LOOK_MS)]);
    const views = [...pipeline.panels.values()].map(({ view }) => view);
    // One that is tried again has as long as the others read.
    const isReading = views.some(({ state }) => state === 'starting' || state === 'running');
    if (isReading && !hasEnded) continue;
    const failed = views.filter(({ state }) => state === 'failed' || state === 'waiting');
    return failed.map(({ id, message, hint }) => ({ message: `Source ${id}: ${message}`, hint }));
  }
}

/** Why nothing of what is left can be delivered. One stream that is held does not end the drain of the others. */
function heldBy(pipeline: Pipeline, left: readonly number[]): { why: string; hint: string } | null {
  const fault = pipeline.uploader.lineFault;
  if (fault && fault.trouble !== 'offline' && fault.trouble !== 'asked')
    return { why: fault.message, hint: fault.hint };
  const views = pipeline.uploader.views();
  const states = left.map((id) => views.get(id)?.state);
  const held = states.flatMap((state) => (state?.is === 'blocked' ? [state.reason] : []));
  const [first] = held;
  return first && held.length === states.length ? { why: first.message, hint: first.hint } : null;
}

/** One line a stream: what was read, stored, acknowledged and refused. */
export function receiptLine(stream: StreamTally): string {
  const number = (value: number) => value.toLocaleString('en-US');
  const parts = [
    `${number(stream.rowsRead)} rows read`,
    `${number(stream.pointsStored)} points stored`,
    `${number(stream.pointsAcknowledged)} acknowledged`,
    `${number(stream.pointsRefused)} refused by the service`,
    `${number(stream.cellsRefused)} cells not numbers`,
  ];
  const waiting = stream.pointsStored - stream.pointsAcknowledged - stream.pointsRefused;
  const unfinished = waiting === 0 ? 'nothing waits, still open' : 'not delivered';
  const state = stream.isDelivered ? 'delivered' : unfinished;
  return `${stream.name}: ${state}; ${parts.join(', ')}; ${stream.channels} channels; entry ${stream.dataId ?? 'none yet'}`;
}

/**
 * Start an agent that drains, wait until all is delivered, and print the receipts.
 *
 * **Gives**: exit code 0 when everything was delivered, 3 when not.
 * **Errors**: those of `startOrExplain`; `drain.source` once all of the others is delivered, naming what could not be read.
 */
export async function drainAgent(agent: Agent): Promise<number> {
  await startOrExplain(agent);
  const { pipeline } = agent;
  if (!pipeline) return EXIT.fault;
  const interrupted = untilSignal().then(() => ({
    isDelivered: false as const,
    left: [],
    why: 'Interrupted.',
    hint: 'Run the same command again: it goes on where it stopped.',
  }));
  const lost = agent.lost.then(() => null);
  const outcome = await Promise.race([lost, drain(pipeline, systemClock), interrupted]);
  if (outcome === null) return EXIT.fault;
  const { streams } = await pipeline.tally();
  for (const stream of streams.toReversed()) console.log(showControls(receiptLine(stream)));
  const { left } = outcome;
  if (!outcome.isDelivered) {
    console.error(`epistream: not everything was delivered: ${outcome.why}\n  hint: ${outcome.hint}`);
    if (left.length === 0) return EXIT.notDelivered;
  }
  const [first] = left;
  if (first === undefined) {
    console.log(
      streams.length === 0 ? 'Nothing was read: there is nothing to deliver.' : 'Everything read was delivered.',
    );
    return EXIT.done;
  }
  for (const { message, hint } of left.slice(1)) console.error(`epistream: ${message}\n  hint: ${hint}`);
  throw new AgentError({ code: 'drain.source', ...first, retry: 'after-human' });
}
