// Delivered is said only when the service's own count agrees: for each channel of what was sent, to the point.
import { AgentError } from '../../model/agent-error.ts';
import type { SealedChunk } from '../../model/queue.ts';

type AnswerItem = { data_id: string; channel_name: string; chunk_index: number; total_points: number };

/** A chunk, and what the service said of it: one item a channel, in any order. */
export interface Answered {
  readonly chunk: SealedChunk;
  readonly answer: readonly AnswerItem[];
}

/**
 * What is wrong with the answers: one is about something else (`ambiguous`), a count differs (`suspicious`), or each may be
 * right and they do not add up (`unproven`): a service that counts two requests at a time for themselves answers so.
 */
export interface AnswerFault {
  readonly failure: 'ambiguous' | 'suspicious' | 'unproven';
  readonly error: AgentError;
}

/** What must stand at the service of a channel, and the largest total that it told. */
interface Count {
  readonly where: string;
  expected: number;
  largest: number;
}

/**
 * Hold the answers to chunks that were under way at a time against what was sent. Takes the stream's data id, and all of
 * these chunks with their answers; often it is one.
 *
 * @returns null when each answer names every channel of its chunk with its index, and for each channel the largest total is
 *   what must now stand there: the points acknowledged before and those of all these chunks. Else what is wrong: `upload.answer-unfit` when one does not speak of its chunk's channels, `upload.count-differs`
 *   with both numbers when a total cannot be, `upload.burst-unproven` when they do not add up.
 */
export function checkAnswers(dataId: string, answered: readonly Answered[]): AnswerFault | null {
  const counts = new Map<string, Count>();
  for (const { chunk, answer } of answered) {
    const items = new Map(answer.map((item) => [item.channel_name, item]));
    for (const { name, acknowledged } of chunk.channels) {
      const item = items.get(name);
      const where = `channel "${name}", chunk ${chunk.index}`;
      if (!item) return unfit(`The service's answer does not name ${where}.`);
      if (item.data_id !== dataId || item.chunk_index !== chunk.index) {
        const found = `entry ${item.data_id}, chunk ${item.chunk_index}`;
        return unfit(`The service answered for another place than ${where}: ${found}.`);
      }
      const total = item.total_points;
      if (total < acknowledged + chunk.rows) return differs(where, acknowledged + chunk.rows, total);
      const known = counts.get(name) ?? { where, expected: acknowledged, largest: 0 };
      known.expected += chunk.rows;
      known.largest = Math.max(known.largest, total);
      counts.set(name, known);
    }
    if (items.size !== chunk.channels.length) return unfit("The service's answer names channels that were not sent.");
  }
  const all = [...counts.values()];
  const more = all.find(({ largest, expected }) => largest > expected);
  if (more) return differs(more.where, more.expected, more.largest);
  const less = all.find(({ largest, expected }) => largest < expected);
  return less ? unproven(less) : null;
}

function unfit(message: string): AnswerFault {
  const hint = 'What the service holds is looked up before anything is sent again.';
  return {
    failure: 'ambiguous',
    error: new AgentError({ code: 'upload.answer-unfit', message, hint, retry: 'later' }),
  };
}

function differs(where: string, expected: number, told: number): AnswerFault {
  const message = `Count differs for ${where}: expected ${expected} points, the service says ${told}.`;
  const hint = 'What the service holds is read before anything more of this stream is sent. Its data is safe here.';
  return {
    failure: 'suspicious',
    error: new AgentError({ code: 'upload.count-differs', message, hint, retry: 'later' }),
  };
}

function unproven({ where, expected, largest }: Count): AnswerFault {
  const message =
    `The service took chunks side by side and its counts do not show all of them for ${where}: expected ${expected} points, ` +
    `it says ${largest} at most.`;
  const hint =
    'What it holds is read, and the rest of this stream goes out one chunk at a time. With upload_window: 1 that is so from the start.';
  return {
    failure: 'unproven',
    error: new AgentError({ code: 'upload.burst-unproven', message, hint, retry: 'later' }),
  };
}
