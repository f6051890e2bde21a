// What crosses between the agent's thread and the service's.
import type { Retry } from '../model/agent-error.ts';
import type { Door } from './door.ts';

/** What the service is opened with; plain values only, they cross a thread. */
export interface ServiceOptions {
  /** Folder of its database, files and key, made when missing; not used with a database elsewhere. */
  readonly folder: string;
  /** Address of a PostgreSQL database; null: SQLite in the folder. */
  readonly database: string | null;
  readonly door: Door;
  /** 0: any free port. */
  readonly port: number;
  /** Key of the first user; null: the one made once and kept. */
  readonly key: string | null;
  /** Whether streams and RHEED sessions can be ended by a request, which the interface does not show. */
  readonly hasEndings: boolean;
  /** Whether `/metrics` is served. */
  readonly hasMetrics: boolean;
}

export interface WorkerStart {
  readonly options: ServiceOptions;
  /** Settings of what stands before its endpoints. */
  readonly settings: unknown;
}

export type ToWorker =
  | { readonly kind: 'stop' }
  | { readonly kind: 'message'; readonly id: number; readonly message: unknown };

export type FromWorker =
  | { readonly kind: 'ready'; readonly url: string; readonly apiKey: string }
  | {
      readonly kind: 'failed';
      readonly code: string;
      readonly message: string;
      readonly hint: string;
      readonly retry: Retry;
    }
  | { readonly kind: 'fault'; readonly code: string; readonly message: string; readonly hint: string }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown }
  | { readonly kind: 'refusal'; readonly id: number; readonly message: string }
  | { readonly kind: 'stopped' };
