// The parts of a soak of the whole agent: they are started here, watched, and ended in an order in which everything that was
// there can be told from what came.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Part } from '../bench/parts/rig.ts';
import { Chance } from '../simulation/random.ts';
import { CAMERA_FPS, SoakCamera } from './camera.ts';
import { soakLines } from './instruments.ts';
import type { WholeTruth } from './judge-whole.ts';
import { SoakAgent } from './soak-agent.ts';
import { steadyClock } from './steady-clock.ts';
import type { Lag, TimedSample } from './timeline.ts';
import { TroubledLine } from './troubled-line.ts';
import { TroubledService } from './troubled-service.ts';

const COLUMNS = 20;
const ROWS_PER_SECOND = 20;
/** A log of the tool lasts a twelfth of the run: five minutes of an hour. Names tell seconds, so none is shorter than two. */
const FILES = 12;
const FILE_S_LEAST = 2;
const LINES = ['eurotherm-bisynch', 'lakeshore-336'];
const EVERY_MS = 500;
const TIMEOUT_MS = 400;
const CAMERA = 'camera';
/** Between outages of a line in a run of full length, milliseconds, and at least. */
const LINE_REST_MS = { least: 20_000, most: 180_000, shortest: 3000 };
const CLOSE_AFTER_QUIET_S = 20;
/** Shorter runs have shorter troubles and less time between them, milliseconds. */
const FULL_MS = 20 * 60_000;
const LOOK_MS = 5000;
const LAG_EVERY_MS = 100;
/** All is up and reading before trouble begins, milliseconds. */
const SETTLE_MS = 3000;
/** What is there is read within this, milliseconds: the agent tries a lost port again after 20 s at most. */
const CALM_MS = 25_000;
/** The backlog is given up when no more of it goes out for so long, milliseconds. */
const STUCK_MS = 180_000;

export interface WholeOptions {
  readonly folder: string;
  readonly chance: Chance;
  readonly lastsMs: number;
}

/** What became of it. */
export interface WholeEnd extends Omit<WholeTruth, 'logs'> {
  /** Stored and not acknowledged when it ended. */
  readonly waitingPoints: number;
  /** From the last trouble until all was delivered. */
  readonly caughtUpS: number;
}

export class WholeRig {
  readonly key = 'soak-key-0123456789abcdef0123456789';
  readonly samples: TimedSample[] = [];
  readonly lags: Lag[] = [];
  readonly logs: string;
  service!: TroubledService;
  agent!: SoakAgent;
  readonly #lines: TroubledLine[] = [];
  #tool!: Part;
  #camera!: SoakCamera;
  #startMs = 0;
  readonly #startedMs = steadyClock.nowMs();
  #lagTimer: NodeJS.Timeout | undefined;

  private constructor(folder: string) {
    this.logs = join(folder, 'logs');
  }

  /** Start all parts, and trouble. */
  static async start({ folder, chance, lastsMs }: WholeOptions): Promise<WholeRig> {
    const rig = new WholeRig(folder);
    const scale = Math.min(1, lastsMs / FULL_MS);
    const own = () => new Chance(chance.between(1, 2 ** 31));
    const images = join(folder, 'images');
    rig.service = await TroubledService.start(join(folder, 'service'), rig.key, 'channel 1');
    const { least, most, shortest } = LINE_REST_MS;
    for (const line of soakLines().filter(({ name }) => LINES.includes(name))) {
      const restMs = [Math.max(shortest, scale * least), Math.max(2 * shortest, scale * most)] as const;
      const options = { line, chance: own(), timeoutMs: TIMEOUT_MS, everyMs: EVERY_MS, restMs };
      rig.#lines.push(await TroubledLine.plug(options));
    }
    rig.#tool = rig.#startTool(Math.max(FILE_S_LEAST, lastsMs / 1000 / FILES));
    mkdirSync(images);
    rig.agent = await SoakAgent.start(folder, rig.#settings(images), rig.key);
    await rig.#running();
    rig.#camera = new SoakCamera(images, own(), lastsMs / 1000);
    for (const part of [rig.service, rig.agent, rig.#tool, rig.#camera]) endWithUs(part);
    await rig.agent.look();
    rig.#startMs = steadyClock.monotonicMs();
    rig.service.begin(own(), scale);
    for (const line of rig.#lines) line.begin();
    rig.#lagTimer = setInterval(() => rig.#noteLag(), LAG_EVERY_MS);
    return rig;
  }

  /** Watch it until a time since trouble began, milliseconds. */
  async watchUntil(endMs: number): Promise<void> {
    while (this.#atMs < endMs) {
      await steadyClock.sleep(Math.min(LOOK_MS, endMs - this.#atMs));
      const sample = await this.agent.look();
      const outages = this.#lines.reduce((sum, line) => sum + line.outages.length, 0);
      const { begun, hits } = this.service;
      this.samples.push({ ...sample, atMs: Math.min(this.#atMs, endMs - 1), troubles: begun, outages, hits });
    }
  }

  /** End trouble, then the tool and the camera, then instruments; wait for all to be delivered; end the agent. */
  async end(): Promise<WholeEnd> {
    clearInterval(this.#lagTimer);
    this.#tool.child.send('end');
    await Promise.all([this.service.calm(), ...this.#lines.map((line) => line.calm())]);
    const calmMs = steadyClock.monotonicMs();
    const camera = await this.#camera.truth;
    await steadyClock.sleep(CALM_MS);
    const stoppedMs = steadyClock.nowMs();
    for (const line of this.#lines) await line.remove();
    const waitingPoints = await this.#delivered();
    const caughtUpS = (steadyClock.monotonicMs() - calmMs) / 1000;
    await this.agent.end();
    const startedMs = this.#startedMs;
    return { lines: this.#lines, camera, cameraId: CAMERA, startedMs, stoppedMs, waitingPoints, caughtUpS };
  }

  /** End what is left. */
  async remove(): Promise<void> {
    await Promise.all([this.service.end(), this.#camera.end()]);
  }

  get #atMs(): number {
    return steadyClock.monotonicMs() - this.#startMs;
  }

  #noteLag(): void {
    const { newestMs } = this.service;
    if (newestMs !== null) this.lags.push({ atMs: this.#atMs, lagMs: Date.now() - newestMs });
  }

  #startTool(fileSeconds: number): Part {
    const args = [this.logs, COLUMNS, ROWS_PER_SECOND, fileSeconds].map(String);
    return new Part(join(import.meta.dirname, 'log-tool-process.ts'), args);
  }

  /** What a lab writes into its settings file. */
  #settings(images: string): object {
    const serial = this.#lines.flatMap((line) =>
      (soakLines().find(({ name }) => name === line.name)?.sources ?? []).map((source) => ({
        ...{ kind: 'serial', id: source.id, port: line.path, instrument: source.instrument },
        ...{ address: source.address, options: source.options, every: `${EVERY_MS}ms`, timeout: `${TIMEOUT_MS}ms` },
      })),
    );
    const counter = { type: 'images', path: images, match: '*_{frame}.bmp' };
    const session = { start: 'by-counter', end_after_silence: '1min' };
    return {
      version: 1,
      service: { url: this.service.url },
      tool: { name: 'soak', time_zone: 'UTC' },
      stream_defaults: {
        points_per_chunk: ROWS_PER_SECOND,
        rollover: 'growth',
        close_after_quiet: `${CLOSE_AFTER_QUIET_S}s`,
      },
      sources: [
        { id: 'log', kind: 'log', path: this.logs, match: '*.csv', backfill: 'all' },
        ...serial,
        { id: CAMERA, kind: 'rheed', fps_capture_rate: CAMERA_FPS, counter, session, points_per_chunk: 5 },
      ],
    };
  }

  /** Wait until every source reads: a counter counts from then on. Throws when that takes too long. */
  async #running(): Promise<void> {
    const startMs = steadyClock.monotonicMs();
    for (;;) {
      const { sources } = await this.agent.snapshot();
      if (sources.length > 0 && sources.every(({ state }) => state === 'running')) break;
      if (steadyClock.monotonicMs() - startMs > STUCK_MS) throw new Error(JSON.stringify(sources));
      await steadyClock.sleep(200);
    }
    await steadyClock.sleep(SETTLE_MS);
  }

  /** Wait until every stream is closed and delivered, or no more goes out. Returns the points that wait still. */
  async #delivered(): Promise<number> {
    let [least, sinceMs] = [Number.POSITIVE_INFINITY, steadyClock.monotonicMs()];
    for (;;) {
      const { store, streams } = await this.agent.snapshot();
      const waiting = store?.waitingPoints ?? Number.NaN;
      if (waiting === 0 && streams.every(({ state }) => state === 'delivered')) return 0;
      if (waiting < least) [least, sinceMs] = [waiting, steadyClock.monotonicMs()];
      if (steadyClock.monotonicMs() - sinceMs > STUCK_MS) return waiting;
      await steadyClock.sleep(1000);
    }
  }
}

/** However this process ends, a part does not outlive it. */
function endWithUs(part: Part): void {
  process.on('exit', () => part.child.kill('SIGKILL'));
}
