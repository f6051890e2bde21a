// A service as the interface allows it to be, with the network before it: answers are lost, requests arrive late, reads
// lag, a part of a chunk is stored, the key is refused for a while, one value is never taken. What is stored is kept as
// the points themselves, so that a run can compare them with the captured points at its end.

import type { Failure } from '../../src-main/delivery/client/failure.ts';
import type { UploadService } from '../../src-main/delivery/upload/ports.ts';
import { AgentError } from '../../src-main/model/agent-error.ts';
import type { Chance } from './random.ts';
import type { VirtualClock } from './virtual-clock.ts';

export type Repeat = 'replace' | 'reject' | 'ignore' | 'append';

export interface ModelOptions {
  readonly repeat: Repeat;
  /** How often a request meets a fault, 0 to 1. */
  readonly faultRate: number;
  /** Longest time after which a request that was given up may still arrive, milliseconds. */
  readonly lateMs: number;
  /** How far reads lag behind writes, milliseconds. */
  readonly readLagMs: number;
  /** This value is refused for ever; null: none is. */
  readonly poison: number | null;
  /** A chunk's answer counts what was there when the request was sent, and the chunk: those at a time do not see each other. */
  readonly isCountingAlone: boolean;
  /** The page that comes in place of an answer is that of a filter, which lets requests through. */
  readonly isFiltered: boolean;
}

/** Nothing goes wrong, and a repeated chunk is appended. */
export const CALM: ModelOptions = {
  repeat: 'append',
  faultRate: 0,
  lateMs: 0,
  readLagMs: 0,
  poison: null,
  isCountingAlone: false,
  isFiltered: false,
};

export interface StoredPoint {
  readonly timeMs: number;
  readonly value: number;
}

interface Chunk {
  readonly index: number;
  readonly points: readonly StoredPoint[];
  readonly atMs: number;
}

interface Entry {
  readonly id: string;
  readonly name: string;
  readonly atMs: number;
  readonly channels: Map<string, Chunk[]>;
}

type Body = Parameters<UploadService['ingestChunk']>[0];

class WireError extends AgentError {
  readonly failure: Failure;
  constructor(failure: Failure, message: string) {
    super({ code: `wire.${failure.kind}`, message, hint: '', retry: 'later' });
    this.failure = failure;
  }
}

export class ModelService implements UploadService {
  readonly entries = new Map<string, Entry>();
  readonly #clock: VirtualClock;
  readonly #chance: Chance;
  readonly #options: ModelOptions;
  /** Faults happen while this is true; a run ends with a sound service. */
  isFaulty = true;
  /** Nobody gets through. */
  isDown = false;
  isKeyRefused = false;

  constructor(clock: VirtualClock, chance: Chance, options: ModelOptions) {
    this.#clock = clock;
    this.#chance = chance;
    this.#options = options;
  }

  initializeStream: UploadService['initializeStream'] = (body) =>
    this.#exchange(true, () => {
      const id = `entry-${this.entries.size + 1}`;
      this.entries.set(id, { id, name: body.stream_name, atMs: this.#clock.nowMs(), channels: new Map() });
      return { data_id: id, processed_data_id: `processed-${id}` };
    });

  ingestChunk: UploadService['ingestChunk'] = (body) => {
    const names = Object.keys(body.channels);
    const isPartial = this.isFaulty && names.length > 1 && this.#chance.happens(this.#options.faultRate / 4);
    // What stood there, and where, when the request came.
    const before = new Map(
      names.map((name) => [name, [...(this.entries.get(body.data_id)?.channels.get(name) ?? [])]]),
    );
    return this.#exchange(true, () => {
      this.#refusePoison(body);
      if (isPartial) {
        this.#store(body, names.slice(0, this.#chance.between(1, names.length - 1)), before);
        throw new WireError({ kind: 'ambiguous' }, 'HTTP 500');
      }
      return this.#store(body, names, before);
    });
  };

  readTimeSeries: UploadService['readTimeSeries'] = ({ data_id }) =>
    this.#exchange(false, () => {
      const visible = [...(this.#entry(data_id).channels ?? [])].map(([name, chunks]) => {
        const points = this.#visible(chunks).flatMap((chunk) => chunk.points);
        return [
          name,
          { unix_timestamp_ms: points.map((p) => Math.round(p.timeMs)), values: points.map((p) => p.value) },
        ] as const;
      });
      const properties = Object.fromEntries(visible.filter(([, series]) => series.values.length > 0));
      return Object.keys(properties).length === 0 ? null : { properties };
    });

  listDataEntries: UploadService['listDataEntries'] = ({ keywords = [] }) =>
    this.#exchange(false, () =>
      this.#visible([...this.entries.values()])
        .filter(({ name }) => keywords.every((word) => name.includes(word)))
        .map(({ id, name }) => ({ data_id: id, raw_name: name })),
    );

  endStream: UploadService['endStream'] = () => this.#exchange(true, () => {});

  /** All points of an entry's channel, in the order of the service. */
  points(dataId: string, channel: string): StoredPoint[] {
    const chunks = this.entries.get(dataId)?.channels.get(channel) ?? [];
    return chunks.toSorted((a, b) => a.index - b.index).flatMap((chunk) => chunk.points);
  }

  #entry(id: string): Entry {
    const entry = this.entries.get(id);
    if (!entry) throw new WireError({ kind: 'held', reason: 'target' }, `HTTP 404 ${id}`);
    return entry;
  }

  #visible<T extends { readonly atMs: number }>(items: readonly T[]): T[] {
    const lagMs = this.isFaulty ? this.#options.readLagMs : 0;
    return items.filter(({ atMs }) => atMs <= this.#clock.nowMs() - lagMs);
  }

  #refusePoison({ channels }: Body): void {
    const { poison } = this.#options;
    if (poison === null || !Object.values(channels).some(({ values }) => values.includes(poison))) return;
    throw new WireError({ kind: 'refused', isTooLarge: false }, `HTTP 422: ${poison} is out of range`);
  }

  #store({ data_id, chunk_index, channels }: Body, names: readonly string[], before: ReadonlyMap<string, Chunk[]>) {
    const entry = this.#entry(data_id);
    const { repeat } = this.#options;
    const isThere = (name: string) => entry.channels.get(name)?.some(({ index }) => index === chunk_index) ?? false;
    if (repeat === 'reject' && names.some(isThere)) throw new WireError({ kind: 'ambiguous' }, 'HTTP 409');
    return names.map((name) => {
      const { timestamps = [], values = [] } = channels[name] ?? {};
      const points = Array.from(timestamps, (seconds, i) => ({ timeMs: seconds * 1000, value: values[i] as number }));
      const made = { index: chunk_index, points, atMs: this.#clock.nowMs() };
      const old = entry.channels.get(name) ?? [];
      if (!isThere(name) || repeat === 'append') entry.channels.set(name, [...old, made]);
      else if (repeat === 'replace')
        entry.channels.set(name, [...old.filter(({ index }) => index !== chunk_index), made]);
      const seen = this.#options.isCountingAlone
        ? [...(before.get(name) ?? []).filter(({ index }) => index !== chunk_index), made]
        : (entry.channels.get(name) ?? []);
      const total = seen.reduce((sum, chunk) => sum + chunk.points.length, 0) + this.#miscount();
      return { data_id, channel_name: name, chunk_index, total_points: total };
    });
  }

  /** What a total is off by: nothing, nearly always. */
  #miscount(): number {
    const isWrong = this.isFaulty && this.#chance.happens(this.#options.faultRate / 10);
    return isWrong ? this.#chance.pick([-1, 1, 1000]) : 0;
  }

  /** The way there and back. */
  async #exchange<T>(isWrite: boolean, serve: () => T): Promise<T> {
    const chance = this.#chance;
    await this.#clock.sleep(chance.between(1, 80));
    if (this.isDown) throw new WireError({ kind: 'not-sent', afterMs: null, cause: 'unreachable' }, 'no network');
    if (this.isKeyRefused) throw new WireError({ kind: 'held', reason: 'key' }, 'HTTP 401');
    if (!this.isFaulty || !chance.happens(this.#options.faultRate)) return serve();
    const lost = () => new WireError({ kind: 'ambiguous' }, 'connection reset');
    switch (chance.between(0, 5)) {
      case 0:
        // It may have stored what it was sent before it said so.
        if (isWrite && chance.happens(0.5)) serve();
        throw new WireError({ kind: 'busy', afterMs: chance.between(1, 30_000) }, 'HTTP 503');
      case 1:
        throw new WireError({ kind: 'not-sent', afterMs: null, cause: 'refused-connection' }, 'connection refused');
      case 2:
        if (isWrite && this.#options.isFiltered) serve();
        throw new WireError({ kind: 'not-the-service' }, 'a log-in page');
      case 3:
        throw lost();
      case 4:
        serve();
        throw lost();
      default:
        if (isWrite) this.#serveLate(serve);
        throw lost();
    }
  }

  #serveLate(serve: () => unknown): void {
    const arriveMs = this.#chance.between(0, this.#options.lateMs);
    void this.#clock.sleepBeyondCrash(arriveMs).then(() => {
      try {
        serve();
      } catch {
        // A refusal of what arrives late has nobody left to hear it.
      }
    });
  }
}
