// A long text as the body of an answer: never whole in memory, and others are answered between two pieces, however fast the
// reader takes them.
import { setImmediate as othersFirst } from 'node:timers/promises';

/** A body is handed on once it has so many characters; others wait for that long. */
const PIECE_MIN = 64_000;

/**
 * Gather small texts into a piece that is worth sending.
 *
 * @param texts - what is left of the text; it is taken on.
 * @returns a piece of 64,000 characters or more; less when it is the last.
 */
export async function nextPiece(texts: AsyncIterator<string>): Promise<{ text: string; isLast: boolean }> {
  let text = '';
  while (text.length < PIECE_MIN) {
    const { done, value } = await texts.next();
    if (done) return { text, isLast: true };
    text += value;
  }
  return { text, isLast: false };
}

/**
 * Send a text as it is written.
 *
 * @param texts - the text in small parts; each is made when the reader has taken what came before.
 * @param begin - what is sent before it.
 */
export function textStream(texts: AsyncIterator<string>, begin = ''): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      if (begin !== '') controller.enqueue(encoder.encode(begin));
    },
    pull: async (controller) => {
      await othersFirst();
      const { text, isLast } = await nextPiece(texts);
      if (text !== '') controller.enqueue(encoder.encode(text));
      if (isLast) controller.close();
    },
  });
}
