// Old data, by the real command: what is missing is delivered, what is there is never sent again, whichever agent sent it.
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readStatus, startAgent } from '../support/processes/agent-process.ts';
import {
  HEADER,
  makePlace,
  openBackfillRig,
  type Place,
  rowLines,
  upTo,
  valuesOf,
  writeOld,
} from '../support/rigs/backfill-rig.ts';
import { readDelivered, readEmbedded } from '../support/rigs/delivered.ts';

const drain = (place: Place) => place.run('run', '--drain-and-exit');

interface PlanJson {
  catalogue: string;
  sources: { files: { path: string; state: string; missingBytes: number; thereBytes: number; why: string }[] }[];
}

async function plan(place: Place, ...more: string[]) {
  const ended = await place.run('backfill', '--plan', '--json', ...more);
  expect(ended, ended.err).toMatchObject({ code: 0 });
  const { catalogue, sources } = JSON.parse(ended.out) as PlanJson;
  const files = sources.flatMap((source) => source.files);
  return { catalogue, states: Object.fromEntries(files.map(({ path, state }) => [path, state])), files };
}

describe('by the ledger of the agent', () => {
  test('fills the data that the first start skipped, once, however often the command runs', async () => {
    const { rig, place } = await openBackfillRig();
    const held = () => readDelivered(rig.client);
    place.set('');
    writeOld(place.logs, 'run 1/log.csv', HEADER + rowLines(1, 500));
    writeOld(place.logs, 'run 2/log.csv', HEADER + rowLines(501, 900));
    writeFileSync(join(place.logs, 'today.csv'), HEADER.replaceAll(/[Tp]/g, 'x$&') + rowLines(1, 300));
    expect((await plan(place)).states).toEqual({ 'run 1/log.csv': 'new', 'run 2/log.csv': 'new', 'today.csv': 'new' });
    // The first start: nothing is said about old data, so none is read; what comes later is.
    const first = await drain(place);
    expect(first.out).toContain('3 files were there before the first start');
    appendFileSync(join(place.logs, 'today.csv'), rowLines(301, 310));
    await drain(place);
    expect(valuesOf(await held(), 'xT')).toEqual(upTo(310, 301));
    const asked = await plan(place);
    expect(asked.states).toEqual({ 'run 1/log.csv': 'new', 'run 2/log.csv': 'new', 'today.csv': 'partly' });
    expect(asked.catalogue).toBe('asked');
    const filled = await place.run('backfill');
    expect(filled, filled.err).toMatchObject({ code: 0 });
    expect(filled.out).toContain('run 1: 1 file, 2026-09-01 08:00 to 2026-09-04 08:00 UTC: 1 new');
    const delivered = await held();
    expect(valuesOf(delivered, 'xT')).toEqual(upTo(310));
    expect(valuesOf(delivered, 'T')).toEqual(upTo(900));
    expect(valuesOf(delivered, 'p')).toHaveLength(900);
    // A second time there is nothing left to send.
    const again = await place.run('backfill');
    expect(again.out).toContain('Nothing is missing.');
    expect(await held()).toEqual(delivered);
    const states = Object.values((await plan(place)).states);
    expect(states).toEqual(['there', 'there', 'there']);
  });

  test('killed while it sends, and again while it waits, it goes on where it was', async () => {
    const { rig, place, write } = await openBackfillRig();
    const [day, rows] = [86_400, 1200];
    for (const n of [0, 1, 2]) write(`log-2026-09-0${n + 1}.csv`, n * day + 1, n * day + rows);
    // A chunk is under way when the process is killed, and arrives after that.
    const fault = { kind: 'late-commit', how: 'hang', delayMs: 500 } as const;
    await rig.service.setBench({ rules: [{ fault, endpoint: 'ingestChunk', skip: 1, times: 1 }] });
    const first = startAgent(place.args('backfill'), place.env);
    await expect.poll(async () => (await rig.service.runBench({ kind: 'report' })).hits).toEqual([1]);
    first.child.kill('SIGKILL');
    await first.ended;
    // The next life waits before it looks up what came of that.
    const second = startAgent(place.args('backfill'), place.env);
    const waits = async () => (await readStatus(place.data)).streams.some(({ upload }) => upload === 'waiting');
    await expect.poll(() => waits().catch(() => false)).toBe(true);
    second.child.kill('SIGKILL');
    await second.ended;
    const last = await place.run('backfill');
    expect(last, last.err).toMatchObject({ code: 0 });
    const expected = [0, 1, 2].flatMap((n) => upTo(n * day + rows, n * day + 1));
    expect(valuesOf(await readDelivered(rig.client), 'T')).toEqual(expected);
  });

  test('the settings ask for it, too: a running agent fills behind what is new, and the plan can be asked meanwhile', async () => {
    const { rig, place } = await openBackfillRig();
    place.set('');
    writeFileSync(join(place.logs, 'log.csv'), HEADER + rowLines(1, 400));
    await drain(place);
    place.set('backfill: all');
    const { told, stop } = await place.start();
    await told(/All old data that was asked for is read/);
    const running = await plan(place);
    expect(running.states).toEqual({ 'log.csv': 'there' });
    const refused = await place.run('backfill');
    expect(refused.code).toBe(1);
    expect(refused.err).toContain('already running');
    expect(refused.err).toContain('--plan works meanwhile');
    await stop();
    await drain(place);
    expect(valuesOf(await readDelivered(rig.client), 'T')).toEqual(upTo(400));
  });

  test('from a date on, and of one source that is named', async () => {
    const place = makePlace({ source: 'backfill: from-now' });
    writeOld(place.logs, 'log.csv', HEADER + rowLines(1, 10) + rowLines(86_400, 86_410));
    const filled = await place.run('backfill', '--from', '2026-09-02', '--source', 'log');
    expect(filled, filled.err).toMatchObject({ code: 0 });
    expect(valuesOf(await readEmbedded(join(place.data, 'service')), 'T')).toEqual(upTo(86_410, 86_400));
    const unknown = await place.run('backfill', '--plan', '--source', 'other');
    expect(unknown.err).toContain('Log folders: log.');
    expect((await place.run('backfill', '--from', '1.9.2026')).code).toBe(2);
  });
});

describe('by the catalogue, where the ledger does not know', () => {
  /** A log that an agent sent, whose data folder is lost with the disk; the logs and the service are still there. */
  async function lostAfter(text: string) {
    const { rig, place } = await openBackfillRig();
    place.set('backfill: all');
    writeOld(place.logs, 'log.csv', text);
    const first = await drain(place);
    expect(first, first.err).toMatchObject({ code: 0 });
    place.set('backfill: from-now');
    return { rig, place: place.lost() };
  }

  test('what an agent whose data folder was lost had sent is not sent again, and the rest is', async () => {
    const { rig, place } = await lostAfter(HEADER + rowLines(1, 700));
    writeOld(place.logs, 'log.csv', HEADER + rowLines(1, 1000));
    writeOld(place.logs, 'other.csv', 'time,Q\n2026-09-01 08:00:00,5\n');
    const open = await plan(place);
    expect(open.files.find(({ path }) => path === 'log.csv')).toMatchObject({ state: 'held', missingBytes: 0 });
    expect(open.files.find(({ path }) => path === 'log.csv')?.why).toContain('is still open');
    const careful = await place.run('backfill');
    expect(careful.code).toBe(3);
    expect(valuesOf(await readDelivered(rig.client), 'T')).toEqual(upTo(700));
    expect(valuesOf(await readDelivered(rig.client), 'Q')).toEqual([5]);
    const asked = await plan(place, '--open-ended');
    expect(asked.states).toEqual({ 'log.csv': 'partly', 'other.csv': 'there' });
    const filled = await place.run('backfill', '--open-ended');
    expect(filled, filled.err).toMatchObject({ code: 0 });
    const delivered = await readDelivered(rig.client);
    expect(valuesOf(delivered, 'T')).toEqual(upTo(1000));
    expect(valuesOf(delivered, 'p')).toHaveLength(1000);
    const again = await place.run('backfill', '--open-ended');
    expect(again, again.err).toMatchObject({ code: 0 });
    expect(await readDelivered(rig.client)).toEqual(delivered);
  });

  test('lines of which the service has only some channels, and values under another name, are left alone and named', async () => {
    const { rig, place } = await lostAfter(`time,T\n${rowLines(1, 50).replaceAll(/,[\d.]+\n/g, '\n')}`);
    writeOld(place.logs, 'log.csv', HEADER + rowLines(1, 60));
    const asked = await plan(place, '--open-ended');
    expect(asked.states).toEqual({ 'log.csv': 'partly' });
    expect(asked.files[0]?.why).toContain('of some lines only a part is in');
    const filled = await place.run('backfill', '--open-ended');
    expect(filled.code).toBe(3);
    const delivered = await readDelivered(rig.client);
    expect(valuesOf(delivered, 'T')).toEqual(upTo(60));
    expect(valuesOf(delivered, 'p')).toEqual(upTo(60, 51).map((n) => n / 10));
    const other = await lostAfter(`time,Temperature\n${rowLines(1, 50).replaceAll(/,[\d.]+\n/g, '\n')}`);
    writeOld(other.place.logs, 'log.csv', `time,T\n${rowLines(1, 60).replaceAll(/,[\d.]+\n/g, '\n')}`);
    const named = await plan(other.place, '--open-ended');
    expect(named.files[0]).toMatchObject({
      state: 'held',
      why: expect.stringContaining('under the name "Temperature"'),
    });
  });

  test('an entry that is called like a log is named, and the log is not sent beside it', async () => {
    const { rig, place } = await openBackfillRig();
    writeOld(place.logs, 'growth 12.csv', HEADER + rowLines(1, 5));
    await rig.client.initializeStream({ points_per_chunk: 10, stream_name: 'Growth 12.csv' });
    const asked = await plan(place);
    expect(asked.files[0]).toMatchObject({ state: 'held', why: expect.stringContaining('is called "Growth 12.csv"') });
  });

  test('without the catalogue the plan says so, and nothing is sent', async () => {
    const place = makePlace({ url: 'http://127.0.0.1:9', key: 'some-key-123', source: 'backfill: from-now' });
    writeOld(place.logs, 'log.csv', HEADER + rowLines(1, 5));
    const asked = await plan(place);
    expect(asked.states).toEqual({ 'log.csv': 'new' });
    expect(asked.catalogue).not.toBe('asked');
    const filled = await place.run('backfill');
    expect(filled.code).toBe(1);
    expect(filled.err).toContain('Nothing was sent, since it might be there.');
  });
});
