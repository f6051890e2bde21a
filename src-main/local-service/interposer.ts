// What may stand between the requests and a service. A lab's service has nothing there; tests put clocks and faults there.
import type { HttpBindings } from '@hono/node-server';
import type { EndpointName } from '../interface/table.ts';
import type { ChunkPolicy } from './storage/chunk-policy.ts';
import type { Engine } from './storage/engine.ts';

export interface Interposer extends ChunkPolicy {
  nowMs(): number;
  /** Time before which entries are visible, Unix milliseconds. */
  visibleUntilMs(): number;
  /** Largest body of a request, bytes; null: the usual one. */
  readonly bodyMaxBytes: number | null;
  /** Answer a checked request by `answer`, or otherwise. */
  serve(
    endpoint: EndpointName,
    request: Record<string, unknown>,
    answer: (request: Record<string, unknown>) => Promise<Response>,
    environment: HttpBindings,
  ): Promise<Response>;
  /** Take a message of the thread that started the service, and answer it. */
  receive(message: unknown): Promise<unknown>;
}

/** Make what stands before a service on this storage. */
export type CreateInterposer = (engine: Engine, settings: unknown) => Interposer;
