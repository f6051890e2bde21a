// Sending again what the service refused, whoever asks: the screen, or a command of this PC.
import { z } from 'zod';
import { SendAgain, SendAsNew } from '../contract/refused.ts';
import type { NewIds, RefusedPart, Resent } from '../model/resend.ts';
import type { Store } from '../store/store.ts';
import { makeNonce } from './nonce.ts';

/** What a command asks. */
export const ResendQuestion = z.discriminatedUnion('ask', [
  z.object({ ask: z.literal('refused'), streamId: z.int().positive() }),
  z.object({ ask: z.literal('send-again'), which: SendAgain }),
  z.object({ ask: z.literal('send-as-new'), which: SendAsNew }),
]);
export type ResendQuestion = z.infer<typeof ResendQuestion>;

/** Tell such a question from others that a command may ask. */
export function isResendQuestion(question: { readonly ask: string }): question is ResendQuestion {
  return ResendQuestion.options.some(({ shape }) => shape.ask.value === question.ask);
}

export interface ResendParts {
  readonly store: Pick<Store, 'refusedChunks' | 'sendAgain' | 'sendAsNew' | 'listStreams'>;
  /** Ids for a stream with so many channels that nobody else uses. */
  readonly takeIds: (channels: number) => NewIds | Promise<NewIds>;
  readonly nowMs: () => number;
  /** Chunks of the stream wait again, or were copied into the stream that `resent` names. */
  readonly onResent: (streamId: number, resent: Resent) => void | Promise<void>;
}

/**
 * Send refused chunks again as they are.
 *
 * **Gives**: what was sent; `left` says whether to call again. **Errors**: those of the store's `sendAgain`.
 */
export async function sendAgain(which: SendAgain, { store, onResent }: ResendParts): Promise<Resent> {
  const resent = await store.sendAgain(which);
  if (resent.chunks > 0) await onResent(which.streamId, resent);
  return resent;
}

/**
 * Copy the points of refused chunks into a corrected stream.
 *
 * **Gives** and **errors**: as `sendAgain`, and with the new stream.
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

/** Answer a command. **Errors**: those of the calls above. */
export function answerResend(question: ResendQuestion, parts: ResendParts): Promise<RefusedPart[] | Resent> {
  switch (question.ask) {
    case 'refused':
      return parts.store.refusedChunks(question.streamId);
    case 'send-again':
      return sendAgain(question.which, parts);
    case 'send-as-new':
      return sendAsNew(question.which, parts);
  }
}

/** Send again while no agent runs: nobody has to be told, and no recorder gives ids away. */
export function withoutAgent(store: Store): ResendParts {
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
