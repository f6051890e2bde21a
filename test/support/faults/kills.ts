// What is killed beside the writer of torture/: the agent while it reads, delivers, and runs a growth, and a process that sends
// refused chunks again. A row of the table opens what stays over the kills, and says what a life does, when it is killed, and what
// must hold after each kill and in the end. The moments are told, by requests and by changes of the queue file, never slept for.
import { appendFileSync, mkdirSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { GrowthView } from '../../../src-main/contract/growth.ts';
import { makeReceipt } from '../../../src-main/delivery/receipt/receipt.ts';
import type { EndpointName } from '../../../src-main/interface/table.ts';
import type { MarkPlace } from '../../../src-main/model/marks.ts';
import { openQueue, type Queue } from '../../../src-main/queue/store/queue.ts';
import { Chance } from '../../simulation/random.ts';
import { type Act, killOver, type Life } from '../../torture/kills.ts';
import { WriterProcess } from '../../torture/writer-process.ts';
import type { BenchSettings } from '../bench/bench-settings.ts';
import { runHere } from '../command.ts';
import { type AgentProcess, startAgent } from '../processes/agent-process.ts';
import type { FastAgentJob } from '../processes/fast-agent-process.ts';
import { readDelivered } from '../rigs/delivered.ts';
import { GrowthRig, streamsOf, until } from '../rigs/growth-rig.ts';
import { openServiceRig } from '../rigs/service-rig.ts';
import { chunkOf as chunkWith, GA, IN, openSmallQueue, standingValues } from '../rigs/small-queue.ts';
import { tempFolder } from '../temp-folder.ts';
import { type Asked, CHUNK_PATH, type Middleman, openMiddleman } from './middleman.ts';

const FAST_AGENT = join(import.meta.dirname, '../processes/fast-agent-process.ts');
const INITIALIZE_PATH = '/tool-state/stream/initialize';
const START_MS = Date.UTC(2026, 10, 20, 6);

type AgentLife = Pick<AgentProcess, 'child' | 'ended'>;

/** What is killed, with the judgement of all of it. */
interface KillAct<L extends Life> extends Act<L> {
  /** Called when all kills are over. Takes how many there were. */
  end(kills: number): Promise<void>;
}

/** Where the agent runs, and how it is started there. */
interface KillPlace {
  /** A folder for the log, the settings and the queue. */
  readonly folder: string;
  /** The folder as the agent sees it, with `/`. */
  readonly seenAs: string;
  start(args: readonly string[], env: Record<string, string>): AgentLife;
}

/** Kill at a request: before the service sees it, or once it has done what was asked and the answer is on its way. */
function killAtRequest(middleman: Middleman, life: Life, isIt: (asked: Asked) => boolean, isServed: boolean) {
  return new Promise<void>((resolve) => {
    const kill = () => {
      life.child.kill('SIGKILL');
      resolve();
    };
    middleman.meet = (asked) => {
      if (!isIt(asked)) return 'pass';
      middleman.meet = () => 'pass';
      if (!isServed) {
        kill();
        return { do: 'lose-request', how: 'close' };
      }
      return {
        do: 'answer',
        by: (real) => {
          kill();
          return real;
        },
      };
    };
  });
}

/** Fulfilled when the queue of a data folder has changed so many times. */
function changesOf(data: string, count: number): Promise<void> {
  return new Promise((resolve) => {
    let left = count;
    const watcher = watch(data, (_, name) => {
      if (!name?.startsWith('queue.db') || --left > 0) return;
      watcher.close();
      resolve();
    });
    onTestFinished(() => watcher.close());
  });
}

function allMarks(queue: Queue) {
  const marks: { timeMs: number; text: string; place: string; line: number | null; sourceId: string }[] = [];
  let after: MarkPlace | null = null;
  do {
    const page = queue.listMarks({ sourceId: 'log', fromMs: -Infinity, toMs: Infinity, after, limit: 700 });
    marks.push(...page.marks);
    after = page.next;
  } while (after !== null);
  return marks;
}

/** The agent reads a log of values and one of events to the end and delivers them: each point and each line is there once. */
async function deliver(place?: KillPlace): Promise<KillAct<AgentLife>> {
  const rowsALife = 1500;
  const eventsALife = 2000;
  const home = tempFolder('killed');
  const { folder, seenAs, start } = place ?? { folder: home, seenAs: home, start: startAgent };
  const { service, client } = await openServiceRig();
  const middleman = await openMiddleman(service.url);
  const chance = new Chance(Math.floor(Math.random() * 1e9));
  const [logs, data] = [join(folder, 'logs'), join(folder, 'data')];
  for (const made of [logs, data]) mkdirSync(made, { recursive: true });
  const [values, events] = [join(logs, 'growth.csv'), join(logs, 'events.log')];
  writeFileSync(values, 'time,a,b,c\n');
  writeFileSync(
    join(folder, 'epistream.yaml'),
    `version: 1
service: { url: '${middleman.url}', resend: repeat }
tool: { name: T, time_zone: UTC }
stream_defaults: { points_per_chunk: 100, rollover: growth }
sources: [{ id: log, kind: log, path: '${seenAs}/logs', match: '*', backfill: all }]
`,
  );
  const args = ['run', '--config', `${seenAs}/epistream.yaml`, '--data', `${seenAs}/data`, '--drain-and-exit'];
  const env = { EPISTREAM_API_KEY: service.apiKey };
  let rows = 0;
  let lines = 0;
  // The stamp and the values of a row tell which one it is; the events of a life lie in the time of its rows.
  const rowMs = (n: number) => START_MS + n * 500;
  const eventMs = (n: number) => START_MS + Math.floor(n / eventsALife) * rowsALife * 500 + (n % eventsALife) * 250;
  const eventText = (n: number) => `Recipe step ${n}, shutter Ga ${n % 2 === 0 ? 'opened' : 'closed'}`;
  const stampOf = (n: number) => new Date(eventMs(n)).toISOString().replace('T', ' ').slice(0, 23);
  const write = () => {
    const row = (n: number) => `${rowMs(n) / 1000},${n},${n / 4},${n % 7 === 0 ? '' : -n}\n`;
    appendFileSync(values, Array.from({ length: rowsALife }, () => row(rows++)).join(''));
    const line = (n: number) => `${stampOf(n)},${eventText(n)}\n`;
    appendFileSync(events, Array.from({ length: eventsALife }, () => line(lines++)).join(''));
  };
  return {
    start: () => {
      write();
      return start(args, env);
    },
    act: (life, kill) => {
      if (kill % 2 === 0) return changesOf(data, chance.between(1, 60));
      let toPass = chance.between(0, 8);
      return killAtRequest(middleman, life, () => toPass-- <= 0, chance.happens(0.5));
    },
    judge: async (life) => expect((await life.ended).err).toBe(''),
    end: async (kills) => {
      middleman.meet = () => 'pass';
      expect(await start(args, env).ended).toMatchObject({ code: 0, err: '' });
      const delivered = await readDelivered(client);
      const truth = (value: (n: number) => number, isThere = (_: number) => true) =>
        Array.from({ length: rows }, (_, n) => n)
          .filter(isThere)
          .map((n) => ({ timeMs: rowMs(n), value: value(n) }));
      const sorted = (name: string) => (delivered.get(name) ?? []).toSorted((p, q) => p.timeMs - q.timeMs);
      expect(sorted('a')).toEqual(truth((n) => n));
      expect(sorted('b')).toEqual(truth((n) => n / 4));
      expect(sorted('c')).toEqual(
        truth(
          (n) => -n,
          (n) => n % 7 !== 0,
        ),
      );
      const queue = openQueue(join(data, 'queue.db'), { reserveBytes: 0 });
      const marks = allMarks(queue);
      const positions = [...queue.positions('log').keys()];
      const told = queue
        .listStreams(Number.MAX_SAFE_INTEGER, 1000)
        .map(({ id }) => queue.streamFacts(id)?.marks.count ?? 0);
      queue.close();
      expect(
        marks.map(({ timeMs, text, place: file, line, sourceId }) => ({ timeMs, text, file, line, sourceId })),
      ).toEqual(
        Array.from({ length: lines }, (_, n) => ({
          ...{ timeMs: eventMs(n), text: eventText(n), file: 'events.log', line: n + 1, sourceId: 'log' },
        })),
      );
      expect(positions).toContain('events.log@1');
      // Each event lies within the one stream of the values, whose receipt tells of it.
      expect(told.reduce((sum, count) => sum + count, 0)).toBe(lines);
      console.log(`${kills} kills, ${rows} rows, ${lines} events: 0 lost, 0 doubled`);
    },
  };
}

/**
 * The agent delivers to a service that adds what is sent twice. It is killed when the service has done what was asked and before
 * the answer is noted: each third time at the making of an entry, else at a chunk.
 */
async function commit(): Promise<KillAct<AgentLife>> {
  const rowsALife = 40;
  const { service, client } = await openServiceRig({ bench: { repeat: 'append' } });
  const middleman = await openMiddleman(service.url);
  const chance = new Chance(2);
  const folder = tempFolder('killed');
  const log = join(folder, 'logs', 'tool.csv');
  const settingsFile = join(folder, 'epistream.yaml');
  mkdirSync(join(folder, 'logs'));
  writeFileSync(log, 'time,a,b\n');
  writeFileSync(
    settingsFile,
    `version: 1
service: { url: '${middleman.url}', resend: verify }
tool: { name: T, time_zone: UTC }
stream_defaults: { points_per_chunk: 5, rollover: daily }
sources: [{ id: log, kind: log, path: '${folder}/logs', match: '*.csv', backfill: all }]
`,
  );
  const job: FastAgentJob = { dataFolder: join(folder, 'data'), settingsFile, key: service.apiKey, speed: 50 };
  const start = () => startAgent([JSON.stringify(job)], {}, [], FAST_AGENT);
  const timeOf = (n: number) => START_MS + Math.floor(n / rowsALife) * 86_400_000 + (n % rowsALife) * 1000;
  let rows = 0;
  /** Rows of one more day, which are one more stream. */
  const write = () => {
    const line = (n: number) => `${timeOf(n) / 1000},${n},${n / 4}\n`;
    appendFileSync(log, Array.from({ length: rowsALife }, () => line(rows++)).join(''));
  };
  return {
    start: () => {
      write();
      return start();
    },
    act: (life, kill) => {
      const path = kill % 3 === 0 ? INITIALIZE_PATH : CHUNK_PATH;
      let toPass = path === CHUNK_PATH ? chance.between(0, 6) : 0;
      return killAtRequest(middleman, life, (asked) => asked.path === path && toPass-- <= 0, true);
    },
    judge: () => {},
    end: async () => {
      middleman.meet = () => 'pass';
      write();
      const last = await start().ended;
      expect(last.code, last.err).toBe(0);
      const delivered = await readDelivered(client);
      for (const [channel, value] of [['a', (n: number) => n] as const, ['b', (n: number) => n / 4] as const]) {
        const points = (delivered.get(channel) ?? []).toSorted((p, q) => p.timeMs - q.timeMs);
        expect(points).toEqual(Array.from({ length: rows }, (_, n) => ({ timeMs: timeOf(n), value: value(n) })));
      }
      expect(await client.listDataEntries({})).toHaveLength(rows / rowsALife);
    },
  };
}

/** A process refuses chunks and sends them again: every point is there once and all sums hold. */
function resend(): KillAct<WriterProcess> {
  const chunks = Array.from({ length: 6 }, (_, k) => [chunkWith(k, [GA], 100), chunkWith(k, [IN], 100)]).flat();
  const { queue, path } = openSmallQueue(chunks, true);
  queue.close();
  Object.assign(queue, { close: () => {} });
  const truth = standingValues(path);
  expect(truth).toHaveLength(1200);
  const chance = new Chance(Math.floor(Math.random() * 1e9));
  return {
    start: () => new WriterProcess().begin({ act: 'resend', path, seed: 0, captures: null }),
    act: (life) => life.more(chance.between(1, 60)),
    judge: () => {
      const after = openQueue(path, { reserveBytes: 0 });
      for (const { id, name } of after.listStreams(1e9, 1000)) {
        const facts = after.streamFacts(id);
        if (facts) expect([name, makeReceipt(facts, 0, '').disagreements]).toEqual([name, []]);
      }
      after.close();
      expect(standingValues(path)).toEqual(truth);
    },
    end: async () => {},
  };
}

/**
 * The growth has one sample, one RHEED entry, and one entry for each stream, all linked with that sample. Takes the growth as it was
 * seen last: another stream may have begun since. An entry that was made twice has the name of its stream twice.
 */
export async function expectOneSample(rig: GrowthRig, name: string, seen: GrowthView): Promise<void> {
  const held = (await rig.held()).filter((entry) => entry.name.includes(` ${name} `));
  expect(held.filter(({ type }) => type.startsWith('rheed'))).toHaveLength(1);
  const ofStreams = held.filter(({ type }) => type === 'tool_state');
  const seenIds = streamsOf(seen).map((stream) => stream.dataId);
  expect(ofStreams.map(({ dataId }) => dataId)).toEqual(expect.arrayContaining(seenIds));
  expect(new Set(ofStreams.map((entry) => entry.name)).size).toBe(ofStreams.length);
  expect(new Set(held.map(({ sampleName }) => sampleName))).toEqual(new Set(['G3-117']));
  expect(new Set(held.map(({ sampleId }) => sampleId)).size).toBe(1);
  expect(rig.count('sample')).toBe(1);
}

/** An agent with a growth, killed while a request of it is under way: the next agent finds what it began, and makes none twice. */
async function growth(endpoint: EndpointName = 'startRheedStream'): Promise<KillAct<AgentProcess>> {
  // The first three streams are those of before the growth.
  const skip = endpoint === 'initializeStream' ? 3 : 0;
  const rules: BenchSettings['rules'] = [{ fault: { kind: 'lost-after', how: 'hang' }, endpoint, skip, times: 1 }];
  const rig = await GrowthRig.open({ isOnline: false, bench: { rules } });
  const start = () =>
    startAgent(['run', '--config', rig.settingsFile, '--data', rig.data], { EPISTREAM_API_KEY: rig.key });
  const ask = async (...words: string[]) => {
    const { code, out, err } = await runHere(['growth', ...words, '--data', rig.data]);
    expect(err).toBe('');
    expect(code).toBe(0);
    return out;
  };
  return {
    start: () => {
      rig.work();
      return start();
    },
    act: async (life) => {
      await life.waitFor(/Recording of MBE-1 started/);
      await ask('start', '--name', 'A1420', '--new-sample', 'G3-117');
      const service = await rig.online();
      await until('it is under way', async () => (await service.runBench({ kind: 'report' })).hits[0] === 1);
    },
    judge: () => {},
    end: async () => {
      const next = start();
      await next.waitFor(/Recording of MBE-1 started/);
      expect(await ask('show')).toContain('The agent was restarted during it');
      expect(await ask('continue')).not.toContain('was restarted');
      const view = await until('the sample is known and every stream has its entry', async () => {
        const seen = JSON.parse(await ask('show', '--json'));
        const isKnown = seen.sampleId !== null && streamsOf(seen).length >= 3;
        return isKnown && streamsOf(seen).every((one) => one.dataId !== null) ? seen : null;
      });
      expect(view).toMatchObject({ state: 'running', restarts: [{ answer: 'continue' }] });
      await ask('end');
      expect(await ask('show')).toContain('No growth is under way.');
      await expectOneSample(rig, 'A1420', view);
      next.child.kill('SIGTERM');
      expect((await next.ended).code).toBe(0);
    },
  };
}

const ACTS = { deliver, commit, resend, growth } as const;

/**
 * Kill what a row of the table starts, so many times, and judge it.
 *
 * @param kills - how often; a growth has one.
 * @param given - of `deliver` where the agent runs, of `growth` the request.
 */
export async function kill<A extends keyof typeof ACTS>(
  act: A,
  kills: number,
  ...given: Parameters<(typeof ACTS)[A]>
): Promise<void> {
  const open = ACTS[act] as (...words: unknown[]) => KillAct<Life> | Promise<KillAct<Life>>;
  const opened = await open(...given);
  await killOver(opened, (count) => count < kills);
  await opened.end(kills);
}
