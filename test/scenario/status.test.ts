import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Snapshot } from '../../src-main/contract/snapshot.ts';
import { runHere } from '../support/command.ts';
import { readStatus } from '../support/processes/agent-process.ts';
import { startHere } from '../support/rigs/agent-here.ts';
import { tempFolder } from '../support/temp-folder.ts';

test('says what was not captured and how long the buffer lasts, while the agent runs and when it does not', async () => {
  const folder = tempFolder('status');
  const [config, data] = [join(folder, 'epistream.yaml'), join(folder, 'data')];
  writeFileSync(
    config,
    `version: 1\nservice: { url: embedded }\ntool: { name: T, time_zone: UTC }\nstream_defaults: { points_per_chunk: 5 }\nsources: [{ id: growth, kind: simulator, interval: 100ms }]\n`,
  );
  const status = async (...more: string[]) => (await runHere(['status', '--data', data, ...more])).out;
  const untilDelivered = async () => {
    const { stop } = await startHere({ config, data });
    const delivered = async () => (await readStatus(data)).streams[0]?.deliveredUpToMs ?? 0;
    await expect.poll(delivered).toBeGreaterThan(0);
    return stop;
  };
  const stopFirst = await untilDelivered();
  expect(JSON.parse(await status('--json'))).toMatchObject({ isRunning: true, gaps: [], gapsTotal: 0 });
  await stopFirst();

  const stopSecond = await untilDelivered();
  // The first reading of this life tells it; what the former life delivered is there before.
  await expect.poll(async () => (await readStatus(data)).gapsTotal).toBe(1);
  const gap = { sourceId: 'growth', cause: 'the agent was not running' };
  const running = Snapshot.parse(JSON.parse(await status('--json')));
  expect(running).toMatchObject({ gapsTotal: 1, gaps: [gap] });
  expect(running.gaps[0]?.toMs).toBeGreaterThan(running.gaps[0]?.fromMs as number);
  // The rate is measured over minutes: until then it is not known, which is not 0.
  expect(running.store).toMatchObject({ bytesPerHour: null, hoursToFull: null, fill: 'unknown' });
  expect(running.store?.freeBytes).toBeGreaterThan(0);
  const text = await status();
  expect(text).toMatch(/disk: [\d.]+ [GT]B free\. Measuring how long the disk lasts/);
  expect(text).toMatch(/1 gap, noted last first:\n {2}growth: nothing from \S+Z to \S+Z: the agent was not running/);
  await stopSecond();

  const stopped = JSON.parse(await status('--json'));
  expect(stopped).toMatchObject({
    ...{ isRunning: false, gapsTotal: 1, gaps: [gap] },
    room: { bytesPerHour: null, hoursToFull: null, freeBytes: expect.any(Number) },
  });
  expect(await status()).toMatch(/disk: [\d.]+ [GT]B free\. Nothing is being recorded\.\n1 gap/);
});
