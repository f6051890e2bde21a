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
  | { readonly isDelivered: true }
  | { readonly isDelivered: false; readonly why: string; readonly hint: string };

/**
 * Wait until everything that the log folders held is delivered.
 *
 * **Takes**: a pipeline started as a drain. **Gives**: delivered, or why not: held (by key, target or count), or no point
 * acknowledged for 60 s. What is not delivered stays in the queue.
 * **Errors**: that of the first source that could not be read.
 */
async function drain(pipeline: Pipeline, clock: Clock): Promise<DrainOutcome> {
  const { streams } = await pipeline.store.tally(STREAMS_MAX);
  const before = new Set(streams.filter(({ isDelivered }) => isDelivered).map(({ id }) => id));
  await readToTheEnd(pipeline, clock);
  await pipeline.recorder.closeStreams();
  let acknowledged = -1;
  let movedMs = clock.monotonicMs();
  for (;;) {
    const tally = await pipeline.store.tally(STREAMS_MAX);
    const left = tally.streams.filter(({ isDelivered }) => !isDelivered).map(({ id }) => id);
    if (left.length === 0) {
      // Read back, so that the receipts can say "confirmed"; earlier drains have done so for theirs.
      for (const { id } of tally.streams) if (!before.has(id)) await pipeline.confirm(id);
      return { isDelivered: true };
    }
    const held = heldBy(pipeline, left);
    if (held) return { isDelivered: false, ...held };
    const now = tally.streams.reduce((sum, stream) => sum + stream.pointsAcknowledged + stream.pointsRefused, 0);
    if (now !== acknowledged) movedMs = clock.monotonicMs();
    acknowledged = now;
    if (clock.monotonicMs() - movedMs >= NO_PROGRESS_MS) {
      const why = pipeline.uploader.lineFault?.message ?? 'No point was acknowledged for 60 s.';
      return { isDelivered: false, why, hint: 'Run the same command again later: it goes on where it stopped.' };
    }
    await clock.sleep(LOOK_MS);
  }
}

async function readToTheEnd(pipeline: Pipeline, clock: Clock): Promise<void> {
  let hasEnded = false;
  const ended = pipeline.sourcesEnded().then(() => {
    hasEnded = true;
  });
  while (!hasEnded) {
    await Promise.race([ended, clock.sleep(LOOK_MS)]);
    for (const { view } of pipeline.panels.values()) {
      if (view.state !== 'failed' && view.state !== 'waiting') continue;
      throw new AgentError({
        code: 'drain.source',
        message: `Source ${view.id}: ${view.message}`,
        hint: view.hint,
        retry: 'after-human',
      });
    }
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
 * **Errors**: those of `startOrExplain` and `drain`.
 */
export async function drainAgent(agent: Agent): Promise<number> {
  await startOrExplain(agent);
  const { pipeline } = agent;
  if (!pipeline) return EXIT.fault;
  const interrupted = untilSignal().then(() => ({
    isDelivered: false as const,
    why: 'Interrupted.',
    hint: 'Run the same command again: it goes on where it stopped.',
  }));
  const lost = agent.lost.then(() => null);
  const outcome = await Promise.race([lost, drain(pipeline, systemClock), interrupted]);
  if (outcome === null) return EXIT.fault;
  const { streams } = await pipeline.tally();
  for (const stream of streams.toReversed()) console.log(showControls(receiptLine(stream)));
  if (outcome.isDelivered) {
    console.log(
      streams.length === 0 ? 'Nothing was read: there is nothing to deliver.' : 'Everything read was delivered.',
    );
    return EXIT.done;
  }
  console.error(`epistream: not everything was delivered: ${outcome.why}\n  hint: ${outcome.hint}`);
  return EXIT.notDelivered;
}
