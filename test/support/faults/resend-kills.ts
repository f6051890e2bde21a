// A process that refuses chunks and sends them again, killed at moments spread over its first turns.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { makeReceipt } from '../../../src-main/delivery/receipt/receipt.ts';
import { openQueue } from '../../../src-main/queue/store/queue.ts';
import { chunkOf, GA, IN, openSmallQueue, standingValues } from '../rigs/small-queue.ts';

const RESENDER = join(import.meta.dirname, '../processes/resend-process.ts');
/** Of these many milliseconds after its first word the process lives a part, each time another one. */
const LIFE_MS = 330;

/**
 * @param kills - how often the process is killed. After each kill every point is there once and all sums hold.
 */
export async function killResender(kills: number): Promise<void> {
  const chunks = Array.from({ length: 6 }, (_, k) => [chunkOf(k, [GA], 100), chunkOf(k, [IN], 100)]).flat();
  const { queue, path } = openSmallQueue(chunks, true);
  queue.close();
  Object.assign(queue, { close: () => {} });
  const truth = standingValues(path);
  expect(truth).toHaveLength(1200);
  for (let kill = 1; kill <= kills; kill++) {
    const child = spawn(process.execPath, [RESENDER, path], { stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(child, 'close');
    await once(child.stdout, 'data');
    await sleep((kill * LIFE_MS) / kills);
    child.kill('SIGKILL');
    // One that had failed by itself would have shown nothing.
    expect((await ended)[1]).toBe('SIGKILL');
    const after = openQueue(path, { reserveBytes: 0 });
    for (const { id, name } of after.listStreams(1e9, 1000)) {
      const facts = after.streamFacts(id);
      if (facts) expect([name, makeReceipt(facts, 0, '').disagreements]).toEqual([name, []]);
    }
    after.close();
    expect(standingValues(path)).toEqual(truth);
  }
}
