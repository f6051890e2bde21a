// What a lab watches of its service, in the text form of Prometheus: requests, how long they took, points stored, how large the
// database is. No name, key or value of a measurement is in it.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { AlsoServed } from '../interface/openapi.ts';

/** What is published of what a lab can watch. */
export const HEALTH_SERVED: AlsoServed = {
  name: 'readHealth',
  method: 'GET',
  path: '/health',
  summary: 'Whether the service answers and its storage is in place (503: it is not)',
  answer: 'application/json',
};
export const METRICS_SERVED: AlsoServed = {
  name: 'readMetrics',
  method: 'GET',
  path: '/metrics',
  summary: 'Counts for Prometheus',
  answer: 'text/plain',
};

/** Bounds of the histogram, seconds. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export interface Metrics {
  /** Note a request that was answered: the endpoint (of an unknown path: `other`), the status, and how long it took, ms. */
  answered(endpoint: string, status: number, tookMs: number): void;
  /** Note points that were taken into the database. */
  stored(points: number): void;
  /** Write all of it down. Returns the text and its type. */
  read(): Promise<{ text: string; type: string }>;
}

/** What is asked of the storage at each reading. */
export interface Measured {
  /** Size of all that is stored, bytes. */
  sizeBytes(): Promise<number>;
  /** Streams that take data now. */
  countRunning(): Promise<number>;
}

/** Begin to count. */
export function createMetrics(storage: Measured): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const seconds = new Histogram({
    name: 'epistream_service_request_seconds',
    help: 'Time to the answer of a request, by endpoint and status',
    labelNames: ['endpoint', 'status'],
    buckets: SECONDS,
    registers,
  });
  const points = new Counter({
    name: 'epistream_service_points_stored_total',
    help: 'Points of chunks that were stored; a chunk that came again counts again',
    registers,
  });
  const last = new Gauge({
    name: 'epistream_service_last_chunk_timestamp_seconds',
    help: 'Unix time at which the last chunk was stored',
    registers,
  });
  const ask = (name: string, help: string, read: () => Promise<number>) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        this.set(await read());
      },
    });
  ask('epistream_service_database_bytes', 'Size of the database', () => storage.sizeBytes());
  ask('epistream_service_streams_running', 'Streams that take data now', () => storage.countRunning());
  return {
    answered: (endpoint, status, tookMs) => seconds.observe({ endpoint, status: String(status) }, tookMs / 1000),
    stored: (count) => {
      points.inc(count);
      last.setToCurrentTime();
    },
    read: async () => ({ text: await registry.metrics(), type: registry.contentType }),
  };
}
