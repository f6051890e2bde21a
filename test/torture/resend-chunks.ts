// What a person does who sends refused chunks again, without end: in one way and then the other.
import { openQueue, type Queue } from '../../src-main/queue/store/queue.ts';

function refuseAll(queue: Queue, streamId: number): void {
  for (let chunk = queue.nextChunk(streamId); chunk; chunk = queue.nextChunk(streamId)) queue.refuse(chunk.id, 1, 'no');
}

/**
 * Refuse the chunks of the newest stream and send them again, until killed.
 *
 * @param onStep - told after each step how many there were.
 */
export function resendChunks(path: string, onStep: (steps: number) => void): never {
  const queue = openQueue(path, { reserveBytes: 0 });
  let steps = 0;
  for (let turn = 0; ; turn++) {
    const last = queue.lastIds();
    const which = { streamId: last.stream, chunkIds: null, channel: null };
    refuseAll(queue, last.stream);
    onStep(++steps);
    queue.sendAgain(which);
    onStep(++steps);
    refuseAll(queue, last.stream);
    onStep(++steps);
    const ids = { stream: last.stream + 1, firstChannel: last.channel + 1, channels: 2 };
    const correction = { pointsPerChunk: 50 + (turn % 7), unit: null, rename: null };
    queue.sendAsNew(which, correction, ids, `nonce${ids.stream}`, turn);
    onStep(++steps);
  }
}
