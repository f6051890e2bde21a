// Sends chunks of a stream, one or several side by side (a *burst*), and says what came of all of them.
//
// Invariants
//  1. A burst is acknowledged whole or not at all: only when every chunk of it was answered and the counts prove all of them.
//     Else it is looked up which of them the service has.
//  2. Each place on the line is given back with the outcome of its own request.
import { setImmediate as othersFirst } from 'node:timers/promises';
import type { AgentError } from '../../model/agent-error.ts';
import type { SealedChunk } from '../../model/queue.ts';
import { type Answered, checkAnswers } from './chunk-answer.ts';
import type { Line } from './line.ts';
import { type RequestFault, requestFault } from './line-outcome.ts';
import type { StreamFailure } from './machine.ts';
import type { UploadService } from './ports.ts';

/** What came of a burst. */
export type BurstOutcome =
  | { readonly kind: 'taken' }
  /** By the line; `isOpen`: a chunk may have arrived. */
  | { readonly kind: 'held-back'; readonly isOpen: boolean }
  | {
      readonly kind: 'failed';
      readonly failure: StreamFailure;
      readonly error: AgentError;
      /** The chunk that it is about; null: none went out. */
      readonly chunk: SealedChunk | null;
    };

export interface BurstOptions {
  readonly service: Pick<UploadService, 'ingestChunk'>;
  readonly line: Pick<Line, 'leave'>;
}

type Sent = Answered | { readonly chunk: SealedChunk; readonly fault: RequestFault };

/**
 * Send chunks side by side. Takes the stream's data id, the chunks, each with a place on the line, which is given back.
 *
 * @returns what came of them, once all are answered; null when the signal stopped it: what arrived is then not known.
 */
export async function sendBurst(
  dataId: string,
  chunks: readonly SealedChunk[],
  { service, line }: BurstOptions,
  signal: AbortSignal,
): Promise<BurstOutcome | null> {
  const underWay: Promise<Sent>[] = [];
  for (const chunk of chunks) {
    // A chunk is written in one go, which may take milliseconds.
    if (underWay.length > 0) await othersFirst();
    underWay.push(sendOne(dataId, chunk, { service, line }, signal));
  }
  const sent = await Promise.all(underWay);
  const faults = sent.flatMap((one) => ('fault' in one ? [one] : []));
  if (signal.aborted && faults.length > 0) return null;
  const first = faults.find(({ fault }) => fault.failure !== 'refused') ?? faults[0];
  if (first) {
    const { chunk, fault } = first;
    const isOpen = sent.some((one) => 'answer' in one || !one.fault.isAbsent);
    if (fault.failure === null) return { kind: 'held-back', isOpen };
    const isRefusedBeside = fault.failure === 'refused' && chunks.length > 1;
    return { kind: 'failed', failure: isRefusedBeside ? 'unproven' : fault.failure, error: fault.error, chunk };
  }
  const wrong = checkAnswers(
    dataId,
    sent.flatMap((one) => ('answer' in one ? [one] : [])),
  );
  return wrong === null ? { kind: 'taken' } : { kind: 'failed', ...wrong, chunk: chunks[0] ?? null };
}

async function sendOne(
  dataId: string,
  chunk: SealedChunk,
  { service, line }: Pick<BurstOptions, 'service' | 'line'>,
  signal: AbortSignal,
): Promise<Sent> {
  try {
    const answer = await ingest(dataId, chunk, service, signal);
    line.leave('through');
    return { chunk, answer };
  } catch (thrown) {
    const fault = requestFault(thrown, true, true);
    line.leave(fault.outcome);
    return { chunk, fault };
  }
}

/** Send one chunk, whose columns are read again at the next try. */
function ingest(
  dataId: string,
  chunk: SealedChunk,
  service: Pick<UploadService, 'ingestChunk'>,
  signal: AbortSignal,
): Promise<Answered['answer']> {
  const timestamps = chunk.timesMs.map((timeMs) => timeMs / 1000);
  const channels = Object.fromEntries(
    chunk.channels.map(({ name, unit, values }) => [
      name,
      { timestamps, values, ...(unit === '' ? {} : { units: unit }) },
    ]),
  );
  return service.ingestChunk({ data_id: dataId, chunk_index: chunk.index, channels }, { signal, isHandedOver: true });
}
