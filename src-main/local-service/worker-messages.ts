// What crosses between the agent's thread and the service's.
import type { Retry } from '../model/agent-error.ts';

/** What the service is opened with; plain values only, they cross a thread. */
export interface ServiceOptions {
  /** Folder of its database, files and key; made when missing. */
  readonly folder: string;
  /** 0: any free port. */
  readonly port: number;
  /** Key of the first user; null: the one made once and kept. */
  readonly key: string | null;
}

export interface WorkerStart {
  readonly options: ServiceOptions;
}

export type ToWorker = { readonly kind: 'stop' };

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
  | { readonly kind: 'stopped' };
