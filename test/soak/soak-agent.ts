// The built agent of a soak, a process of its own, and what is seen of it from outside while it runs: Linux tells the open
// handles and threads of a process, the file system the size of its queue, the agent itself the rest.
import { once } from 'node:events';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Snapshot } from '../../src-main/contract/snapshot.ts';
import { askAgent } from '../../src-main/platform/control.ts';
import { ENVIRONMENT, NODE_FLAGS } from '../bench/parts/as-installed.ts';
import { type AgentFigures, Part } from '../bench/parts/rig.ts';

const TOP = join(import.meta.dirname, '../..');
/** A main thread that is busy for longer than this is stuck, milliseconds. */
const STUCK_MS = 60_000;

/** What the agent is at one moment; processor time is since the last look. */
export interface AgentSample extends Pick<AgentFigures, 'cpuS' | 'wallS' | 'loopP99Ms'> {
  readonly rssMb: number;
  readonly heapMb: number;
  /** Memory of buffers outside the heap. */
  readonly outsideMb: number;
  /** Open files, sockets and pipes. */
  readonly handles: number;
  readonly threads: number;
  readonly queueMb: number;
  readonly walMb: number;
  readonly waitingPoints: number;
}

export class SoakAgent extends Part {
  readonly #dataFolder: string;

  private constructor(dataFolder: string, args: readonly string[], key: string) {
    const flags = [...NODE_FLAGS, '--import', join(TOP, 'test/bench/parts/figures.mjs')];
    super(join(TOP, 'dist/main/cli.js'), args, { ...ENVIRONMENT, EPISTREAM_API_KEY: key }, flags);
    this.#dataFolder = dataFolder;
  }

  /**
   * Start it.
   *
   * @param folder - a folder for its settings and data.
   * @param key - its key. Build it before: `npm run build`.
   */
  static async start(folder: string, settings: object, key: string): Promise<SoakAgent> {
    const config = join(folder, 'epistream.yaml');
    const data = join(folder, 'data');
    mkdirSync(data, { recursive: true });
    // YAML takes JSON as it is.
    writeFileSync(config, JSON.stringify(settings));
    const agent = new SoakAgent(data, ['run', '--config', config, '--data', data], key);
    for (;;) if (/ started /.test(await agent.line())) break;
    // What it says from now on stands in its own log.
    agent.child.stdout?.resume();
    return agent;
  }

  /** Where its queue lies. */
  get queuePath(): string {
    return join(this.#dataFolder, 'queue.db');
  }

  /**
   * Its own picture of itself.
   *
   * @throws when it does not answer.
   */
  async snapshot(): Promise<Snapshot> {
    const answer = await askAgent(this.#dataFolder, { ask: 'status' });
    if (answer === undefined) throw new Error(`The agent does not answer; its exit code: ${this.child.exitCode}.`);
    return answer as Snapshot;
  }

  /**
   * Look at it.
   *
   * @throws when it has ended, or is stuck.
   */
  async look(): Promise<AgentSample> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) {
      throw new Error(`The agent ended by itself: code ${this.child.exitCode}, signal ${this.child.signalCode}.`);
    }
    const answer = once(this.child, 'message', { signal: AbortSignal.timeout(STUCK_MS) });
    this.child.send('figures');
    const [{ cpuS, wallS, loopP99Ms, rssMb, heapMb, outsideMb }] = (await answer) as [AgentFigures];
    const { store } = await this.snapshot();
    return {
      ...{ cpuS, wallS, loopP99Ms, rssMb, heapMb, outsideMb },
      handles: readdirSync(`/proc/${this.child.pid}/fd`).length,
      threads: readdirSync(`/proc/${this.child.pid}/task`).length,
      queueMb: megabytes(this.queuePath),
      walMb: megabytes(`${this.queuePath}-wal`),
      waitingPoints: store?.waitingPoints ?? 0,
    };
  }

  /**
   * Ask it to end.
   *
   * @throws when it does not end well.
   */
  override async end(): Promise<void> {
    await super.end();
    if (this.child.exitCode !== 0) {
      throw new Error(`The agent ended with code ${this.child.exitCode}, signal ${this.child.signalCode}.`);
    }
  }
}

const megabytes = (path: string) => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) / 1e6;
