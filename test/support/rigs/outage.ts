// Three days without network, on a clock that runs as fast as it can: the engine with the real store.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { Uploader } from '../../../src-main/delivery/upload/uploader.ts';
import { Recorder } from '../../../src-main/queue/recorder/recorder.ts';
import { openQueue } from '../../../src-main/queue/store/queue.ts';
import { CALM, ModelService } from '../../simulation/model-service.ts';
import { Chance } from '../../simulation/random.ts';
import { VirtualClock } from '../../simulation/virtual-clock.ts';
import { tempFolder } from '../temp-folder.ts';
import { promiseQueue } from './promised-queue.ts';

const DAY_MS = 86_400_000;

/** Be without network for so many days while a reading comes every `stepMs`, and deliver all of it afterwards. */
export async function expectDeliveredAfterOutage(days: number, stepMs: number): Promise<void> {
  const clock = new VirtualClock();
  const chance = new Chance(7);
  const service = new ModelService(clock, chance, CALM);
  const queue = openQueue(join(tempFolder('outage', process.platform === 'linux' ? '/dev/shm' : tmpdir()), 'queue.db'));
  const store = promiseQueue(queue);
  let nonce = 0;
  const uploader = new Uploader({
    queue: store,
    service,
    serviceAddress: 'model',
    clock,
    random: chance.next,
    finalizePath: null,
    policy: { resend: 'verify', holdOffMs: 15_000 },
    onChange: () => {},
    onLine: () => {},
    onDelivered: () => {},
    onFailure: () => {},
  });
  const recorder = await Recorder.open({
    store,
    clock,
    timeZone: 'UTC',
    toolName: 'MBE-1',
    synthSourceId: null,
    ruleOf: () => ({ pointsPerChunk: 10, rollover: 'daily', closeAfterQuietMs: null }),
    makeNonce: () => `n${nonce++}`,
    onCommitted: (ids) => void uploader.notify(ids),
    onStoreState: () => {},
  });
  await uploader.start();
  const channels = ['substrate', 'chamber'];
  let value = 0;
  const record = async () => {
    value += 1;
    const timesMs = Float64Array.of(clock.nowMs());
    const block = { channels, timesMs, values: Float64Array.of(value, -value) };
    void recorder.capture('log', {
      blocks: [block],
      positions: [],
      rowsRead: 1,
      refusals: [],
      refusedCount: 0,
      origin: 'live',
    });
    await clock.pass(stepMs);
    recorder.tick();
  };

  await clock.pass(DAY_MS / 2);
  service.isDown = true;
  for (let passedMs = 0; passedMs < days * DAY_MS; passedMs += stepMs) {
    await record();
    if (value % 50 !== 0) continue;
    // The agent's own view is fed from its store: it shows the newest reading although nothing is sent.
    const seen = queue.readPoints('log', 'substrate', clock.nowMs() - 10 * stepMs, clock.nowMs());
    expect(seen.values.at(-1)).toBe(value);
    expect(uploader.lineFault).toMatchObject({ trouble: 'offline' });
  }
  expect(queue.tally(1).waitingPoints).toBe(2 * value);

  service.isDown = false;
  const openStream = queue.tally(days + 10).streams.find(({ isClosed }) => !isClosed);
  while (service.entries.size < days + 1) await clock.pass(100);
  await record();
  await clock.pass(20_000);
  const after = queue.tally(days + 10).streams;
  const today = after.find(({ id }) => id === openStream?.id);
  expect(today?.chunksWaiting, 'today is there first').toBe(0);
  for (let i = 0; i < 60; i++) await record();
  await recorder.closeStreams();
  await clock.pass(DAY_MS / 24);
  const { streams } = queue.tally(days + 10);
  expect(streams.every(({ isDelivered }) => isDelivered)).toBe(true);
  expect(streams).toHaveLength(days + 1);
  let next = 1;
  for (const { dataId } of streams.toReversed()) {
    for (const point of service.points(dataId ?? '', 'substrate')) expect(point.value).toBe(next++);
  }
  expect(next - 1).toBe(value);
  await uploader.stop();
  queue.close();
}
