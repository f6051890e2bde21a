// Fills a queue with waiting points, then delivers all of them: `fill-queue.ts PATH POINTS`. Prints what it held and what
// was acknowledged. For runs in a process with little memory.
import { openQueue } from '../../../src-main/queue/store/queue.ts';
import { CHANNELS, chunksCommit, openingCommit } from './growth-log.ts';

const [path = '', points = '1000000'] = process.argv.slice(2);
const POINTS_PER_CHUNK = 250;
const CHUNKS_A_COMMIT = 25;

const queue = openQueue(path);
queue.commit(openingCommit(POINTS_PER_CHUNK));
const chunks = Math.round(Number(points) / (POINTS_PER_CHUNK * CHANNELS));
for (let index = 0; index < chunks; index += CHUNKS_A_COMMIT) {
  const count = Math.min(CHUNKS_A_COMMIT, chunks - index);
  queue.commit(chunksCommit(2 + index, index, count, POINTS_PER_CHUNK));
}
const { waitingPoints } = queue.tally(1);
for (let chunk = queue.nextChunk(1); chunk; chunk = queue.nextChunk(1)) queue.acknowledge(chunk.id, Date.now());
const acknowledgedPoints = queue.tally(1).streams[0]?.pointsAcknowledged;
const { heapUsed, rss } = process.memoryUsage();
queue.close();
console.log(JSON.stringify({ waitingPoints, acknowledgedPoints, heapUsed, rss }));
