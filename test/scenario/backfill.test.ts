// Old data, by the real commands: the setting `backfill` has it read, what is there is never sent again, whichever agent sent
// it, and the plan names beforehand what is new.
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
  sources: {
    openEntries: string[];
    files: { path: string; state: string; points: number; pointsThere: number; why: string }[];
  }[];
}

async function plan(place: Place) {
  const ended = await place.run('backfill', '--json');
  expect(ended, ended.err).toMatchObject({ code: 0 });
  const { catalogue, sources } = JSON.parse(ended.out) as PlanJson;
  const files = sources.flatMap((source) => source.files);
  const open = sources.flatMap(({ openEntries }) => openEntries);
  return { catalogue, open, states: Object.fromEntries(files.map(({ path, state }) => [path, state])), files };
}

describe('by the ledger of the agent', () => {
  test('reads the data that the first start skipped once, however often it starts, and the plan says so', async () => {
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
    expect(asked.files.map(({ path, points }) => [path, points])).toEqual([
      ['run 1/log.csv', 1000],
      ['run 2/log.csv', 800],
      ['today.csv', 600],
    ]);
    expect(asked.catalogue).toBe('asked');
    const told = await place.run('backfill');
    expect(told.out).toMatch(
      /^ {2}new +run 1\/log\.csv: [\d.]+ kB, 1,000 points, 2026-09-01 08:00 to 2026-09-01 08:08 UTC$/m,
    );
    expect(told.out).toMatch(/write "backfill: all", or .* into the settings of source log/);
    expect(valuesOf(await held(), 'T')).toEqual([]);
    place.set('backfill: all');
    const filled = await drain(place);
    expect(filled, filled.err).toMatchObject({ code: 0 });
    const delivered = await held();
    expect(valuesOf(delivered, 'xT')).toEqual(upTo(310));
    expect(valuesOf(delivered, 'T')).toEqual(upTo(900));
    expect(valuesOf(delivered, 'p')).toHaveLength(900);
    // A second time there is nothing left to send.
    await drain(place);
    expect(await held()).toEqual(delivered);
    expect((await place.run('backfill')).out).toContain('No file of it has rows that were not read yet.');
  });

  test('killed while it sends, and again while it waits, it goes on where it was', async () => {
    const { rig, place, write } = await openBackfillRig();
    const [day, rows] = [86_400, 1200];
    for (const n of [0, 1, 2]) write(`log-2026-09-0${n + 1}.csv`, n * day + 1, n * day + rows);
    // A chunk is under way when the process is killed, and arrives after that.
    const fault = { kind: 'late-commit', how: 'hang', delayMs: 500 } as const;
    await rig.service.setBench({ rules: [{ fault, endpoint: 'ingestChunk', skip: 1, times: 1 }] });
    const first = startAgent(place.args('run', '--drain-and-exit'), place.env);
    await expect.poll(async () => (await rig.service.runBench({ kind: 'report' })).hits).toEqual([1]);
    first.child.kill('SIGKILL');
    await first.ended;
    // The next life waits before it looks up what came of that.
    const second = startAgent(place.args('run', '--drain-and-exit'), place.env);
    const waits = async () => (await readStatus(place.data)).streams.some(({ upload }) => upload === 'waiting');
    await expect.poll(() => waits().catch(() => false)).toBe(true);
    second.child.kill('SIGKILL');
    await second.ended;
    const last = await drain(place);
    expect(last, last.err).toMatchObject({ code: 0 });
    const expected = [0, 1, 2].flatMap((n) => upTo(n * day + rows, n * day + 1));
    expect(valuesOf(await readDelivered(rig.client), 'T')).toEqual(expected);
  });

  test('a running agent reads it after what is new, and the plan can be asked meanwhile', async () => {
    const { rig, place } = await openBackfillRig();
    place.set('');
    writeFileSync(join(place.logs, 'log.csv'), HEADER + rowLines(1, 400));
    await drain(place);
    place.set('backfill: all');
    const { told, stop } = await place.start();
    await told(/All old data that was asked for is read/);
    const running = await plan(place);
    expect(running.states).toEqual({});
    await stop();
    await drain(place);
    expect(valuesOf(await readDelivered(rig.client), 'T')).toEqual(upTo(400));
  });

  test('from a date on; the plan is of one source that is named', async () => {
    const place = makePlace({ source: 'backfill: 2026-09-02' });
    writeOld(place.logs, 'log.csv', HEADER + rowLines(1, 10) + rowLines(86_400, 86_410));
    const told = await place.run('backfill', '--source', 'log');
    expect(told.out).toContain('"backfill: 2026-09-02" is set: what is from that day on is read.');
    expect(told.out).toContain(', 22 points, ');
    const filled = await drain(place);
    expect(filled, filled.err).toMatchObject({ code: 0 });
    expect(valuesOf(await readEmbedded(join(place.data, 'service')), 'T')).toEqual(upTo(86_410, 86_400));
    const unknown = await place.run('backfill', '--source', 'other');
    expect(unknown.err).toContain('Log folders: log.');
  });

  test('the plan names a file that waits for a person, and lists the others', async () => {
    const place = makePlace({ source: 'backfill: all' });
    writeOld(place.logs, 'log.csv', HEADER + rowLines(1, 5));
    writeOld(place.logs, 'dates.csv', 'time,R\n03/04/2026 10:00:00,1\n');
    const told = await place.run('backfill');
    expect(told.code).toBe(1);
    expect(told.out).toMatch(/^ {2}new +log\.csv: /m);
    expect(told.out).toMatch(/Reading ends with: .* in dates\.csv can be read as/);
  });

  test('the plan names each file that could not be read, up to ten of them', async () => {
    const place = makePlace({ source: 'backfill: all' });
    for (let n = 10; n < 22; n++) {
      // Every other line has no value.
      const lines = rowLines(n * 100, n * 100 + 39).replaceAll(/^(.*[02468]),\d+,[\d.]+$/gm, '$1');
      writeOld(place.logs, `log ${n}.csv`, HEADER + lines);
    }
    const told = await place.run('backfill');
    expect(told.code).toBe(1);
    expect(told.out).toMatch(/ {2}Reading ends with: .*log 10\.csv/);
    expect(told.out).toMatch(/^ {4}files: log 10\.csv, .*log 19\.csv and 2 more$/m);
  });

  test.each([
    ['--plan', 'Leave it out'],
    ['--from=2026-09-02', 'into the settings of the source'],
    ['--open-ended', 'Leave it out'],
  ])('refuses %s, of the time when the command sent, and says what to do instead', async (option, hint) => {
    const refused = await makePlace().run('backfill', option);
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('no longer has') });
    expect(refused.err).toContain(hint);
  });
});

describe('by the catalogue, where the ledger does not know', () => {
  /** A log that an agent sent, whose data folder is lost with the disk; the logs and the service are still there. */
  async function lostAfter(text: string) {
    const { rig, place } = await openBackfillRig();
    writeOld(place.logs, 'log.csv', text);
    const first = await drain(place);
    expect(first, first.err).toMatchObject({ code: 0 });
    return { rig, place: place.lost() };
  }

  test('what an agent whose data folder was lost had sent is not sent again, and the rest is', async () => {
    const { rig, place } = await lostAfter(HEADER + rowLines(1, 700));
    writeOld(place.logs, 'log.csv', HEADER + rowLines(1, 1000));
    writeOld(place.logs, 'other.csv', 'time,Q\n2026-09-01 08:00:00,5\n');
    const asked = await plan(place);
    expect(asked.states).toEqual({ 'log.csv': 'partly', 'other.csv': 'new' });
    expect(asked.files[0]).toMatchObject({ points: 2000, pointsThere: 1400 });
    expect(asked.open).toEqual([expect.stringMatching(/^T log 2026-09-01 08:00:01 /)]);
    expect((await place.run('backfill')).out).toMatch(
      /2,000 points, .*; 1,400 at the service already, in T log 2026-09-01/,
    );
    const filled = await drain(place);
    expect(filled, filled.err).toMatchObject({ code: 0 });
    const delivered = await readDelivered(rig.client);
    expect(valuesOf(delivered, 'T')).toEqual(upTo(1000));
    expect(valuesOf(delivered, 'p')).toHaveLength(1000);
    expect(valuesOf(delivered, 'Q')).toEqual([5]);
    expect((await plan(place)).states).toEqual({});
    expect((await plan(place.lost())).states).toEqual({ 'log.csv': 'there', 'other.csv': 'there' });
    const again = await drain(place);
    expect(again, again.err).toMatchObject({ code: 0 });
    expect(await readDelivered(rig.client)).toEqual(delivered);
  });

  test('of lines of which the service has some channels the others are sent, and the plan counts them', async () => {
    const { rig, place } = await lostAfter(`time,T\n${rowLines(1, 50).replaceAll(/,[\d.]+\n/g, '\n')}`);
    writeOld(place.logs, 'log.csv', HEADER + rowLines(1, 60));
    const asked = await plan(place);
    expect(asked.files).toMatchObject([{ state: 'partly', points: 120, pointsThere: 50 }]);
    const filled = await drain(place);
    expect(filled, filled.err).toMatchObject({ code: 0 });
    const delivered = await readDelivered(rig.client);
    expect(valuesOf(delivered, 'T')).toEqual(upTo(60));
    expect(valuesOf(delivered, 'p')).toEqual(upTo(60).map((n) => n / 10));
  });

  test('values under another name are a question, in the plan and before they are sent', async () => {
    const { place } = await lostAfter(`time,Temperature\n${rowLines(1, 50).replaceAll(/,[\d.]+\n/g, '\n')}`);
    writeOld(place.logs, 'log.csv', `time,T\n${rowLines(1, 60).replaceAll(/,[\d.]+\n/g, '\n')}`);
    const why = 'under the name "Temperature"';
    expect((await plan(place)).files).toMatchObject([{ state: 'question', why: expect.stringContaining(why) }]);
    expect(await drain(place)).toMatchObject({ code: 3, err: expect.stringContaining(why) });
  });

  test('without the catalogue the plan says so', async () => {
    const place = makePlace({ url: 'http://127.0.0.1:9', key: 'some-key-123', source: 'backfill: from-now' });
    writeOld(place.logs, 'log.csv', HEADER + rowLines(1, 5));
    const asked = await plan(place);
    expect(asked.states).toEqual({ 'log.csv': 'new' });
    expect(asked.catalogue).not.toBe('asked');
    expect((await place.run('backfill')).out).toContain('what others have sent is not known');
  });
});
