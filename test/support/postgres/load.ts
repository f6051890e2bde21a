// Writers that note what was confirmed to them, and an independent count of what the database holds.
import { createServiceClient } from '../../../src-main/delivery/client/client.ts';
import { inDatabase } from './database.ts';

const POINTS = 20;
const CHANNELS = 5;

export interface Load {
  /** Points that were confirmed, so far. */
  readonly confirmed: () => number;
  /** Requests that failed and were sent again. */
  readonly failed: () => number;
  /** Stop after the requests under way. */
  stop(): Promise<void>;
  /** What the database lacks of what was confirmed, and holds twice or beyond what was sent: both 0 when all is well. */
  compare(database: string): Promise<{ lost: number; doubled: number }>;
}

/** Start writers, each with a stream of its own; each chunk is sent, to any of the services, until it is confirmed. */
export async function startLoad(urls: readonly (() => string)[], key: string, writers: number): Promise<Load> {
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
          await new Promise((resolve) => setTimeout(resolve, 20));
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
    for (let k = 0; !isStopping; k++) {
      const timestamps = Array.from({ length: POINTS }, (_, n) => 1_780_000_000 + k * POINTS + n);
      const channels = Object.fromEntries(
        Array.from({ length: CHANNELS }, (_, c) => [`c${c}`, { timestamps, values: timestamps.map((t) => t % 997) }]),
      );
      const told = await persist(() => client.ingestChunk({ data_id, chunk_index: k, channels }));
      if (told === null) break;
      streams.set(data_id, k + 1);
      confirmed += POINTS * CHANNELS;
    }
    await client.close();
  };
  const running = Array.from({ length: writers }, (_, at) => write(at));
  return {
    confirmed: () => confirmed,
    failed: () => failed,
    stop: async () => {
      isStopping = true;
      await Promise.all(running);
    },
    async compare(database) {
      const rows = await inDatabase(
        database,
        `SELECT e.data_id, c.name, c.points::int AS told, sum(k.points)::int AS held, count(*)::int AS chunks,
           (max(k.chunk_index) + 1)::int AS reached
         FROM entry e JOIN channel c ON c.entry_id = e.id JOIN chunk k ON k.channel_id = c.id GROUP BY 1, 2, 3`,
      );
      let [lost, doubled] = [0, 0];
      for (const [dataId, chunks] of streams) {
        const own = rows.filter(({ data_id }) => data_id === dataId);
        for (let c = 0; c < CHANNELS; c++) {
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
