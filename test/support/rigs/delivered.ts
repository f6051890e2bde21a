// What a service holds, read back through its interface (4.8, 4.3) as any client would.

import { createServiceClient, type ServiceClient } from '../../../src-main/delivery/client/client.ts';
import { LOOPBACK } from '../../../src-main/local-service/door.ts';
import { openService } from '../../../src-main/local-service/open-service.ts';

export interface DeliveredPoint {
  readonly timeMs: number;
  readonly value: number;
}

/** Points by channel, of all entries together, the oldest entry first, and in the order of the service. */
export type Delivered = Map<string, DeliveredPoint[]>;

/** Read everything that a service holds. */
export async function readDelivered(client: ServiceClient): Promise<Delivered> {
  const delivered: Delivered = new Map();
  const newestFirst = await client.listDataEntries({});
  for (const { data_id } of newestFirst.toReversed()) {
    const series = await client.readTimeSeries({ data_id, return_null_if_missing: true });
    for (const [name, property] of Object.entries(series?.properties ?? {})) {
      const points = delivered.get(name) ?? [];
      delivered.set(name, points);
      const values = property?.values ?? [];
      for (const [i, value] of values.entries()) {
        points.push({ timeMs: property?.unix_timestamp_ms?.[i] ?? Number.NaN, value: value ?? Number.NaN });
      }
    }
  }
  return delivered;
}

/** Open the embedded service that an agent left in its data folder, and read everything. */
export async function readEmbedded(serviceFolder: string): Promise<Delivered> {
  const faults: unknown[] = [];
  const onFault = (fault: unknown) => void faults.push(fault);
  const place = { folder: serviceFolder, database: null, door: LOOPBACK, port: 0, key: null };
  const service = await openService({ ...place, hasEndings: true, hasMetrics: false, onFault });
  const client = createServiceClient({ baseUrl: service.url, apiKey: () => service.apiKey });
  try {
    const delivered = await readDelivered(client);
    if (faults.length > 0) throw faults[0];
    return delivered;
  } finally {
    await client.close();
    await service.close();
  }
}
