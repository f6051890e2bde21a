// Writers that note what was confirmed to them, and an independent count of what the database holds.

import { setTimeout as pause } from 'node:timers/promises';
import { createServiceClient } from '../../../src-main/delivery/client/client.ts';

const POINTS = 20;

/** Asks the database of the services a statement, past them. */
export type AskDatabase = (sql: string) => Promise<readonly Record<string, unknown>[]>;

export interface LoadOptions {
  readonly channels?: number;
  /** Each writer begins a request so often, ms; 0: as soon as the one before is confirmed. */
  readonly everyMs?: number;
}

export interface Load {
  /** Points that were confirmed, so far. */
  readonly confirmed: () => number;
  /** Requests that failed and were sent again. */
  readonly failed: () => number;
  /** How long each confirmed request took, from its first try, ms. */
  readonly tookMs: readonly number[];
  /** Stop after the requests under way. */
  stop(): Promise<void>;
  /** What the database lacks of what was confirmed, and holds twice or beyond what was sent: both 0 when all is well. */
  compare(ask: AskDatabase): Promise<{ lost: number; doubled: number }>;
}

/** Start writers, each with a stream of its own; each chunk is sent, to any of the services, until it is confirmed. */
export async function startLoad(
  urls: readonly (() => string)[],
  key: string,
  writers: number,
  { channels: channelCount = 5, everyMs = 0 }: LoadOptions = {},
): Promise<Load> {
  const tookMs: number[] = [];
  let [isStopping, confirmed, failed] = [false, 0, 0];
  const streams = new Map<string, number>();
  const clientOf = (at: number) => {
    const url = (urls[at % urls.length] ?? (() => ''))();
    return createServiceClient({ baseUrl: url, apiKey: () => key });
  };
  const write = async (at: number) => {
    let turn = at;
    let client = clientOf(turn);
    const persist = async <T>(work: () => Promise<T>): Promise<T | null> => {
      for (;;) {
        try {
          return await work();
        } catch {
          failed += 1;
          if (isStopping) return null;
          await pause(20);
          await client.close();
          turn += 1;
          client = clientOf(turn);
        }
      }
    };
    const stream = await persist(() => client.initializeStream({ points_per_chunk: POINTS }));
    if (stream === null) return;
    const { data_id } = stream;
    streams.set(data_id, 0);
    // Agents begin at a moment of their own.
    const beginMs = performance.now() + (everyMs * at) / writers;
    for (let k = 0; !isStopping; k++) {
      await pause(Math.max(0, beginMs + k * everyMs - performance.now()));
      const sentMs = performance.now();
      const timestamps = Array.from({ length: POINTS }, (_, n) => 1_780_000_000 + k * POINTS + n);
      const channels = Object.fromEntries(
        Array.from({ length: channelCount }, (_, c) => [
          `c${c}`,
          { timestamps, values: timestamps.map((t) => t % 997) },
        ]),
      );
      const told = await persist(() => client.ingestChunk({ data_id, chunk_index: k, channels }));
      if (told === null) break;
      streams.set(data_id, k + 1);
      tookMs.push(performance.now() - sentMs);
      confirmed += POINTS * channelCount;
    }
    await client.close();
  };
  const running = Array.from({ length: writers }, (_, at) => write(at));
  return {
    confirmed: () => confirmed,
    failed: () => failed,
    tookMs,
    stop: async () => {
      isStopping = true;
      await Promise.all(running);
    },
    async compare(ask) {
      const rows = await ask(
        `SELECT e.data_id, c.name, c.points AS told, sum(k.points) AS held, max(k.chunk_index) + 1 AS reached
         FROM entry e JOIN channel c ON c.entry_id = e.id JOIN chunk k ON k.channel_id = c.id GROUP BY 1, 2, 3`,
      );
      const rowsOf = new Map<unknown, (typeof rows)[number][]>();
      for (const row of rows) rowsOf.set(row.data_id, [...(rowsOf.get(row.data_id) ?? []), row]);
      let [lost, doubled] = [0, 0];
      for (const [dataId, chunks] of streams) {
        const own = rowsOf.get(dataId) ?? [];
        for (let c = 0; c < channelCount; c++) {
          const row = own.find(({ name }) => name === `c${c}`);
          const [told, held, reached] = [Number(row?.told ?? 0), Number(row?.held ?? 0), Number(row?.reached ?? 0)];
          lost += Math.max(0, chunks * POINTS - held);
          // One more than was confirmed may be there: its answer was lost.
          doubled +=
            Math.max(0, held - (chunks + 1) * POINTS) + Math.abs(told - held) + Math.abs(reached * POINTS - held);
        }
      }
      return { lost, doubled };
    },
  };
}
