// Delivered is said only when the service's own count agrees: for each channel of the chunk, to the point. The one allowance
// is for what a chunk that was refused when full had left there before it was full.
import { AgentError } from '../../model/agent-error.ts';
import type { SealedChunk } from '../../model/queue.ts';

type AnswerItem = { data_id: string; channel_name: string; chunk_index: number; total_points: number };

/** What is wrong with an answer: it is about something else (`ambiguous`), or its count differs (`suspicious`). */
export interface AnswerFault {
  readonly failure: 'ambiguous' | 'suspicious';
  readonly error: AgentError;
}

/**
 * Hold the answer to a chunk against what was sent. Takes the stream's data id, the chunk, and the service's answer, one
 * item a channel in any order.
 *
 * @returns null when every channel is named with this chunk's index and the total that must now stand there: the points
 *   acknowledged before and this chunk's, and at most what a refused chunk left there before it was full. Else what is wrong:
 *   `upload.answer-unfit` when it does not speak of this chunk's channels, `upload.count-differs` with both numbers when a
 *   total is not the expected one.
 */
export function checkAnswer(dataId: string, chunk: SealedChunk, answer: readonly AnswerItem[]): AnswerFault | null {
  const items = new Map(answer.map((item) => [item.channel_name, item]));
  for (const channel of chunk.channels) {
    const item = items.get(channel.name);
    const expected = channel.acknowledged + chunk.rows;
    const where = `channel "${channel.name}", chunk ${chunk.index}`;
    if (!item) return unfit(`The service's answer does not name ${where}.`);
    if (item.data_id !== dataId || item.chunk_index !== chunk.index) {
      const found = `entry ${item.data_id}, chunk ${item.chunk_index}`;
      return unfit(`The service answered for another place than ${where}: ${found}.`);
    }
    if (item.total_points < expected || item.total_points > expected + channel.refusedAhead) {
      return differs(`Count differs for ${where}: expected ${expected} points, the service says ${item.total_points}.`);
    }
  }
  if (items.size !== chunk.channels.length) return unfit("The service's answer names channels that were not sent.");
  return null;
}

function unfit(message: string): AnswerFault {
  const hint = 'What the service holds is looked up before anything is sent again.';
  return {
    failure: 'ambiguous',
    error: new AgentError({ code: 'upload.answer-unfit', message, hint, retry: 'later' }),
  };
}

function differs(message: string): AnswerFault {
  const hint = 'This stream is held and nothing of it is sent until someone has looked. Its data is safe here.';
  return {
    failure: 'suspicious',
    error: new AgentError({ code: 'upload.count-differs', message, hint, retry: 'after-human' }),
  };
}
