import { expect, test } from 'vitest';
import { gateByClock } from '../../../../src-main/agent/service-link/clock-gate.ts';
import type { UploadService } from '../../../../src-main/delivery/upload/ports.ts';

test('nothing reaches the service while the clock cannot be right, and it is told why; then everything does', async () => {
  const reached: string[] = [];
  const call = (name: string) => async () => {
    reached.push(name);
    return [] as never;
  };
  const names = ['initializeStream', 'ingestChunk', 'readTimeSeries', 'listDataEntries', 'endStream'] as const;
  const service = Object.fromEntries(names.map((name) => [name, call(name)])) as unknown as UploadService;
  const ask = (name: (typeof names)[number]) =>
    (gated[name] as (...args: unknown[]) => Promise<unknown>)({}, { signal: new AbortController().signal });
  let wrongMs: number | null = Date.UTC(2006, 0, 1);
  const gated = gateByClock(service, () => wrongMs);
  expect(Object.keys(gated).toSorted()).toEqual(names.toSorted());
  for (const name of names) {
    await expect(ask(name)).rejects.toMatchObject({
      code: 'clock.upload-waits',
      message: expect.stringContaining('2006-01-01'),
      failure: { kind: 'not-sent' },
    });
  }
  expect(reached).toEqual([]);
  wrongMs = null;
  for (const name of names) await ask(name);
  expect(reached).toEqual(names);
});
