// Which entries may hold points of a stream that goes on in an entry of its own.
import { expect, test } from 'vitest';
import { FormerEntries } from '../../../../src-main/agent/old-data/former-entries.ts';
import type { ServiceClient } from '../../../../src-main/delivery/client/client.ts';
import type { UploadStream } from '../../../../src-main/model/queue.ts';

/** Stamps of the series of each entry that another queue made after the stream's own. */
function formerWith(series: Readonly<Record<string, readonly number[]>>): FormerEntries {
  const names = ['own', ...Object.keys(series)];
  const service = {
    listDataEntries: async () =>
      names.map((name, at) => ({
        data_id: name,
        raw_name: `T log 2026-09-01 08:00:0${at} kk2222${at + 2}`,
        pipeline_status: 'success',
        upload_datetime: new Date(Date.UTC(2026, 8, 1, 8, at)).toISOString(),
      })),
    scanTimeSeries: async (
      { data_id }: { data_id: string },
      { onNumbers }: { onNumbers(property: string, array: string, from: number, numbers: Float64Array): void },
    ) => {
      const times = series[data_id] ?? [];
      if (times.length === 0) return null;
      onNumbers('T', 'times', 0, Float64Array.from(times));
      onNumbers('T', 'values', 0, Float64Array.from(times));
      return {};
    },
  } as unknown as Pick<ServiceClient, 'listDataEntries' | 'scanTimeSeries'>;
  return new FormerEntries({
    service,
    toolName: 'T',
    timeZone: 'UTC',
    serviceAddress: 's',
    monotonicMs: () => 0,
    holdOffMs: 0,
    store: {
      knownEntries: async () => ({ dataIds: ['own'], doubtful: [], before: [], isInDoubt: false }),
      storedPage: async () => ({ blocks: [], damaged: [], next: null }),
      listChannelNames: async () => new Map(),
    },
  });
}

/** A stream whose readings stand from 1 s to 2 s, of which all that is sealed is acknowledged. */
const goesOn = { id: 1, sourceId: 'log', dataId: 'own', isFromLive: true, firstMs: 1000, lastMs: 2000 } as UploadStream;
const kindOf = async (series: Readonly<Record<string, readonly number[]>>) =>
  (await formerWith(series).find({ ...goesOn, mayHoldMore: false }, new AbortController().signal)).kind;

test('an entry without points holds nothing of a stream, and neither does one that ends before it begins', async () => {
  expect(await kindOf({ empty: [] })).toBe('none');
  expect(await kindOf({ before: [100, 500] })).toBe('none');
});

test('an entry that goes on behind the stream may hold what is still to be read', async () => {
  expect(await kindOf({ behind: [2500, 9000] })).toBe('some');
  expect(await kindOf({ empty: [], inside: [1500] })).toBe('some');
});
