// Queues that are damaged, removed, put back older or started again while the service holds what they sent: the whole agent,
// killed at random moments, before a service that adds whatever comes twice. Judged by the rows of the log alone: each is at
// the service once, or lies in a gap that covers it.

import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { createServiceClient, type ServiceClient } from '../../../src-main/delivery/client/client.ts';
import type { GapRow } from '../../../src-main/model/queue.ts';
import { Ledger, readLedger } from '../../../src-main/queue/store/database/ledger.ts';
import { openQueue } from '../../../src-main/queue/store/queue.ts';
import { Chance } from '../../simulation/random.ts';
import { type BenchService, startBenchService } from '../bench/bench-service.ts';
import type { BenchSettings } from '../bench/bench-settings.ts';
import { noise, overwrite } from '../faults/damaged-queue.ts';
import { type Ended, startAgent } from '../processes/agent-process.ts';
import type { FastAgentJob } from '../processes/fast-agent-process.ts';
import { tempFolder } from '../temp-folder.ts';
import { readDelivered } from './delivered.ts';

const SCRIPT = join(import.meta.dirname, '../processes/fast-agent-process.ts');
const KEY = 'queue-trials-key-0123456789abcdef';
const SPEED = 50;
const START_MS = Date.UTC(2026, 8, 1, 8);
const PAGE = 4096;
const AWAY: BenchSettings = { repeat: 'append', rules: [{ fault: { kind: 'answer', status: 503, body: '{}' } }] };

const FATES = [
  'folder removed',
  'queue removed',
  'older folder',
  'older queue',
  'pages overwritten',
  'rows altered',
  'file cut',
  'log of the queue removed',
  'sent by another installation',
] as const;
type Fate = (typeof FATES)[number];

export interface Trial {
  readonly seed: number;
  readonly fate: Fate;
  /** What was read before the damage still stands in the log. */
  readonly hasLog: boolean;
  readonly rows: number;
  /** Points that are compared with the service. */
  readonly points: number;
  /** Points that are there twice or more, that never were in the log, that are nowhere, and of these those in no gap. */
  readonly doubled: number;
  readonly invented: number;
  readonly lost: number;
  readonly unnamed: number;
  readonly gaps: number;
  /** How the last run ended. */
  readonly code: number | null;
  readonly said: string;
}

/** One trial's place. */
class Place {
  readonly chance: Chance;
  readonly folder = tempFolder('queue-trial', existsSync('/dev/shm') ? '/dev/shm' : undefined);
  readonly logs = join(this.folder, 'logs');
  readonly data = join(this.folder, 'data');
  readonly copy = join(this.folder, 'copy');
  readonly settings = join(this.folder, 'epistream.yaml');
  readonly stepS: number;
  readonly #isByDay: boolean;
  readonly #service: BenchService;
  rows = 0;

  constructor(seed: number, service: BenchService) {
    this.chance = new Chance(seed);
    this.#service = service;
    this.stepS = this.chance.pick([1, 60, 400]);
    this.#isByDay = this.chance.happens(0.3);
    for (const path of [this.logs, this.data]) mkdirSync(path, { recursive: true });
    this.configure();
  }

  configure(): void {
    const rollover = this.chance.pick(['growth', 'daily']);
    const size = this.chance.pick(['auto', '7', '50', '1000']);
    writeFileSync(
      this.settings,
      `version: 1
service: { url: '${this.#service.url}', resend: verify }
tool: { name: T, time_zone: UTC }
stream_defaults: { points_per_chunk: ${size}, rollover: ${rollover} }
sources: [{ id: log, kind: log, path: '${this.logs}', match: '**/*.csv', backfill: all, dialect: { time: { format: iso8601 } } }]
`,
    );
  }

  timeOf = (n: number) => START_MS + n * this.stepS * 1000;

  /** The tool writes rows; their values tell which they are, but for one channel that is always zero. */
  write(rows: number): void {
    for (let i = 0; i < rows; i++, this.rows++) {
      const time = new Date(this.timeOf(this.rows)).toISOString().slice(0, 19).replace('T', ' ');
      const path = join(this.logs, this.#isByDay ? `run_${time.slice(0, 10)}.csv` : 'run.csv');
      if (!existsSync(path)) writeFileSync(path, 'time,T,p,z\n');
      writeFileSync(path, `${time},${this.rows},${this.rows / 10},0\n`, { flag: 'a' });
    }
    if (!this.chance.happens(0.3)) return;
    // Copied by a program that gives files the time it likes: that it contradicts the stamps is answered by the settings.
    const changed = new Date(this.chance.pick([START_MS - 9e8, START_MS, Date.now() - 1e9]));
    for (const name of readdirSync(this.logs)) utimesSync(join(this.logs, name), changed, changed);
  }

  /** One life of the agent; `killMs`: killed after so long. */
  async live(killMs: number | null = null): Promise<Ended> {
    const job: FastAgentJob = { dataFolder: this.data, settingsFile: this.settings, key: KEY, speed: SPEED };
    const agent = startAgent([JSON.stringify(job)], {}, [], SCRIPT);
    const timer = killMs === null ? undefined : setTimeout(() => agent.child.kill('SIGKILL'), killMs);
    const ended = await agent.ended;
    clearTimeout(timer);
    return ended;
  }

  /** Entries that somebody made in another way, with the names that they get. */
  async deliver(client: ServiceClient): Promise<void> {
    const names = [
      'T log 2026-09-01 08:00:00 GaAs on Si 42 kk22222',
      'T log 2026-09-01 08:00:00 kk33333, corrected part kk44444',
    ];
    const half = Math.floor(this.rows / 2);
    for (const [at, stream_name] of names.entries()) {
      const { data_id } = await client.initializeStream({ points_per_chunk: 1000, stream_name });
      const numbers = Array.from({ length: half }, (_, i) => at * half + i).filter((n) => at === 0 || n % 3 > 0);
      const timestamps = numbers.map((n) => this.timeOf(n) / 1000);
      const channel = (value: (n: number) => number) => ({ timestamps, values: numbers.map(value) });
      const channels = { T: channel((n) => n), p: channel((n) => n / 10), z: channel(() => 0) };
      await client.ingestChunk({ data_id, chunk_index: 0, channels });
    }
  }
}

function damageRows(path: string, chance: Chance): void {
  const raw = new SQLite(path);
  raw.pragma('foreign_keys = OFF');
  for (let times = chance.between(1, 6); times > 0; times--) {
    const table = chance.happens(0.7) ? 'chunk' : chance.pick(['open_readings', 'stream', 'source_span', 'channel']);
    const ids = raw
      .prepare(`SELECT rowid FROM ${table === 'source_span' ? 'chunk' : table}`)
      .pluck()
      .all() as number[];
    if (ids.length === 0) continue;
    const id = chance.pick(ids);
    if (table === 'source_span')
      raw.prepare('DELETE FROM source_span WHERE stream = (SELECT max(stream) FROM source_span)').run();
    else if (table === 'chunk' && chance.happens(0.5))
      raw.prepare('UPDATE chunk SET data = zeroblob(40) WHERE id = ?').run(id);
    else raw.prepare(`DELETE FROM ${table} WHERE rowid = ?`).run(id);
  }
  raw.close();
  // Rows that are missing are no damage that SQLite finds: it found some before.
  const entry = readLedger(path);
  if (entry === null) return;
  const ledger = new Ledger(path, entry);
  ledger.note({ state: 'suspect', walSalt: null }, true);
  ledger.close();
}

function damage(place: Place, fate: Fate): void {
  const { data, copy, chance } = place;
  const queue = join(data, 'queue.db');
  const size = statSync(queue, { throwIfNoEntry: false })?.size ?? 0;
  const dropQueue = () => {
    for (const end of ['', '-wal', '-shm', '-journal']) rmSync(queue + end, { force: true });
  };
  switch (fate) {
    case 'folder removed':
    case 'sent by another installation':
      rmSync(data, { recursive: true });
      mkdirSync(data);
      break;
    case 'queue removed':
      dropQueue();
      break;
    case 'older folder':
      rmSync(data, { recursive: true });
      cpSync(copy, data, { recursive: true });
      break;
    case 'older queue':
      dropQueue();
      for (const end of ['', '-wal']) {
        if (existsSync(join(copy, `queue.db${end}`))) cpSync(join(copy, `queue.db${end}`), queue + end);
      }
      break;
    case 'pages overwritten':
      for (let times = chance.between(1, 4); times > 0 && size > PAGE; times--) {
        const page = chance.between(chance.happens(0.1) ? 0 : 1, Math.floor(size / PAGE) - 1);
        overwrite(queue, page * PAGE, noise(chance, PAGE));
      }
      break;
    case 'rows altered':
      if (size > 0) damageRows(queue, chance);
      break;
    case 'file cut':
      if (size > 0) truncateSync(queue, chance.between(0, size));
      break;
    case 'log of the queue removed':
      rmSync(`${queue}-wal`, { force: true });
      break;
  }
}

const keyOf = (name: string, timeMs: number, value: number) => `${name} ${timeMs} ${value}`;

/** Points that a queue holds, waiting or acknowledged, of a copy of its folder. */
function captured(data: string): Set<string> {
  const copy = tempFolder('queue-trial-look');
  cpSync(data, copy, { recursive: true });
  const found = new Set<string>();
  if (!existsSync(join(copy, 'queue.db'))) return found;
  const queue = openQueue(join(copy, 'queue.db'), { reserveBytes: 0 });
  for (const { id } of queue.listStreams(Number.MAX_SAFE_INTEGER, 1000)) {
    const names = queue.listChannelNames(id);
    for (let after: number | null = 0; after !== null; ) {
      const page = queue.storedPage(id, after, 100_000);
      for (const { channelIds, rows, timesMs, values } of page.blocks) {
        for (const [c, channel] of channelIds.entries()) {
          for (let row = 0; row < rows; row++) {
            found.add(keyOf(names.get(channel) ?? '', timesMs[row] as number, values[c * rows + row] as number));
          }
        }
      }
      after = page.next;
    }
  }
  queue.close();
  return found;
}

/** Hold the service against the log; where that was removed, against what was captured of it. */
async function judge(place: Place, client: ServiceClient, gaps: readonly GapRow[], known: ReadonlySet<string> | null) {
  const delivered = await readDelivered(client);
  const counts = { doubled: 0, invented: 0, lost: 0, unnamed: 0 };
  const channels: [string, (n: number) => number][] = [
    ['T', (n) => n],
    ['p', (n) => n / 10],
    ['z', () => 0],
  ];
  const left = new Map<string, number>();
  for (const [name, points] of delivered) {
    // A channel or stream whose name the damage took goes out under one that says so.
    for (const { timeMs, value } of points) {
      const key = keyOf(name.startsWith('channel ') ? '?' : name, timeMs, value);
      left.set(key, (left.get(key) ?? 0) + 1);
    }
  }
  const lost: [number, string][] = [];
  for (const [name, valueAt] of channels) {
    for (let n = 0; n < place.rows; n++) {
      const key = keyOf(name, place.timeOf(n), valueAt(n));
      const found = left.get(key) ?? 0;
      left.delete(key);
      counts.doubled += Math.max(0, found - 1);
      if (found === 0 && known?.has(key) !== false) lost.push([n, keyOf('?', place.timeOf(n), valueAt(n))]);
    }
  }
  for (const [n, key] of lost) {
    const renamed = left.get(key) ?? 0;
    if (renamed > 0) {
      left.set(key, renamed - 1);
      continue;
    }
    counts.lost += 1;
    const timeMs = place.timeOf(n);
    if (!gaps.some(({ fromMs, toMs }) => fromMs <= timeMs && timeMs <= toMs)) counts.unnamed += 1;
  }
  for (const [key, count] of left) {
    // Under a lost name, besides its own: there twice.
    if (key.startsWith('? ')) counts.doubled += count;
    else counts.invented += count;
  }
  return counts;
}

/** Run one trial. */
export async function queueTrial(seed: number): Promise<Trial> {
  const service = await startBenchService({
    folder: tempFolder('queue-trial-service', existsSync('/dev/shm') ? '/dev/shm' : undefined),
    key: KEY,
    bench: { repeat: 'append' },
  });
  const client = createServiceClient({ baseUrl: service.url, apiKey: () => KEY });
  const place = new Place(seed, service);
  const { chance } = place;
  const fate = FATES[seed % FATES.length] as Fate;
  const some = () => chance.between(1, 500);
  const soon = () => chance.between(400, 3000);
  try {
    place.write(some());
    if (fate === 'sent by another installation') await place.deliver(client);
    else await place.live(chance.happens(0.5) ? soon() : null);
    cpSync(place.data, place.copy, { recursive: true });
    place.write(some());
    // What waits is what damage can take.
    const isAway = chance.happens(0.5);
    if (isAway) await service.setBench(AWAY);
    if (fate !== 'sent by another installation') await place.live(isAway || chance.happens(0.5) ? soon() : null);
    if (isAway) await service.setBench({ repeat: 'append' });
    const hasLog = /folder|sent/.test(fate) || chance.happens(0.85);
    const known = hasLog ? null : captured(place.data);
    damage(place, fate);
    if (!hasLog) for (const name of readdirSync(place.logs)) rmSync(join(place.logs, name));
    if (chance.happens(0.5)) place.configure();
    if (hasLog) place.write(some());
    for (let kills = chance.between(0, 2); kills > 0; kills--) await place.live(soon());
    const { code, out, err } = await place.live();
    // Damage that no run came upon is found, and named, by this opening.
    const queue = openQueue(join(place.data, 'queue.db'), { reserveBytes: 0 });
    const gaps = queue.listGaps(1000);
    queue.close();
    const counts = await judge(place, client, gaps, known);
    return {
      seed,
      fate,
      hasLog,
      rows: place.rows,
      points: known?.size ?? 3 * place.rows,
      ...counts,
      gaps: gaps.length,
      code,
      said: `${out}${err}`,
    };
  } finally {
    await client.close();
    await service.stop();
  }
}
