// `run --drain-and-exit`: read the log folders to the end that they have at start, deliver all of it, and say so.
//
// The last line and the exit code follow from one record. 3: something that was read is not delivered, because it waits, the
// service refused it, the disk damaged it, or its log is still to be read again; else 1 where a source could not be read to its
// end, or a file waits for a person; else 0. What the disk damaged while it drained, and still stands in a log, is read again
// at once.

import type { Agent } from '../agent/agent.ts';
import type { Pipeline } from '../agent/pipeline/pipeline.ts';
import { showControls } from '../delivery/receipt/receipt-words.ts';
import { AgentError, toAgentError } from '../model/agent-error.ts';
import { formatCount, formatCounted } from '../model/format.ts';
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
/** Times that logs are read again for what the disk damaged. */
const AGAIN_MAX = 3;

/** Code of what SQLite says of a damaged queue. */
const DAMAGED = 'store.damaged';
/** Code of what a log source says where a file is gone that it had to read again. */
const REREAD_GONE = 'log.reread-gone';
/** Codes of events that say that something of the queue was lost. */
const DAMAGES: readonly string[] = ['store.salvaged', 'store.rolled-back'];
/** Newest events and gaps that are looked at. */
const EVENTS_LOOKED = 100;

/** What came of it. */
interface DrainRecord {
  /** Sources that could not be read to their end. */
  readonly left: readonly Left[];
  /** Why something still waits; null: nothing does. */
  readonly waits: { readonly why: string; readonly hint: string; readonly isDamage?: boolean } | null;
  /** Points that the service refused, and that were not sent again. */
  readonly refused: number;
  /** The queue was damaged, and something that no log has is lost. */
  readonly isDamaged: boolean;
  /** Sources of which something is to be read again. */
  readonly toReread: readonly string[];
}

/** How things stood when the command was started. */
interface Beginning {
  /** Unix milliseconds. */
  readonly atMs: number;
  /** Streams that were delivered; null: not known yet. */
  delivered: ReadonlySet<number> | null;
}

/** A source that could not be read to its end, and why. */
interface Left {
  readonly message: string;
  readonly hint: string;
}

/**
 * Wait until everything that the log folders held is delivered, or cannot be: the service holds the streams back (key, target,
 * count), or acknowledged no point for 60 s. What is not delivered stays in the queue. A source that cannot be read, or waits
 * for a person, is named as left; the drain delivers all others.
 *
 * @param pipeline - a pipeline started as a drain.
 * @param beginning - how things stood when the command was started.
 */
async function drain(pipeline: Pipeline, clock: Clock, beginning: Beginning): Promise<DrainRecord> {
  const { store } = pipeline;
  const { streams } = await store.tally(STREAMS_MAX);
  beginning.delivered ??= new Set(streams.filter(({ isDelivered }) => isDelivered).map(({ id }) => id));
  const before = beginning.delivered;
  const left = await readToTheEnd(pipeline, clock);
  await pipeline.recorder.closeStreams();
  let acknowledged = -1;
  let movedMs = clock.monotonicMs();
  const told = new Set<string>();
  const record = async (waits: DrainRecord['waits']): Promise<DrainRecord> => {
    const { streams: all } = await store.tally(STREAMS_MAX);
    const fresh = all.filter(({ id }) => !before.has(id));
    return {
      ...{ left, waits, toReread: await pipeline.toReread() },
      refused: fresh.reduce((sum, { pointsRefused, pointsResent }) => sum + pointsRefused - pointsResent, 0),
      isDamaged: await hasLost(pipeline, beginning.atMs),
    };
  };
  for (;;) {
    const tally = await pipeline.store.tally(STREAMS_MAX);
    const waiting = tally.streams.filter(({ isDelivered }) => !isDelivered).map(({ id }) => id);
    if (waiting.length === 0) {
      // Read the new streams back, so that their receipts can say "confirmed"; earlier drains did so for the older ones.
      for (const { id } of tally.streams) if (!before.has(id)) await pipeline.confirm(id);
      return record(null);
    }
    const held = damageOf(pipeline, waiting) ?? heldBy(pipeline, waiting);
    if (held) return record(held);
    tellWaits(pipeline, waiting, told);
    const now = tally.streams.reduce((sum, stream) => sum + stream.pointsAcknowledged + stream.pointsRefused, 0);
    if (now !== acknowledged) movedMs = clock.monotonicMs();
    acknowledged = now;
    if (clock.monotonicMs() - movedMs >= NO_PROGRESS_MS) {
      const why = pipeline.uploader.lineFault?.message ?? 'No point was acknowledged for 60 s.';
      return record({ why, hint: 'Run the same command again later: it goes on where it stopped.' });
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

/** Whether the queue was damaged since a moment, and lacks something that no log has: what came from a log is read again. */
async function hasLost({ store, panels }: Pipeline, sinceMs: number): Promise<boolean> {
  const events = await store.listEvents(EVENTS_LOOKED);
  const codes = new Set(events.flatMap(({ code, atMs }) => (atMs >= sinceMs ? [code] : [])));
  if (codes.has(REREAD_GONE)) return true;
  if (!DAMAGES.some((code) => codes.has(code))) return false;
  const logs = new Set(panels.flatMap(({ view }) => (view.kind === 'log' ? [view.id] : [])));
  const gaps = await store.listGaps(EVENTS_LOOKED);
  return gaps.some(({ sourceId }) => !logs.has(sourceId));
}

/** What SQLite said of the queue in use: it is repaired when it is opened again. Null: nothing. */
function damageOf(pipeline: Pipeline, left: readonly number[]): DrainRecord['waits'] {
  const views = pipeline.uploader.views();
  for (const id of left) {
    const state = views.get(id)?.state;
    if (!state || !('reason' in state) || state.reason.code !== DAMAGED) continue;
    return { why: state.reason.message, hint: state.reason.hint, isDamage: true };
  }
  return null;
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

/** What of a record is not delivered, in half sentences; none: all of it is. */
function undelivered({ waits, refused, isDamaged, toReread }: DrainRecord): string[] {
  return [
    ...(waits ? [waits.why] : []),
    ...(refused > 0 ? [`the service refused ${formatCounted(refused, 'point')}, which stay here`] : []),
    ...(isDamaged ? ['the queue was damaged, and what no log has of it is a gap'] : []),
    ...(toReread.length > 0
      ? [`the log of ${toReread.join(', ')} is still to be read again for what the disk damaged`]
      : []),
  ];
}

/**
 * Start an agent that drains, wait until all is delivered, and print the receipts.
 *
 * @returns exit code 0 when everything was read and delivered, 3 when something that was read is not delivered.
 * @throws those of `startOrExplain`; `drain.source` (exit code 1) when all that was read is delivered, and a source could not
 *   be read to its end.
 */
export async function drainAgent(agent: Agent): Promise<number> {
  const interrupted = untilSignal().then((): DrainRecord => {
    const waits = { why: 'Interrupted.', hint: 'Run the same command again: it goes on where it stopped.' };
    return { left: [], waits, refused: 0, isDamaged: false, toReread: [] };
  });
  const beginning: Beginning = { atMs: Date.now(), delivered: null };
  for (let again = 0; ; again++) {
    await startOrExplain(agent);
    const { pipeline } = agent;
    if (!pipeline) return EXIT.fault;
    const lost = agent.lost.then(() => null);
    const drained = drain(pipeline, systemClock, beginning).catch(damagedOr);
    const record = await Promise.race([lost, drained, interrupted]);
    if (record === null) return EXIT.fault;
    const isUnfinished = record.waits === null ? record.toReread.length > 0 : record.waits.isDamage === true;
    if (isUnfinished && again < AGAIN_MAX) {
      await agent.stop();
      continue;
    }
    const { streams } = await pipeline.tally();
    for (const stream of streams.toReversed()) console.log(showControls(receiptLine(stream)));
    return conclude(record, streams.length === 0);
  }
}

/** A store that says in the middle of a drain that it is damaged leaves all else open. */
function damagedOr(thrown: unknown): DrainRecord {
  const { code, message: why, hint } = toAgentError(thrown);
  if (code !== DAMAGED) throw thrown;
  return { left: [], waits: { why, hint, isDamage: true }, refused: 0, isDamaged: false, toReread: [] };
}

/** The last line and the exit code. */
function conclude(record: DrainRecord, isEmpty: boolean): number {
  const tell = ({ message, hint }: Left) => console.error(`epistream: ${message}\n  hint: ${hint}`);
  const { left, waits } = record;
  const lacks = undelivered(record);
  if (lacks.length > 0) {
    const hint =
      waits?.hint ?? 'What it is about stands in the receipts (epistream receipt) and in the journal of the screen.';
    tell({ message: `not everything was delivered: ${lacks.join('; ')}`, hint });
    for (const one of left) tell(one);
    return EXIT.notDelivered;
  }
  const [first] = left;
  if (first === undefined) {
    console.log(isEmpty ? 'Nothing was read: there is nothing to deliver.' : 'Everything read was delivered.');
    return EXIT.done;
  }
  for (const one of left.slice(1)) tell(one);
  throw new AgentError({ code: 'drain.source', ...first, retry: 'after-human' });
}
