// `run --drain-and-exit`: read the log folders to the end that they have at start, deliver all of it, and say so.
//
// Exit codes follow one rule: 3 where something that was read is not delivered, and stays in the queue, whatever else is left;
// else 1 where a source could not be read to its end, or a file waits for a person; else 0.

import type { Agent } from '../agent/agent.ts';
import type { Pipeline } from '../agent/pipeline/pipeline.ts';
import { showControls } from '../delivery/receipt/receipt-words.ts';
import { AgentError } from '../model/agent-error.ts';
import { formatCount } from '../model/format.ts';
import type { StreamTally } from '../model/queue.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import { EXIT } from './shared/exit.ts';
import { untilSignal } from './shared/until-signal.ts';
import { startOrExplain } from './shared/with-agent.ts';

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
 * @param pipeline - a pipeline started as a drain.
 * @returns delivered; or why not: the service holds the streams back (key, target, count), or acknowledged no point for 60 s.
 *   What is not delivered stays in the queue. A source that cannot be read, or waits for a person, is named as left; the drain
 *   delivers all others.
 */
async function drain(pipeline: Pipeline, clock: Clock): Promise<DrainOutcome> {
  const { streams } = await pipeline.store.tally(STREAMS_MAX);
  const before = new Set(streams.filter(({ isDelivered }) => isDelivered).map(({ id }) => id));
  const left = await readToTheEnd(pipeline, clock);
  await pipeline.recorder.closeStreams();
  let acknowledged = -1;
  let movedMs = clock.monotonicMs();
  const told = new Set<string>();
  for (;;) {
    const tally = await pipeline.store.tally(STREAMS_MAX);
    const waiting = tally.streams.filter(({ isDelivered }) => !isDelivered).map(({ id }) => id);
    if (waiting.length === 0) {
      // Read the new streams back, so that their receipts can say "confirmed"; earlier drains did so for the older ones.
      for (const { id } of tally.streams) if (!before.has(id)) await pipeline.confirm(id);
      return { isDelivered: true, left };
    }
    const held = heldBy(pipeline, waiting);
    if (held) return { isDelivered: false, left, ...held };
    tellWaits(pipeline, waiting, told);
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

/**
 * Wait until no source reads any more.
 *
 * @returns those that could not be read to their end.
 */
async function readToTheEnd(pipeline: Pipeline, clock: Clock): Promise<Left[]> {
  let hasEnded = false;
  const ended = pipeline.sourcesEnded().then(() => {
    hasEnded = true;
  });
  for (;;) {
    await Promise.race([ended, clock.sleep(LOOK_MS)]);
    const views = [...pipeline.panels.values()].map(({ view }) => view);
    // A failed source is tried again for as long as any other source reads.
    const isReading = views.some(({ state }) => state === 'starting' || state === 'running');
    if (isReading && !hasEnded) continue;
    const failed = views.filter(({ state }) => state === 'failed' || state === 'waiting');
    return failed.map(({ id, message, hint }) => ({ message: `Source ${id}: ${message}`, hint }));
  }
}

/** Why no stream of those left can be delivered; null while at least one may still be. */
function heldBy(pipeline: Pipeline, left: readonly number[]): { why: string; hint: string } | null {
  const fault = pipeline.uploader.lineFault;
  if (fault && fault.trouble !== 'offline' && fault.trouble !== 'asked')
    return { why: fault.message, hint: fault.hint };
  const views = pipeline.uploads();
  const states = left.map((id) => views.get(id)?.state);
  const held = states.flatMap((state) =>
    (state?.kind === 'blocked' || state?.kind === 'kept') && state.reason ? [state.reason] : [],
  );
  const [first] = held;
  return first && held.length === states.length ? { why: first.message, hint: first.hint } : null;
}

/** Say once why streams are looked up before they are sent: that can take as long as a request of the run before may. */
function tellWaits(pipeline: Pipeline, left: readonly number[], told: Set<string>): void {
  const views = pipeline.uploader.views();
  for (const id of left) {
    const state = views.get(id)?.state;
    if (state?.kind !== 'waiting' || state.reason.code !== 'upload.looking-up' || told.has(state.reason.message))
      continue;
    told.add(state.reason.message);
    console.log(showControls(`The drain waits. ${state.reason.message}`));
  }
}

/** One line a stream: what was read, stored, acknowledged and refused. */
export function receiptLine(stream: StreamTally): string {
  const parts = [
    `${formatCount(stream.rowsRead)} rows read`,
    `${formatCount(stream.pointsStored)} points stored`,
    `${formatCount(stream.pointsAcknowledged)} acknowledged`,
    `${formatCount(stream.pointsRefused)} refused by the service`,
    `${formatCount(stream.cellsRefused)} cells not numbers`,
  ];
  const waiting = stream.pointsStored - stream.pointsAcknowledged - stream.pointsRefused;
  const unfinished = waiting === 0 ? 'nothing waits, still open' : 'not delivered';
  const state = stream.isDelivered ? 'delivered' : unfinished;
  return `${stream.name}: ${state}; ${parts.join(', ')}; ${stream.channels} channels; entry ${stream.dataId ?? 'none yet'}`;
}

/**
 * Start an agent that drains, wait until all is delivered, and print the receipts.
 *
 * @returns exit code 0 when everything was read and delivered, 3 when something that was read is not delivered.
 * @throws those of `startOrExplain`; `drain.source` (exit code 1) when all that was read is delivered, and a source could not
 *   be read to its end.
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
  const tell = ({ message, hint }: Left) => console.error(`epistream: ${message}\n  hint: ${hint}`);
  if (!outcome.isDelivered) {
    tell({ message: `not everything was delivered: ${outcome.why}`, hint: outcome.hint });
    for (const one of left) tell(one);
    return EXIT.notDelivered;
  }
  const [first] = left;
  if (first === undefined) {
    console.log(
      streams.length === 0 ? 'Nothing was read: there is nothing to deliver.' : 'Everything read was delivered.',
    );
    return EXIT.done;
  }
  for (const one of left.slice(1)) tell(one);
  throw new AgentError({ code: 'drain.source', ...first, retry: 'after-human' });
}
