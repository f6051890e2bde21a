// The whole agent with three sources, one of them a camera, before a real service that may be away.

import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import SQLite from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import { type Agent, createAgent } from '../../../src-main/agent/agent.ts';
import type { GrowthView } from '../../../src-main/contract/growth.ts';
import { createServiceClient, type ServiceClient } from '../../../src-main/delivery/client/client.ts';
import { type Clock, systemClock } from '../../../src-main/platform/clock.ts';
import { type BenchService, startBenchService } from '../bench/bench-service.ts';
import type { BenchSettings } from '../bench/bench-settings.ts';
import { fastClock } from '../fast-clock.ts';
import { freePort } from '../free-port.ts';
import { tempFolder } from '../temp-folder.ts';

const KEY = 'a-key-of-a-test-0123456789';

export interface GrowthRigOptions {
  readonly bench?: BenchSettings;
  readonly hasCamera?: boolean;
  /** A drain does not end with one. */
  readonly hasSimulator?: boolean;
  /** False: the service is started by `online`. */
  readonly isOnline?: boolean;
  /** Further lines of the settings. */
  readonly more?: string;
  readonly rollover?: string;
  /** Outside of a growth a session ends after so long without a frame, ms of the real clock; absent: 2000. */
  readonly silenceMs?: number;
  /** How much faster the time of agents in this process runs; stamps of the log and times of the settings are in it. */
  readonly speed?: number;
}

export interface Held {
  readonly dataId: string;
  readonly name: string;
  readonly type: string;
  readonly sampleId: string | null;
  readonly sampleName: string | null;
  readonly projects: readonly string[];
  /** Stamps by channel, in the order of the service. */
  readonly stamps: ReadonlyMap<string, readonly number[]>;
}

export class GrowthRig {
  readonly folder = tempFolder('growth');
  readonly logs = join(this.folder, 'logs');
  readonly frames = join(this.folder, 'frames');
  readonly data = join(this.folder, 'data');
  readonly settingsFile = join(this.folder, 'epistream.yaml');
  readonly key = KEY;
  readonly #options: GrowthRigOptions;
  readonly #port: number;
  readonly clock: Clock;
  readonly client: ServiceClient;
  #service: BenchService | null = null;
  #frame = 0;

  private constructor(options: GrowthRigOptions, port: number) {
    this.#options = options;
    this.#port = port;
    this.clock = options.speed === undefined ? systemClock : fastClock(options.speed);
    const baseUrl = `http://127.0.0.1:${port}`;
    this.client = createServiceClient({ baseUrl, apiKey: () => KEY });
    onTestFinished(() => this.client.close());
    for (const folder of [this.logs, this.frames, this.data]) mkdirSync(folder, { recursive: true });
    writeFileSync(join(this.logs, 'tool.csv'), 'time,x\n');
    this.configure();
  }

  static async open(options: GrowthRigOptions = {}): Promise<GrowthRig> {
    const rig = new GrowthRig(options, await freePort());
    if (options.isOnline !== false) await rig.online();
    return rig;
  }

  configure(): void {
    const {
      hasCamera = true,
      hasSimulator = true,
      more = '',
      rollover = 'growth',
      silenceMs = 2000,
      speed = 1,
    } = this.#options;
    const counter = `{ type: log, path: '${this.frames}', match: '*.jsonl', field: frame }`;
    const camera = `  - { id: camera, kind: rheed, counter: ${counter}, fps_capture_rate: 30, session: { end_after_silence: ${silenceMs * speed}ms } }\n`;
    writeFileSync(
      this.settingsFile,
      `version: 1\nservice: { url: 'http://127.0.0.1:${this.#port}' }\ntool: { name: MBE-1, time_zone: UTC }\n` +
        `stream_defaults: { points_per_chunk: 5, rollover: ${rollover} }\n${more}sources:\n` +
        `  - { id: log, kind: log, path: '${this.logs}', match: '*.csv', backfill: all }\n` +
        `${hasSimulator ? `  - { id: tool, kind: simulator, interval: ${100 * speed}ms }\n` : ''}${hasCamera ? camera : ''}`,
    );
  }

  /** The service comes up. */
  async online(): Promise<BenchService> {
    const service = await startBenchService({
      ...{ folder: join(this.folder, 'service'), port: this.#port, key: KEY, bench: this.#options.bench ?? {} },
    });
    this.#service = service;
    onTestFinished(() => service.stop());
    return service;
  }

  get service(): BenchService {
    if (!this.#service) throw new Error('the service is not up');
    return this.#service;
  }

  /** An agent in this process, running. */
  async start(): Promise<Agent> {
    const keys = { read: () => KEY, keep: async () => {} };
    const agent = createAgent({
      dataFolder: this.data,
      settingsFile: this.settingsFile,
      version: 'test',
      keys,
      clock: this.clock,
    });
    onTestFinished(() => agent.stop());
    await agent.start();
    return agent;
  }

  /** The tool writes a row; its value says nothing, its stamp all. */
  writeRow(timeMs = this.clock.nowMs(), value = 1): void {
    appendFileSync(join(this.logs, 'tool.csv'), `${(timeMs / 1000).toFixed(3)},${value}\n`);
  }

  /** The camera takes frames. */
  takeFrames(count: number): void {
    const lines = Array.from({ length: count }, () => `${JSON.stringify({ frame: this.#frame++ })}\n`);
    appendFileSync(join(this.frames, 'run.jsonl'), lines.join(''));
  }

  /** Tool and camera are at work until the test ends, or the function that is given back is called. */
  work(): () => void {
    const timer = setInterval(() => {
      this.writeRow();
      this.takeFrames(3);
    }, 100);
    const stop = () => clearInterval(timer);
    onTestFinished(stop);
    return stop;
  }

  /** Everything that the service holds. */
  async held(): Promise<Held[]> {
    const entries = await this.client.listDataEntries({});
    return Promise.all(
      entries.map(async (entry) => {
        const { data_id: dataId, raw_name, char_source_type, physical_sample_id, physical_sample_name } = entry;
        const series = await this.client.readTimeSeries({ data_id: dataId, return_null_if_missing: true });
        const properties = Object.entries(series?.properties ?? {});
        return {
          ...{ dataId, name: raw_name ?? '', type: char_source_type ?? '' },
          ...{ sampleId: physical_sample_id ?? null, sampleName: physical_sample_name ?? null },
          projects: (entry.projects ?? []).map((project) =>
            typeof project === 'string' ? project : String(project.id),
          ),
          stamps: new Map(properties.map(([name, one]) => [name, (one?.unix_timestamp_ms ?? []).map(Number)])),
        };
      }),
    );
  }

  /** Rows of a table of the service's own database, past its interface. */
  count(table: string): number {
    const database = new SQLite(join(this.folder, 'service', 'service.db'), { readonly: true });
    try {
      return database.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number;
    } finally {
      database.close();
    }
  }
}

/** Look until it is so, at most two minutes. */
export async function until<T>(
  what: string,
  look: () => Promise<T | null | undefined | false> | T | null | undefined | false,
): Promise<T> {
  const endMs = performance.now() + 120_000;
  while (performance.now() < endMs) {
    const found = await look();
    if (found !== null && found !== undefined && found !== false) return found;
    await setTimeout(50);
  }
  throw new Error(`not reached: ${what}`);
}

/** Ids of the streams of a growth. */
export const streamsOf = (growth: GrowthView) => growth.parts.flatMap(({ streams }) => streams);
