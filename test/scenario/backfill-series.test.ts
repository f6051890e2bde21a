// What the service holds is judged by its series: entries bear the names of growths, were made under other settings, and
// the modification times of files say what they like. A backfill from a new data folder sends nothing a second time.
import { appendFileSync, cpSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runHere } from '../support/command.ts';
import { openBackfillRig, rowLines, START_MS, upTo, valuesOf } from '../support/rigs/backfill-rig.ts';
import { readDelivered } from '../support/rigs/delivered.ts';
import { tempFolder } from '../support/temp-folder.ts';

const changed = (path: string, timeMs: number) => utimesSync(path, new Date(timeMs), new Date(timeMs));

describe('a backfill from a new data folder', () => {
  test('knows entries with the name of a growth, and corrected parts, as those of their source', async () => {
    const { rig, place, write, deliver } = await openBackfillRig();
    const log = write('log.csv', 1, 400);
    await deliver('T log 2026-09-01 08:00:01 GaAs on Si 42 kk22222', 1, 200);
    await deliver('T log 2026-09-01 08:00:01 GaAs on Si 42 kk22222, corrected part kk33333', 201, 300);
    changed(log, START_MS + 86_400_000);
    const filled = await place.run('run', '--drain-and-exit');
    expect(filled, filled.err).toMatchObject({ code: 0 });
    expect(valuesOf(await readDelivered(rig.client), 'T')).toEqual(upTo(400));
  });

  test.each(['daily', 'growth'])('with rollover %s asks how far an entry really reaches', async (rollover) => {
    const { rig, place, write, deliver } = await openBackfillRig(`rollover: ${rollover}`);
    const day = 86_400;
    // One stream over five days, as of a growth, then the file of the fifth day alone is there.
    await deliver('T log 2026-09-01 08:00:01 kk22222', 1, 10, 4 * day + 1, 4 * day + 300);
    const log = write('log.csv', 4 * day + 1, 4 * day + 400);
    changed(log, START_MS + 5 * day * 1000);
    const filled = await place.run('run', '--drain-and-exit');
    expect(filled, filled.err).toMatchObject({ code: 0 });
    const all = [...upTo(10), ...upTo(4 * day + 400, 4 * day + 1)];
    expect(valuesOf(await readDelivered(rig.client), 'T')).toEqual(all);
  });

  test('goes by the rows of a log, whatever its modification time says', async () => {
    // Rows behind the last change of their file are a question, unless a person names their format.
    const { rig, place, write, deliver } = await openBackfillRig('dialect: { time: { format: iso8601 } }');
    const day = 86_400;
    await deliver('T log 2026-09-05 08:00:01 kk22222', 4 * day + 1, 4 * day + 256);
    const log = write('log.csv', 1, 100, 4 * day + 1, 4 * day + 284);
    // Copied by a program that gives every file the day on which the run began.
    changed(log, START_MS);
    const filled = await place.run('run', '--drain-and-exit');
    expect(filled, filled.err).toMatchObject({ code: 0 });
    expect(valuesOf(await readDelivered(rig.client), 'T')).toEqual([...upTo(100), ...upTo(4 * day + 284, 4 * day + 1)]);
  });
});

test('what was added to a log while the agent was off is missing in the plan, line by line, until it is sent', async () => {
  const { rig, place, write } = await openBackfillRig();
  place.set('backfill: from-now');
  write('log.csv', 1, 10);
  write('grown.csv', 1001, 1010);
  await place.run('run', '--drain-and-exit');
  appendFileSync(join(place.logs, 'grown.csv'), rowLines(1011, 1020));
  appendFileSync(join(place.logs, 'log.csv'), rowLines(11, 30));
  await place.run('run', '--drain-and-exit');
  appendFileSync(join(place.logs, 'log.csv'), `${rowLines(31, 50)}2026-09-01 08:00`);
  const planned = JSON.parse((await place.run('backfill', '--json')).out);
  // Lines that no run has read yet count, too; the half line at the end does not.
  expect(planned.sources[0].files).toMatchObject([
    { path: 'grown.csv', state: 'new', points: 20 },
    { path: 'log.csv', state: 'new', points: 60 },
  ]);
  expect(valuesOf(await readDelivered(rig.client), 'T')).toEqual([...upTo(30, 11), ...upTo(1020, 1011)]);
  place.set('backfill: all');
  await place.run('run', '--drain-and-exit');
  const all = await readDelivered(rig.client);
  expect(valuesOf(all, 'T')).toEqual([...upTo(50), ...upTo(1020, 1001)]);
  const after = JSON.parse((await place.run('backfill', '--json')).out);
  expect(after.sources[0].files).toEqual([]);
});

describe('a queue that does not know what was sent', () => {
  test.each([
    ['rollover: growth', 'rollover: daily'],
    ['rollover: daily, points_per_chunk: 7', 'rollover: growth'],
  ])(
    'lost and started again with backfill: all, it sends what is missing once (%s, then %s)',
    async (first, second) => {
      const { rig, place, write } = await openBackfillRig();
      const drain = async () => {
        const ended = await place.run('run', '--drain-and-exit');
        expect(ended, ended.err).toMatchObject({ code: 0 });
        return ended;
      };
      place.set(`backfill: all, ${first}`);
      write('log.csv', 1, 700);
      await drain();
      rmSync(place.data, { recursive: true });
      place.set(`backfill: all, ${second}`);
      write('log.csv', 1, 1000);
      await drain();
      const delivered = await readDelivered(rig.client);
      expect(valuesOf(delivered, 'T')).toEqual(upTo(1000));
      expect(valuesOf(delivered, 'p')).toHaveLength(1000);
      const receipt = await runHere(['receipt', '--data', place.data, '1']);
      expect(receipt.out).toMatch(
        /1,400 points were at the service already, in "T log 2026-09-01 08:00:01 \w+", and were not sent again/,
      );
      // It goes on as any other.
      write('log.csv', 1, 1100);
      await drain();
      expect(valuesOf(await readDelivered(rig.client), 'T')).toEqual(upTo(1100));
    },
  );

  test('as an older copy that was put back, it sends nothing a second time', async () => {
    const { rig, place, write } = await openBackfillRig();
    const log = write('log.csv', 1, 100);
    await place.run('run', '--drain-and-exit');
    const copy = tempFolder('copy');
    cpSync(place.data, copy, { recursive: true });
    appendFileSync(log, rowLines(101, 200));
    await place.run('run', '--drain-and-exit');
    rmSync(place.data, { recursive: true });
    cpSync(copy, place.data, { recursive: true });
    appendFileSync(log, rowLines(201, 230));
    const ended = await place.run('run', '--drain-and-exit');
    expect(ended, ended.err).toMatchObject({ code: 0 });
    expect(valuesOf(await readDelivered(rig.client), 'T')).toEqual(upTo(230));
  });

  test('records old rows while the service cannot be asked, and sends once it can', async () => {
    const { rig, place, write, deliver } = await openBackfillRig();
    await deliver('T log 2026-09-01 08:00:01 kk22222', 1, 500);
    write('log.csv', 1, 600);
    await rig.service.setBench({ rules: [{ fault: { kind: 'answer', status: 503, body: '{}' } }] });
    const { agent, told } = await place.start();
    await expect.poll(() => agent.snapshot.store?.waitingPoints).toBe(1200);
    await rig.service.setBench({});
    await told(/1000 points of stream 1 are at the service already/);
    await agent.pipeline?.recorder.closeStreams();
    await expect.poll(async () => valuesOf(await readDelivered(rig.client), 'T')).toEqual(upTo(600));
  });

  test('asks where the same values stand under another name, and does as it is told', async () => {
    const { rig, place, write } = await openBackfillRig();
    const { data_id } = await rig.client.initializeStream({
      ...{ points_per_chunk: 1000, stream_name: 'T log 2026-09-01 08:00:01 kk22222, corrected part kk33333' },
    });
    const timestamps = upTo(100).map((n) => START_MS / 1000 + n);
    const channels = {
      'T (repaired)': { timestamps, values: upTo(100) },
      renamed: { timestamps, values: upTo(100).map((n) => n / 10) },
    };
    await rig.client.ingestChunk({ data_id, chunk_index: 0, channels });
    await rig.client.endStream({ path: '/tool-state/stream/{data_id}/finalize', data_id });
    write('log.csv', 1, 120);
    const held = await place.run('run', '--drain-and-exit');
    expect(held).toMatchObject({ code: 3 });
    expect(held.err).toContain(
      'the values of "p" are in "T log 2026-09-01 08:00:01 kk22222, corrected part kk33333" under the name "renamed"',
    );
    expect(await runHere(['resend', '--data', place.data, '--stream', '1', '--held', 'leave-out'])).toMatchObject({
      code: 0,
    });
    expect(await place.run('run', '--drain-and-exit')).toMatchObject({ code: 0 });
    const delivered = await readDelivered(rig.client);
    expect(valuesOf(delivered, 'T')).toEqual(upTo(120));
    expect(valuesOf(delivered, 'p')).toEqual(upTo(120, 101).map((n) => n / 10));
  });
});
