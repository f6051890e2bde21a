// What is killed beside the writer of torture/: the agent while it reads, delivers, and runs a growth, and a process that sends
// refused chunks again. An act opens what stays over the kills, and says what a life does, when it is killed, and what must hold
// after each kill and in the end. The moments are told, by requests and by changes of the queue file, never slept for.
import { appendFileSync, mkdirSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { GrowthView } from '../../../src-main/contract/growth.ts';
import type { ServiceClient } from '../../../src-main/delivery/client/client.ts';
import { makeReceipt } from '../../../src-main/delivery/receipt/receipt.ts';
import type { EndpointName } from '../../../src-main/interface/table.ts';
import type { MarkPlace, MarkRow } from '../../../src-main/model/marks.ts';
import { openQueue } from '../../../src-main/queue/store/queue.ts';
import { Chance } from '../../simulation/random.ts';
import { type Act, killOver, type Life } from '../../torture/kills.ts';
import { WriterProcess } from '../../torture/writer-process.ts';
import type { BenchSettings } from '../bench/bench-settings.ts';
import { runHere } from '../command.ts';
import { LogAgent } from '../logs/log-agent.ts';
import { type AgentProcess, startAgent } from '../processes/agent-process.ts';
import type { FastAgentJob } from '../processes/fast-agent-process.ts';
import { type DeliveredPoint, readDelivered } from '../rigs/delivered.ts';
import { GrowthRig, streamsOf, until } from '../rigs/growth-rig.ts';
import { openServiceRig } from '../rigs/service-rig.ts';
import { chunkOf as chunkWith, GA, IN, openSmallQueue, standingValues } from '../rigs/small-queue.ts';
import { tempFolder } from '../temp-folder.ts';
import { type Asked, CHUNK_PATH, type Middleman, openMiddleman } from './middleman.ts';

const FAST_AGENT = join(import.meta.dirname, '../processes/fast-agent-process.ts');
const INITIALIZE_PATH = '/tool-state/stream/initialize';
const START_MS = Date.UTC(2026, 10, 20, 6);
const ROW_MS = 500;

type AgentLife = Pick<AgentProcess, 'child' | 'ended'>;

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
      if (isServed)
        return {
          do: 'answer',
          by: (real) => {
            kill();
            return real;
          },
        };
      kill();
      return { do: 'lose-request', how: 'close' };
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

/** Each point that was written is at the service once, with its own time. */
async function expectPoints(client: ServiceClient, written: Record<string, DeliveredPoint[]>): Promise<void> {
  const delivered = await readDelivered(client);
  for (const [channel, points] of Object.entries(written)) {
    expect(delivered.get(channel)?.toSorted((p, q) => p.timeMs - q.timeMs)).toEqual(points);
  }
}

/** The agent reads a log of values and one of events to the end and delivers them: each point and each line is there once. */
export async function deliver(place?: KillPlace): Promise<Act<AgentLife>> {
  const rowsALife = 1500;
  const eventsALife = 2000;
  const home = tempFolder('killed');
  const { folder, seenAs, start } = place ?? { folder: home, seenAs: home, start: startAgent };
  const { service, client } = await openServiceRig();
  const middleman = await openMiddleman(service.url);
  const chance = new Chance(3);
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
  /** What was written, as it must be found: points by channel, and events. */
  const points: Record<'a' | 'b' | 'c', DeliveredPoint[]> = { a: [], b: [], c: [] };
  const marks: { timeMs: number; text: string; place: string; line: number; sourceId: string }[] = [];
  const write = () => {
    const fromMs = START_MS + points.a.length * ROW_MS;
    const rows = Array.from({ length: rowsALife }, (_, at) => {
      const [timeMs, n] = [fromMs + at * ROW_MS, points.a.length];
      points.a.push({ timeMs, value: n });
      points.b.push({ timeMs, value: n / 4 });
      if (n % 7 !== 0) points.c.push({ timeMs, value: -n });
      return `${timeMs / 1000},${n},${n / 4},${n % 7 === 0 ? '' : -n}\n`;
    });
    // They lie in the time of the rows.
    const lines = Array.from({ length: eventsALife }, (_, at) => {
      const [timeMs, n] = [fromMs + at * 250, marks.length];
      const text = `Recipe step ${n}, shutter Ga ${n % 2 === 0 ? 'opened' : 'closed'}`;
      marks.push({ timeMs, text, place: 'events.log', line: n + 1, sourceId: 'log' });
      return `${new Date(timeMs).toISOString().replace('T', ' ').slice(0, 23)},${text}\n`;
    });
    appendFileSync(values, rows.join(''));
    appendFileSync(events, lines.join(''));
  };
  return {
    mayEnd: true,
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
      await expectPoints(client, points);
      const queue = openQueue(join(data, 'queue.db'), { reserveBytes: 0 });
      const found: MarkRow[] = [];
      let after: MarkPlace | null = null;
      do {
        const page = queue.listMarks({ sourceId: 'log', fromMs: -Infinity, toMs: Infinity, after, limit: 700 });
        found.push(...page.marks);
        after = page.next;
      } while (after !== null);
      const positions = [...queue.positions('log').keys()];
      const told = queue
        .listStreams(Number.MAX_SAFE_INTEGER, 1000)
        .map(({ id }) => queue.streamFacts(id)?.marks.count ?? 0);
      queue.close();
      expect(found.map(({ timeMs, text, place, line, sourceId }) => ({ timeMs, text, place, line, sourceId }))).toEqual(
        marks,
      );
      expect(positions).toContain('events.log@1');
      // Each event lies within the one stream of the values, whose receipt tells of it.
      expect(told.reduce((sum, count) => sum + count, 0)).toBe(marks.length);
      console.log(`${kills} kills, ${points.a.length} rows, ${marks.length} events: 0 lost, 0 doubled`);
    },
  };
}

/**
 * The agent delivers to a service that adds what is sent twice. It is killed when the service has done what was asked and before
 * the answer is noted: each third time at the making of an entry, else at a chunk.
 */
export async function commit(): Promise<Act<AgentProcess>> {
  const { service, client } = await openServiceRig({ bench: { repeat: 'append' } });
  const middleman = await openMiddleman(service.url);
  const chance = new Chance(2);
  const { log, data, config } = new LogAgent({
    url: middleman.url,
    service: 'resend: verify',
    key: service.apiKey,
    rollover: 'daily',
  });
  writeFileSync(log, 'time,a,b\n');
  const job: FastAgentJob = { dataFolder: data, settingsFile: config, key: service.apiKey, speed: 50 };
  const start = () => startAgent([JSON.stringify(job)], {}, [], FAST_AGENT);
  const points: Record<'a' | 'b', DeliveredPoint[]> = { a: [], b: [] };
  let days = 0;
  /** Rows of one more day, which are one more stream. */
  const write = () => {
    const fromMs = START_MS + days++ * 86_400_000;
    for (let row = 0; row < 40; row++) {
      const [timeMs, n] = [fromMs + row * 1000, points.a.length];
      points.a.push({ timeMs, value: n });
      points.b.push({ timeMs, value: n / 4 });
      appendFileSync(log, `${timeMs / 1000},${n},${n / 4}\n`);
    }
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
    end: async () => {
      middleman.meet = () => 'pass';
      write();
      const last = await start().ended;
      expect(last.code, last.err).toBe(0);
      await expectPoints(client, points);
      expect(await client.listDataEntries({})).toHaveLength(days);
    },
  };
}

/** A process refuses chunks and sends them again: every point is there once and all sums hold. */
export function resend(): Act<WriterProcess> {
  const chunks = Array.from({ length: 6 }, (_, k) => [chunkWith(k, [GA], 100), chunkWith(k, [IN], 100)]).flat();
  const { queue, path } = openSmallQueue(chunks, true);
  queue.close();
  const truth = standingValues(path);
  expect(truth).toHaveLength(1200);
  const chance = new Chance(4);
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

/** An agent with a growth, killed while a request of it is under way: the next agent finds the entries of the first, and makes none twice. */
export async function growth(endpoint: EndpointName): Promise<Act<AgentProcess>> {
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

/** Kill what an act starts, so many times, and judge it. */
export async function kill<L extends Life>(act: Act<L>, kills: number): Promise<void> {
  await killOver(act, (count) => count < kills);
  await act.end?.(kills);
}
