// A process that refuses chunks and sends them again, in one way and then the other, until it is killed. It opens the queue
// that it is given and says "ready" once.
import { openQueue } from '../../../src-main/queue/store/queue.ts';

const queue = openQueue(process.argv[2] ?? '', { reserveBytes: 0 });
console.log('ready');

function refuseAll(streamId: number): void {
  for (let chunk = queue.nextChunk(streamId); chunk; chunk = queue.nextChunk(streamId)) queue.refuse(chunk.id, 1, 'no');
}

for (let turn = 0; ; turn++) {
  const last = queue.lastIds();
  const which = { streamId: last.stream, chunkIds: null, channel: null };
  refuseAll(last.stream);
  queue.sendAgain(which);
  refuseAll(last.stream);
  const ids = { stream: last.stream + 1, firstChannel: last.channel + 1, channels: 2 };
  const correction = { pointsPerChunk: 50 + (turn % 7), unit: null, rename: null };
  queue.sendAsNew(which, correction, ids, `nonce${ids.stream}`, turn);
}
