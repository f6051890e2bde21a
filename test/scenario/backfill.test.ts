// Old data, by the real command: what is missing is delivered, what is there is never sent again, whoever sent it.
import { appendFileSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runHere } from '../support/command.ts';
import { startAgent } from '../support/processes/agent-process.ts';
import { type Delivered, readDelivered, readEmbedded } from '../support/rigs/delivered.ts';
import { openServiceRig } from '../support/rigs/service-rig.ts';
import { tempFolder } from '../support/temp-folder.ts';

const START_MS = Date.UTC(2026, 8, 1, 8);
const HEADER = 'time,T,p\n';
/** Lines numbered from..to, one a second; the number is the first value. */
const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => {
    const stamp = new Date(START_MS + (from + i) * 1000).toISOString().slice(0, 19).replace('T', ' ');
    return `${stamp},${from + i},${(from + i) / 10}\n`;
  }).join('');
const upTo = (last: number, from = 1) => Array.from({ length: last - from + 1 }, (_, i) => from + i);
/** Values of a channel, also where files side by side gave it their name besides. */
const valuesOf = (delivered: Delivered, channel: string) =>
  [...delivered]
    .filter(([name]) => name === channel || name.startsWith(`${channel} (`))
    .flatMap(([, points]) => points.map(({ value }) => value))
    .sort((a, b) => a - b);

interface Place {
  readonly logs: string;
  readonly data: string;
  readonly config: string;
  /** Write the settings anew. */
  set(source: string, url?: string): void;
  /** Arguments of a command. */
  args(command: string, ...more: string[]): string[];
}

function makePlace(source = '', url = 'embedded'): Place {
  const folder = tempFolder();
  const [logs, data, config] = [join(folder, 'logs'), join(folder, 'data'), join(folder, 'epistream.yaml')];
  mkdirSync(logs);
  const set = (own: string, address = url) =>
    writeFileSync(
      config,
      `version: 1\nservice: { url: '${address}' }\ntool: { name: T, time_zone: UTC }\nsources:\n  - { id: log, kind: log, path: '${logs}', match: '**/*.csv'${own === '' ? '' : `, ${own}`} }\n`,
    );
  set(source);
  const args = (command: string, ...more: string[]) => [command, '--config', config, '--data', data, ...more];
  return { logs, data, config, set, args };
}

/** Write a log that was last changed long ago. */
function writeOld(logs: string, name: string, text: string): void {
  mkdirSync(join(logs, name, '..'), { recursive: true });
  writeFileSync(join(logs, name), text);
  const at = new Date(START_MS + 3 * 86_400_000);
  utimesSync(join(logs, name), at, at);
}

interface PlanJson {
  catalogue: string;
  sources: { files: { path: string; state: string; missingBytes: number; thereBytes: number; why: string }[] }[];
}

async function plan(place: Place, env: Record<string, string> = {}, ...more: string[]) {
  const ended = await runHere(place.args('backfill', '--plan', '--json', ...more), env);
  expect(ended, ended.err).toMatchObject({ code: 0 });
  const { catalogue, sources } = JSON.parse(ended.out) as PlanJson;
  const files = sources.flatMap((source) => source.files);
  return { catalogue, states: Object.fromEntries(files.map(({ path, state }) => [path, state])), files };
}

describe('by the ledger of the agent', () => {
  test('what was passed over at the first start is filled, once, however often it is asked for', async () => {
    const place = makePlace();
    writeOld(place.logs, 'run 1/log.csv', HEADER + lines(1, 500));
    writeOld(place.logs, 'run 2/log.csv', HEADER + lines(501, 900));
    writeFileSync(join(place.logs, 'today.csv'), HEADER.replaceAll(/[Tp]/g, 'x$&') + lines(1, 300));
    expect((await plan(place)).states).toEqual({ 'run 1/log.csv': 'new', 'run 2/log.csv': 'new', 'today.csv': 'new' });
    // The first start: nothing is said about old data, so none is read; what comes later is.
    const first = await runHere(place.args('run', '--drain-and-exit'));
    expect(first.out).toContain('3 files were there before the first start');
    appendFileSync(join(place.logs, 'today.csv'), lines(301, 310));
    await runHere(place.args('run', '--drain-and-exit'));
    expect(valuesOf(await readEmbedded(join(place.data, 'service')), 'xT')).toEqual(upTo(310, 301));
    const asked = await plan(place);
    expect(asked.states).toEqual({ 'run 1/log.csv': 'new', 'run 2/log.csv': 'new', 'today.csv': 'partly' });
    expect(asked.catalogue).toBe('asked');
    const filled = await runHere(place.args('backfill'));
    expect(filled, filled.err).toMatchObject({ code: 0 });
    expect(filled.out).toContain('run 1: 1 file, 2026-09-01 08:00 to 2026-09-04 08:00 UTC: 1 new');
    const delivered = await readEmbedded(join(place.data, 'service'));
    expect(valuesOf(delivered, 'xT')).toEqual(upTo(310));
    expect(valuesOf(delivered, 'T')).toEqual(upTo(900));
    expect(valuesOf(delivered, 'p')).toHaveLength(900);
    // A second time there is nothing left to send.
    const again = await runHere(place.args('backfill'));
    expect(again.out).toContain('Nothing is missing.');
    expect(await readEmbedded(join(place.data, 'service'))).toEqual(delivered);
    const states = Object.values((await plan(place)).states);
    expect(states).toEqual(['there', 'there', 'there']);
  });

  test('killed in the middle, again and again, it goes on where it was', async () => {
    const place = makePlace();
    const days = 3;
    const perDay = 4000;
    for (let day = 0; day < days; day++) {
      writeOld(place.logs, `log-2026-09-0${day + 1}.csv`, HEADER + lines(day * 86_400 + 1, day * 86_400 + perDay));
    }
    for (let round = 1; round <= 2; round++) {
      const agent = startAgent(place.args('backfill'));
      // Killed at another place each time: while it reads, while it sends, while it waits for the service.
      await agent.waitFor(/Recording of T started/).catch(() => undefined);
      await new Promise((done) => setTimeout(done, 150 * round));
      agent.child.kill('SIGKILL');
      await agent.ended;
    }
    const last = await runHere(place.args('backfill'));
    expect(last, last.err).toMatchObject({ code: 0 });
    const expected = Array.from({ length: days }, (_, day) => upTo(day * 86_400 + perDay, day * 86_400 + 1)).flat();
    expect(valuesOf(await readEmbedded(join(place.data, 'service')), 'T')).toEqual(expected);
  });

  test('the settings ask for it, too: a running agent fills behind what is new, and the plan can be asked meanwhile', async () => {
    const place = makePlace();
    writeFileSync(join(place.logs, 'log.csv'), HEADER + lines(1, 400));
    await runHere(place.args('run', '--drain-and-exit'));
    place.set('backfill: all');
    const agent = startAgent(place.args('run'));
    await agent.waitFor(/All old data that was asked for is read/);
    const running = await plan(place);
    expect(running.states).toEqual({ 'log.csv': 'there' });
    const refused = await runHere(place.args('backfill'));
    expect(refused.code).toBe(1);
    expect(refused.err).toContain('already running');
    expect(refused.err).toContain('--plan works meanwhile');
    agent.child.kill('SIGTERM');
    await agent.ended;
    await runHere(place.args('run', '--drain-and-exit'));
    expect(valuesOf(await readEmbedded(join(place.data, 'service')), 'T')).toEqual(upTo(400));
  });

  test('from a date on, and of one source that is named', async () => {
    const place = makePlace('backfill: from-now');
    writeOld(place.logs, 'log.csv', HEADER + lines(1, 10) + lines(86_400, 86_410));
    const filled = await runHere(place.args('backfill', '--from', '2026-09-02', '--source', 'log'));
    expect(filled, filled.err).toMatchObject({ code: 0 });
    expect(valuesOf(await readEmbedded(join(place.data, 'service')), 'T')).toEqual(upTo(86_410, 86_400));
    const unknown = await runHere(place.args('backfill', '--plan', '--source', 'other'));
    expect(unknown.err).toContain('Log folders: log.');
    expect((await runHere(place.args('backfill', '--from', '1.9.2026'))).code).toBe(2);
  });
});

describe('by the catalogue, where the ledger does not know', () => {
  async function external(text: string) {
    const rig = await openServiceRig();
    const place = makePlace('backfill: all', rig.service.url);
    const env = { EPISTREAM_API_KEY: rig.service.apiKey };
    writeOld(place.logs, 'log.csv', text);
    const first = await runHere(place.args('run', '--drain-and-exit'), env);
    expect(first, first.err).toMatchObject({ code: 0 });
    // The data folder is lost with the disk; the logs and the service are still there.
    const data = tempFolder();
    const args = (command: string, ...more: string[]) => [command, '--config', place.config, '--data', data, ...more];
    return { rig, env, place, lost: { ...place, data, args } };
  }

  test('what an agent whose data folder was lost had sent is not sent again, and the rest is', async () => {
    const { rig, env, place, lost } = await external(HEADER + lines(1, 700));
    place.set('backfill: from-now', rig.service.url);
    writeOld(place.logs, 'log.csv', HEADER + lines(1, 1000));
    writeOld(place.logs, 'other.csv', 'time,Q\n2026-09-01 08:00:00,5\n');
    const open = await plan(lost, env);
    expect(open.files.find(({ path }) => path === 'log.csv')).toMatchObject({ state: 'held', missingBytes: 0 });
    expect(open.files.find(({ path }) => path === 'log.csv')?.why).toContain('is still open');
    const careful = await runHere(lost.args('backfill'), env);
    expect(careful.code).toBe(3);
    expect(valuesOf(await readDelivered(rig.client), 'T')).toEqual(upTo(700));
    expect(valuesOf(await readDelivered(rig.client), 'Q')).toEqual([5]);
    const asked = await plan(lost, env, '--open-ended');
    expect(asked.states).toEqual({ 'log.csv': 'partly', 'other.csv': 'there' });
    const filled = await runHere(lost.args('backfill', '--open-ended'), env);
    expect(filled, filled.err).toMatchObject({ code: 0 });
    const delivered = await readDelivered(rig.client);
    expect(valuesOf(delivered, 'T')).toEqual(upTo(1000));
    expect(valuesOf(delivered, 'p')).toHaveLength(1000);
    const again = await runHere(lost.args('backfill', '--open-ended'), env);
    expect(again, again.err).toMatchObject({ code: 0 });
    expect(await readDelivered(rig.client)).toEqual(delivered);
  });

  test('lines of which the service has only some channels, and values under another name, are left alone and named', async () => {
    const { rig, env, place, lost } = await external(`time,T\n${lines(1, 50).replaceAll(/,[\d.]+\n/g, '\n')}`);
    place.set('backfill: from-now', rig.service.url);
    writeOld(place.logs, 'log.csv', HEADER + lines(1, 60));
    const asked = await plan(lost, env, '--open-ended');
    expect(asked.states).toEqual({ 'log.csv': 'partly' });
    expect(asked.files[0]?.why).toContain('of some lines only a part is in');
    const filled = await runHere(lost.args('backfill', '--open-ended'), env);
    expect(filled.code).toBe(3);
    const delivered = await readDelivered(rig.client);
    expect(valuesOf(delivered, 'T')).toEqual(upTo(60));
    expect(valuesOf(delivered, 'p')).toEqual(upTo(60, 51).map((n) => n / 10));
    const other = await external(`time,Temperature\n${lines(1, 50).replaceAll(/,[\d.]+\n/g, '\n')}`);
    other.place.set('backfill: from-now', other.rig.service.url);
    writeOld(other.place.logs, 'log.csv', `time,T\n${lines(1, 60).replaceAll(/,[\d.]+\n/g, '\n')}`);
    const named = await plan(other.lost, other.env, '--open-ended');
    expect(named.files[0]).toMatchObject({
      state: 'held',
      why: expect.stringContaining('under the name "Temperature"'),
    });
  });

  test('an entry that is called like a log is named, and the log is not sent beside it', async () => {
    const rig = await openServiceRig();
    const place = makePlace('backfill: from-now', rig.service.url);
    const env = { EPISTREAM_API_KEY: rig.service.apiKey };
    writeOld(place.logs, 'growth 12.csv', HEADER + lines(1, 5));
    await rig.client.initializeStream({ points_per_chunk: 10, stream_name: 'Growth 12.csv' });
    const asked = await plan(place, env);
    expect(asked.files[0]).toMatchObject({ state: 'held', why: expect.stringContaining('is called "Growth 12.csv"') });
  });

  test('without the catalogue the plan says so, and nothing is sent', async () => {
    const place = makePlace('backfill: from-now', 'http://127.0.0.1:9');
    writeOld(place.logs, 'log.csv', HEADER + lines(1, 5));
    const env = { EPISTREAM_API_KEY: 'some-key-123' };
    const asked = await plan(place, env);
    expect(asked.states).toEqual({ 'log.csv': 'new' });
    expect(asked.catalogue).not.toBe('asked');
    const filled = await runHere(place.args('backfill'), env);
    expect(filled.code).toBe(1);
    expect(filled.err).toContain('Nothing was sent, since it might be there.');
  });
});
