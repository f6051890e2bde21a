// The real agent as a process of its own, with one log folder and a service at an address: what most tests of faults
// around the whole agent begin with.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Snapshot } from '../../../src-main/contract/snapshot.ts';
import type { ServiceClient } from '../../../src-main/delivery/client/client.ts';
import { type AgentProcess, type Ended, readStatus, runAgent, startAgent } from '../processes/agent-process.ts';
import { readDelivered } from '../rigs/delivered.ts';
import { tempFolder } from '../temp-folder.ts';

/** Pause between two looks at the status. */
const LOOK_MS = 50;
const START_S = Date.UTC(2026, 10, 20, 6) / 1000;

export interface LogAgentOptions {
  readonly url: string;
  /** Further lines of `service:`, for example `ca_file: x`. */
  readonly service?: string;
  /** Further sources, one line each, for example `{ id: tool, kind: simulator, interval: 100ms }`. */
  readonly sources?: readonly string[];
  readonly key: string;
  readonly pointsPerChunk?: number;
  /** By default `growth`: one stream for all. */
  readonly rollover?: string;
  /** Where data folder and settings lie; logs never lie there. */
  readonly folder?: string;
}

export class LogAgent {
  readonly logs = tempFolder('logs');
  readonly log = join(this.logs, 'tool.csv');
  readonly data: string;
  readonly config: string;
  readonly #options: LogAgentOptions;
  #rows = 0;

  constructor(options: LogAgentOptions) {
    this.#options = options;
    const folder = options.folder ?? tempFolder('log-agent');
    this.data = join(folder, 'data');
    this.config = join(folder, 'epistream.yaml');
    mkdirSync(folder, { recursive: true });
    writeFileSync(this.log, 'time,x\n');
    this.configure(options.url, options.service);
  }

  /** Rows written to the log so far. */
  get rows(): number {
    return this.#rows;
  }

  /** Write the settings anew: another address, say. */
  configure(url: string, service = ''): void {
    const { sources = [], pointsPerChunk = 5, rollover = 'growth' } = this.#options;
    const lines = [
      'version: 1',
      `service: { url: '${url}'${service === '' ? '' : `, ${service}`} }`,
      'tool: { name: T, time_zone: UTC }',
      `stream_defaults: { points_per_chunk: ${pointsPerChunk}, rollover: ${rollover} }`,
      'sources:',
      `  - { id: log, kind: log, path: '${this.logs}', match: '*.csv', backfill: all }`,
      ...sources.map((source) => `  - ${source}`),
    ];
    writeFileSync(this.config, `${lines.join('\n')}\n`);
  }

  /** The tool writes rows: row n has the value n. */
  write(rows: number): void {
    const lines = Array.from({ length: rows }, (_, i) => `${START_S + this.#rows + i},${this.#rows + i}\n`);
    appendFileSync(this.log, lines.join(''));
    this.#rows += rows;
  }

  /** Start it and wait until it records. */
  async start(env: Record<string, string> = {}): Promise<AgentProcess> {
    const agent = startAgent(['run', ...this.#args], { ...this.#env, ...env });
    await agent.waitFor(/Recording of T started/);
    return agent;
  }

  /** Start it without waiting for anything; `through`: a program that becomes the agent; `words`: more of its own. */
  launch(
    env: Record<string, string> = {},
    through: readonly string[] = [],
    words: readonly string[] = [],
  ): AgentProcess {
    return startAgent(['run', ...this.#args, ...words], { ...this.#env, ...env }, through);
  }

  drain(env: Record<string, string> = {}): Promise<Ended> {
    return runAgent(['run', ...this.#args, '--drain-and-exit'], { ...this.#env, ...env });
  }

  /** What the running agent says of itself. */
  status(): Promise<Snapshot> {
    return readStatus(this.data);
  }

  /** Wait until the agent answers with a status that fits, at most 120 s. */
  async until(what: string, holds: (snapshot: Snapshot) => boolean): Promise<Snapshot> {
    const endMs = performance.now() + 120_000;
    for (;;) {
      const snapshot = await this.status().catch(() => null);
      if (snapshot !== null && holds(snapshot)) return snapshot;
      await sleep(LOOK_MS);
      if (performance.now() > endMs) throw new Error(`not within 120 s: ${what}\n${JSON.stringify(snapshot, null, 1)}`);
    }
  }

  /** Ask it to end, and hear what it said. */
  async stop(agent: AgentProcess): Promise<Ended> {
    agent.child.kill('SIGTERM');
    const ended = await agent.ended;
    expect(ended.code).toBe(0);
    return ended;
  }

  /** Every row of the log is at the service once, in order, with its own time. */
  async expectDelivered(client: ServiceClient): Promise<void> {
    const points = (await readDelivered(client)).get('x') ?? [];
    const truth = Array.from({ length: this.#rows }, (_, n) => ({ timeMs: (START_S + n) * 1000, value: n }));
    expect(points.toSorted((p, q) => p.timeMs - q.timeMs)).toEqual(truth);
  }

  get #args(): string[] {
    return ['--config', this.config, '--data', this.data];
  }

  get #env(): Record<string, string> {
    return { EPISTREAM_API_KEY: this.#options.key };
  }
}
