// The real agent with one log folder and a service at an address: what most tests of faults around the whole agent begin with.
// `LogAgent` is a process of its own, for what is done to a process; `LogAgentHere` runs in the process of the test.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, vi } from 'vitest';
import { type Agent, createAgent } from '../../../src-main/agent/agent.ts';
import type { Snapshot } from '../../../src-main/contract/snapshot.ts';
import type { ServiceClient } from '../../../src-main/delivery/client/client.ts';
import type { Clock } from '../../../src-main/platform/clock.ts';
import { type Done, runHere } from '../command.ts';
import { type AgentProcess, type Ended, readStatus, runAgent, startAgent } from '../processes/agent-process.ts';
import { readDelivered } from '../rigs/delivered.ts';
import { tempFolder } from '../temp-folder.ts';

/** Pause between two looks at the status. */
const LOOK_MS = 50;
/** So long a state of the agent is waited for, milliseconds. */
const WAIT_MS = 120_000;
const START_S = Date.UTC(2026, 10, 20, 6) / 1000;

interface LogAgentOptions {
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

/** The settings of an agent, and the tool that writes its log. */
class LogPlace {
  readonly logs = tempFolder('logs');
  readonly log = join(this.logs, 'tool.csv');
  readonly data: string;
  readonly config: string;
  protected readonly options: LogAgentOptions;
  #rows = 0;

  constructor(options: LogAgentOptions) {
    this.options = options;
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

  /** Write the settings again: another address, say. */
  configure(url: string, service = ''): void {
    const { sources = [], pointsPerChunk = 5, rollover = 'growth' } = this.options;
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

  /** Every row of the log is at the service once, in order, with its own time. */
  async expectDelivered(client: ServiceClient): Promise<void> {
    const points = (await readDelivered(client)).get('x') ?? [];
    const truth = Array.from({ length: this.#rows }, (_, n) => ({ timeMs: (START_S + n) * 1000, value: n }));
    expect(points.toSorted((p, q) => p.timeMs - q.timeMs)).toEqual(truth);
  }

  protected get args(): string[] {
    return ['--config', this.config, '--data', this.data];
  }

  protected get env(): Record<string, string> {
    return { EPISTREAM_API_KEY: this.options.key };
  }
}

/** The agent as a process of its own: what is killed, halted, or started with an environment that the system reads. */
export class LogAgent extends LogPlace {
  /** Start it and wait until it records. */
  async start(env: Record<string, string> = {}): Promise<AgentProcess> {
    const agent = startAgent(['run', ...this.args], { ...this.env, ...env });
    await agent.waitFor(/Recording of T started/);
    return agent;
  }

  /** Start it without waiting for anything; `through`: a program that becomes the agent; `words`: more of its own. */
  launch(
    env: Record<string, string> = {},
    through: readonly string[] = [],
    words: readonly string[] = [],
  ): AgentProcess {
    return startAgent(['run', ...this.args, ...words], { ...this.env, ...env }, through);
  }

  drain(env: Record<string, string> = {}): Promise<Ended> {
    return runAgent(['run', ...this.args, '--drain-and-exit'], { ...this.env, ...env });
  }

  /** What the running agent says of itself. */
  status(): Promise<Snapshot> {
    return readStatus(this.data);
  }

  /** Wait until the agent answers with a status that fits, at most 120 s. */
  async until(what: string, holds: (snapshot: Snapshot) => boolean): Promise<Snapshot> {
    const endMs = performance.now() + WAIT_MS;
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
}

/** The same agent in the process of the test, which hears each of its snapshots. One at a time. */
export class LogAgentHere extends LogPlace {
  #agent: Agent | null = null;
  #said = '';

  /** Start it; it records when this is fulfilled. Takes additions to the environment until it stops. */
  async start(env: Record<string, string> = {}): Promise<void> {
    mkdirSync(this.data, { recursive: true, mode: 0o700 });
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    this.#said = '';
    const keys = { read: () => this.options.key, keep: async () => {} };
    const onEvent = ({ message }: { message: string }) => {
      this.#said += `${message}\n`;
    };
    const agent = createAgent({ dataFolder: this.data, settingsFile: this.config, version: 'test', keys, onEvent });
    this.#agent = agent;
    onTestFinished(async () => {
      vi.unstubAllEnvs();
      await agent.stop();
    });
    await agent.start();
  }

  get #running(): Agent {
    if (this.#agent === null) throw new Error('the agent does not run');
    return this.#agent;
  }

  /** What its screen shows now. */
  get snapshot(): Snapshot {
    return this.#running.snapshot;
  }

  /** Wait until its screen shows what fits. */
  async until(what: string, holds: (snapshot: Snapshot) => boolean): Promise<Snapshot> {
    const agent = this.#running;
    const fits = Promise.withResolvers<Snapshot>();
    const late = setTimeout(() => {
      fits.reject(new Error(`not within ${WAIT_MS} ms: ${what}\n${JSON.stringify(agent.snapshot, null, 1)}`));
    }, WAIT_MS);
    const end = agent.subscribe('snapshot', (snapshot) => holds(snapshot) && fits.resolve(snapshot));
    try {
      return await fits.promise;
    } finally {
      clearTimeout(late);
      end();
    }
  }

  /** Stop it; gives its events, a line each. */
  async stop(): Promise<string> {
    await this.#running.stop();
    this.#agent = null;
    vi.unstubAllEnvs();
    return this.#said;
  }

  /** Read the log to its end and deliver it, by a clock on which waits are short. */
  drain(env: Record<string, string> = {}, clock?: Clock): Promise<Done> {
    return runHere(['run', ...this.args, '--drain-and-exit'], { ...this.env, ...env }, clock);
  }
}
