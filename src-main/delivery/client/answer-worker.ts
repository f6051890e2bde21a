// The thread that reads long answers of the service. It takes the bytes of one answer after the other, reads it, and gives
// the value back in pieces, each when it is asked for: the thread that captures is never held for longer than a piece takes.
import { parentPort } from 'node:worker_threads';
import type { EndpointName } from '../../interface/table.ts';
import { type ReadAnswer, readAnswer } from './read-answer.ts';
import { type Piece, takeApart } from './take-apart.ts';

export type AnswerRequest =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'read'; readonly name: EndpointName; readonly maxBytes: number }
  | { readonly kind: 'next' };

/** The first reply tells how many pieces follow. */
export type AnswerReply = { readonly read: ReadAnswer; readonly pieces: number } | { readonly piece: Piece };

const port = parentPort;
if (!port) throw new Error('delivery/client/answer-worker.ts runs as a worker thread only');

let parts: Uint8Array[] = [];
let pieces: Piece[] = [];

function read(name: EndpointName, maxBytes: number): void {
  const bytes = Buffer.concat(parts);
  parts = [];
  const answer = readAnswer(name, bytes, maxBytes);
  pieces = answer.kind === 'fits' ? takeApart(answer.value) : [];
  const count = pieces.length;
  // Taken from the end.
  pieces.reverse();
  port?.postMessage({ read: answer, pieces: count } satisfies AnswerReply);
}

port.on('message', (request: AnswerRequest) => {
  if (request.kind === 'bytes') parts.push(request.bytes);
  else if (request.kind === 'read') read(request.name, request.maxBytes);
  else {
    const piece = pieces.pop();
    if (piece) port.postMessage({ piece } satisfies AnswerReply);
  }
});
