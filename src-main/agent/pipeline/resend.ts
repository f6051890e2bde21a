// Sending again what the service refused, for any caller: the screen, or a command of this PC.
import type { SendAgain, SendAsNew } from '../../contract/refused.ts';
import type { Uploader } from '../../delivery/upload/uploader.ts';
import type { NewIds, Resent } from '../../model/resend.ts';
import type { Recorder } from '../../queue/recorder/recorder.ts';
import type { Store } from '../../queue/store/store.ts';
import type { Journal } from './journal.ts';
import { makeNonce } from './nonce.ts';
import type { Settling } from './settling.ts';

export interface ResendParts {
  readonly store: Pick<Store, 'sendAgain' | 'sendAsNew' | 'listStreams'>;
  /** Ids for a stream with so many channels that nobody else uses. */
  readonly takeIds: (channels: number) => NewIds | Promise<NewIds>;
  readonly nowMs: () => number;
  /** Chunks of the stream wait again, or were copied into the stream that `resent` names. */
  readonly onResent: (streamId: number, resent: Resent) => void | Promise<void>;
}

/**
 * Send refused chunks again as they are.
 *
 * @returns what was sent; `left` says whether to call again.
 * @throws those of the store's `sendAgain`.
 */
export async function sendAgain(which: SendAgain, { store, onResent }: ResendParts): Promise<Resent> {
  const resent = await store.sendAgain(which);
  if (resent.chunks > 0) await onResent(which.streamId, resent);
  return resent;
}

/**
 * Copy the points of refused chunks into a corrected stream.
 *
 * @returns as `sendAgain`, and with the new stream.
 */
export async function sendAsNew(
  { pointsPerChunk, unit, rename, ...which }: SendAsNew,
  { store, takeIds, nowMs, onResent }: ResendParts,
): Promise<Resent> {
  // As many ids as the stream has channels: more cannot have been refused.
  const [stream] = await store.listStreams(which.streamId + 1, 1);
  const ids = await takeIds(stream?.channels ?? 0);
  const correction = { pointsPerChunk, unit, rename };
  const resent = await store.sendAsNew(which, correction, ids, makeNonce(), nowMs());
  if (resent.chunks > 0) await onResent(which.streamId, resent);
  return resent;
}

export interface ResendRun {
  readonly store: Store;
  readonly recorder: Pick<Recorder, 'takeIds'>;
  readonly uploader: Pick<Uploader, 'notify'>;
  readonly former: Pick<Uploader, 'notify'>;
  readonly settling: Pick<Settling, 'reopen' | 'endLater'>;
  readonly clock: { nowMs(): number };
  readonly journal: Journal;
  readonly onChange: () => void;
}

/** Send again while a run is under way: the uploader takes it up, and the journal says so. */
export function resendInRun(run: ResendRun): ResendParts {
  const { store, recorder, uploader, former, settling, clock, journal, onChange } = run;
  return {
    store,
    takeIds: (channels) => recorder.takeIds(channels),
    nowMs: () => clock.nowMs(),
    onResent: async (streamId, { points, stream }) => {
      const where = stream ? `in stream ${stream.id}, "${stream.name}"` : 'in their place';
      const message = `${points} points of stream ${streamId} that the service refused are sent again ${where}.`;
      // Each is an act of a person, never a repeat of another one.
      journal.record({ level: 'info', code: 'stream.resent', message, hint: '' }, `${streamId} ${clock.nowMs()}`);
      if (!stream) settling.reopen(streamId);
      await uploader.notify([stream?.id ?? streamId]);
      await former.notify([stream?.id ?? streamId]);
      // Where nothing refused is left of a stream, the service can be told now that it has ended.
      if (stream) settling.endLater(streamId);
      onChange();
    },
  };
}

/** Send again while no agent runs: nobody has to be told, and no recorder gives ids away. */
export function resendAlone(store: Store): ResendParts {
  return {
    store,
    takeIds: async (channels) => {
      const last = await store.lastIds();
      return { stream: last.stream + 1, firstChannel: last.channel + 1, channels };
    },
    nowMs: Date.now,
    onResent: () => {},
  };
}
