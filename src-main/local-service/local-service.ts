// The embedded service as the agent and the command line hold it: a handle on its thread.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { AgentError } from '../model/agent-error.ts';
import { type Door, LOOPBACK } from './door.ts';
import type { FromWorker, ToWorker, WorkerStart } from './worker-messages.ts';

export interface LocalServiceOptions {
  /** Folder of its database, files and key; made when missing. */
  readonly folder: string;
  /** Address of a PostgreSQL database in place of the folder; absent: SQLite in the folder. */
  readonly database?: string | null;
  /** How it is reached; absent: from this PC alone. */
  readonly door?: Door;
  /** Port; 0 or absent: any free one. */
  readonly port?: number;
  /** Key of the first user of the default organization; absent: one made once and kept in the folder. */
  readonly key?: string | null;
  /**
   * Whether `POST /tool-state/stream/{data_id}/finalize` and `POST /rheed/stream/{data_id}/end` are there; default true.
   * The interface does not show them.
   */
  readonly hasEndings?: boolean;
  /** Whether `/metrics` is served, without a key; default false. */
  readonly hasMetrics?: boolean;
  /** Its thread, where something is to stand before its endpoints; absent: the usual one. */
  readonly thread?: { readonly file: URL; readonly settings: unknown };
}

export interface LocalService {
  /** `http://127.0.0.1:<port>`, or the address that others use. */
  readonly url: string;
  readonly apiKey: string;
  /** End it: requests under way get two seconds. Safe to repeat. */
  stop(): Promise<void>;
  /** Be told when it ends by itself, or met a fault while serving. */
  onFailure(listener: (fault: AgentError) => void): void;
  /** Tell its interposer something. Rejects when it was started without one. */
  tellInterposer(message: unknown): Promise<unknown>;
}

/** The worker's file: source beside source, or the bundle's `service-worker.js` beside or above this chunk. */
function workerFile(): URL {
  if (import.meta.url.endsWith('.ts')) return new URL('./worker.ts', import.meta.url);
  const beside = new URL('./service-worker.js', import.meta.url);
  return existsSync(fileURLToPath(beside)) ? beside : new URL('../service-worker.js', import.meta.url);
}

/**
 * Start the embedded service.
 *
 * @param options - its folder, and optionally port and key.
 * @returns a handle, once it listens.
 * @throws AgentError `service.port-taken`, `service.port-refused`, `service.door-unfit`, `service.key-short`, `service.key-taken`,
 *   `service.database-newer`, `service.database-unreachable`, `service.thread-ended`; nothing is left running then.
 */
export function startLocalService(options: LocalServiceOptions): Promise<LocalService> {
  const {
    folder,
    database = null,
    door = LOOPBACK,
    port = 0,
    key = null,
    hasEndings = true,
    hasMetrics = false,
    thread = { file: workerFile(), settings: null },
  } = options;
  const given = { folder, database, door, port, key, hasEndings, hasMetrics };
  const start: WorkerStart = { options: given, settings: thread.settings };
  const worker = new Worker(thread.file, { workerData: start, name: 'service', execArgv: [] });
  const listeners: ((fault: AgentError) => void)[] = [];
  const report = (fault: AgentError) => {
    for (const listener of listeners) listener(fault);
  };
  let isStopping = false;
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const stop = async () => {
    if (!isStopping) {
      isStopping = true;
      worker.postMessage({ kind: 'stop' } satisfies ToWorker);
    }
    await ended;
  };
  const gone = (cause?: unknown) =>
    new AgentError({
      code: 'service.thread-ended',
      message: `The embedded service ended unexpectedly${cause instanceof Error ? `: ${cause.message}` : ''}.`,
      hint: 'Start it again; what it had confirmed is on disk.',
      retry: 'later',
      cause,
    });
  const asked = new Map<number, { resolve: (answer: unknown) => void; reject: (fault: Error) => void }>();
  let lastId = 0;
  const tellInterposer = (message: unknown) =>
    new Promise((resolve, reject) => {
      lastId += 1;
      asked.set(lastId, { resolve, reject });
      worker.postMessage({ kind: 'message', id: lastId, message } satisfies ToWorker);
    });
  return new Promise((resolve, reject) => {
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'ready') {
        const { url, apiKey } = message;
        resolve({
          url,
          apiKey,
          stop,
          onFailure: (listener) => void listeners.push(listener),
          tellInterposer,
        });
      } else if (message.kind === 'failed') {
        isStopping = true;
        reject(new AgentError(message));
      } else if (message.kind === 'fault') report(new AgentError(message));
      else if (message.kind === 'answer') asked.get(message.id)?.resolve(message.answer);
      else if (message.kind === 'refusal') asked.get(message.id)?.reject(new Error(message.message));
    });
    let cause: unknown;
    worker.on('error', (fault) => {
      cause = fault;
    });
    worker.on('exit', () => {
      if (isStopping) return;
      isStopping = true;
      reject(gone(cause));
      report(gone(cause));
    });
  });
}
