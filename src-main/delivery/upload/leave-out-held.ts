// Before a stream's entry is begun: does the service hold its points already? Asked only of what may be old (backfilled, or
// written while nobody looked), since another queue or a later state of this one may have sent it. Points that are held
// leave the stream, the others are sent. What cannot be told by comparing is a question to a person.
//
// Bounds: one chunk in memory; a byte for each point of the chunks of which something is held.
import { AgentError } from '../../model/agent-error.ts';
import type { UploadStream } from '../../model/queue.ts';
import type { FormerData, HeldPoints, UploadClock, UploadQueue } from './ports.ts';

export interface LeaveOutOptions extends Pick<FormerData, 'former' | 'cutter'> {
  readonly queue: UploadQueue;
  readonly clock: UploadClock;
  /** So many points were held, in these entries. */
  readonly onLeftOut: (points: number, entries: readonly string[]) => void;
}

/** What follows: the stream goes on, it is looked at again later, or a person is asked. */
export type LeftOut = { readonly kind: 'done' } | { readonly kind: 'later' | 'ask'; readonly reason: AgentError };

/** Points of the chunks of a stream that entries hold. */
interface Found {
  readonly masks: Map<number, Uint8Array>;
  readonly names: Set<string>;
  readonly points: number;
  readonly held: number;
  readonly isRenumbered: boolean;
  readonly alias: string | null;
}

/**
 * Leave out what the service holds of a stream. Takes the stream. One without an entry keeps the rest; the rest of one with
 * an entry goes into a new stream, unless nothing of it is held and its entry agrees.
 *
 * @returns what follows.
 * @throws the ServiceError of a call, those of the store; nothing was changed then.
 */
export async function leaveOutHeld(
  stream: UploadStream,
  { queue, clock, former, cutter, onLeftOut }: LeaveOutOptions,
  signal: AbortSignal,
): Promise<LeftOut> {
  const answer = await former.find(stream, signal);
  if (answer.kind === 'none') return { kind: 'done' };
  if (answer.kind === 'later') return { kind: 'later', reason: later(answer.why) };
  // What follows in it would have to be asked again and again: readings to come begin a stream of their own.
  if (!stream.isClosed) await cutter.close(stream.id);
  const closed = await queue.uploadStream(stream.id);
  // Nothing may follow of what was not looked up.
  if (closed === null || signal.aborted) return { kind: 'later', reason: later('the agent ends') };
  const points = await answer.read(closed);
  let isDone = false;
  try {
    if (closed.heldAnswer === 'leave-out') points.takeAliases();
    const found = await compare(stream.id, queue, points);
    if (found.alias !== null && closed.heldAnswer === null)
      return { kind: 'ask', reason: question(stream, found.alias) };
    await leaveOut(closed, found, { queue, clock, cutter });
    isDone = true;
    if (found.held > 0) onLeftOut(found.held, [...found.names].sort());
    return { kind: 'done' };
  } finally {
    points.settle(isDone);
  }
}

async function leaveOut(
  { id, dataId, mayHoldMore }: UploadStream,
  { masks, names, points, held, isRenumbered }: Found,
  { queue, clock, cutter }: Pick<LeaveOutOptions, 'queue' | 'clock' | 'cutter'>,
): Promise<void> {
  if (held === 0 && dataId === null && !isRenumbered) return queue.settleHeld(id);
  // Nothing is there, and its entry agrees: the waiting chunks are sent unchanged.
  if (held === 0 && dataId !== null && !mayHoldMore) return;
  const rest = dataId !== null && points > held ? await cutter.begin(id) : null;
  await queue.recut(id, masks, [...names].sort(), rest, clock.nowMs());
  if (rest !== null) cutter.begun(rest.ids.stream);
}

async function compare(streamId: number, queue: UploadQueue, entries: HeldPoints): Promise<Found> {
  const masks = new Map<number, Uint8Array>();
  const names = new Set<string>();
  let [points, held, least] = [0, 0, Number.POSITIVE_INFINITY];
  let alias: string | null = null;
  for (let after = 0; ; ) {
    const chunk = await queue.chunkAfter(streamId, after);
    if (chunk === null) break;
    after = chunk.id;
    least = Math.min(least, chunk.index);
    const { rows, timesMs, channels } = chunk;
    const known = channels.map(({ name }) => name);
    const mask = new Uint8Array(rows * channels.length);
    for (const [c, { name, values }] of channels.entries()) {
      alias ??= entries.findAlias(name, timesMs, values, known);
      for (let row = 0; row < rows; row++) {
        const entry = entries.take(name, timesMs[row] as number, values[row] as number);
        if (entry === null) continue;
        names.add(entry);
        mask[c * rows + row] = 1;
      }
    }
    points += mask.length;
    const found = mask.reduce((sum, one) => sum + one, 0);
    held += found;
    if (found > 0) masks.set(chunk.id, mask);
  }
  const isRenumbered = Number.isFinite(least) && least > 0;
  return { masks, names, points, held, isRenumbered, alias };
}

function later(why: string): AgentError {
  return new AgentError({
    code: 'upload.looking-up',
    message: `What the service holds of these readings already is looked up before they are sent: ${why}.`,
    hint: 'Recording goes on. This ends automatically.',
    retry: 'later',
  });
}

function question({ id, name }: UploadStream, alias: string): AgentError {
  return new AgentError({
    code: 'upload.held-under-other-name',
    message: `The service may hold the readings of "${name}" already: ${alias}. Nothing of this stream is sent until you say what it is.`,
    hint: `If it is the same data: epistream resend --stream ${id} --held leave-out. If not: epistream resend --stream ${id} --held send.`,
    retry: 'after-human',
  });
}
