import { expect, test } from 'vitest';
import type { Confirmer } from '../../../../src-main/agent/pipeline/confirmer.ts';
import { Settling } from '../../../../src-main/agent/pipeline/settling.ts';

/** Reads back one after the other, as the real one does; each takes until it is let on. */
function rig() {
  const did: string[] = [];
  const reads = new Map<number, () => void>();
  let last = Promise.resolve();
  const confirm = (id: number) => {
    last = last
      .then(() => new Promise<void>((settle) => reads.set(id, settle)))
      .then(() => void did.push(`read ${id}`));
    return last;
  };
  const confirmer = { confirm, close: () => last, forget: () => {} } as unknown as Confirmer;
  const settling = new Settling(confirmer, async (id) => void did.push(`end ${id}`));
  const read = async (id: number) => {
    await expect.poll(() => reads.has(id)).toBe(true);
    reads.get(id)?.();
  };
  return { settling, did, read };
}

test('the end of a stream is told only once it is read back', async () => {
  const { settling, did, read } = rig();
  const done = settling.settle(1);
  expect(did).toEqual([]);
  await read(1);
  await done;
  expect(did).toEqual(['read 1', 'end 1']);
});

test('a start takes up what was delivered and not read back, and what was read back and not ended, each once', async () => {
  const { settling, did, read } = rig();
  await settling.resume({ unconfirmedStreams: async () => [1, 2], streamsToFinalize: async () => [2, 3] });
  expect(did).toEqual(['end 3']);
  await read(1);
  await read(2);
  await expect.poll(() => did).toEqual(['end 3', 'read 1', 'end 1', 'read 2', 'end 2']);
});

test('the end that becomes due by a correction waits until nothing is being read', async () => {
  const { settling, did, read } = rig();
  void settling.confirm(1);
  settling.endLater(2);
  await read(1);
  await expect.poll(() => did).toEqual(['read 1', 'end 2']);
});
