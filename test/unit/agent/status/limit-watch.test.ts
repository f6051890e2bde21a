import { expect, test } from 'vitest';
import { LimitWatch, type LimitWatchOptions, limitsInForce } from '../../../../src-main/agent/status/limit-watch.ts';
import type { ChannelLimit } from '../../../../src-main/model/channel.ts';

test('ends the alarm of a source that was taken out of the settings', async () => {
  const limit: ChannelLimit = {
    ...{ sourceId: 'gauge', channel: 'p', lolo: null, lo: null, hi: 10, hihi: null, deadband: 0 },
    ...{ onDelayMs: 0, offDelayMs: 0, isAlways: true, guidance: '' },
  };
  let settings = { limits: [limit], sources: [{ id: 'gauge' }] };
  const options: LimitWatchOptions = {
    limits: () => limitsInForce(settings),
    isGrowing: () => true,
    kept: async () => null,
    keep: async () => {},
    mark: async () => {},
    journal: { record: () => {} },
    nowMs: () => 0,
    onChange: () => {},
  };
  const watch = await LimitWatch.open(options);
  watch.read('gauge', [{ channels: ['p'], timesMs: [0, 1], values: [11, 12] } as never]);
  expect(watch.alarms).toMatchObject([{ sourceId: 'gauge', state: 'active' }]);
  settings = { limits: [limit], sources: [] };
  watch.tick();
  expect(watch.alarms).toEqual([]);
  // The same source set up again begins without it.
  settings = { limits: [limit], sources: [{ id: 'gauge' }] };
  expect(watch.alarms).toEqual([]);
});
