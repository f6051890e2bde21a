import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { createServiceClient, type ServiceClient } from '../../../src-main/delivery/client/client.ts';
import { ServiceError } from '../../../src-main/delivery/client/service-error.ts';
import { LOOPBACK } from '../../../src-main/local-service/door.ts';
import type { LocalService } from '../../../src-main/local-service/local-service.ts';
import { openService } from '../../../src-main/local-service/open-service.ts';
import type { Engine } from '../../../src-main/local-service/storage/engine.ts';
import { type AgentError, toAgentError } from '../../../src-main/model/agent-error.ts';
import { createInterposer } from '../bench/bench.ts';
import { type BenchOptions, type BenchService, startBenchService, withBench } from '../bench/bench-service.ts';
import type { BenchSettings } from '../bench/bench-settings.ts';
import { testDatabase } from '../postgres/test-place.ts';
import { memoryFolder } from '../temp-folder.ts';

/** What sends anything to a service, with the key of its first user unless told: bytes as they are, all else as JSON. */
export function senderTo({ url, apiKey }: Pick<LocalService, 'url' | 'apiKey'>) {
  return (method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Response> => {
    const type: Record<string, string> = body === undefined ? {} : { 'Content-Type': 'application/json' };
    return fetch(url + path, {
      ...{ method, headers: { 'X-API-KEY': apiKey, ...type, ...headers } },
      ...(body === undefined ? {} : { body: body instanceof Uint8Array ? (body as BodyInit) : JSON.stringify(body) }),
    });
  };
}

export interface ServiceRig {
  readonly folder: string;
  /** Where its storage is: the folder, or the address of its database. */
  readonly place: string;
  readonly service: BenchService;
  readonly client: ServiceClient;
}

/**
 * The embedded service in the test's own thread: the same database, app and socket, without the fifth of a second of a core
 * that a thread takes to load its sources. Tests of the thread itself start one (`startLocalService`).
 */
async function openHere(options: BenchOptions): Promise<LocalService> {
  const {
    folder,
    database = null,
    door = LOOPBACK,
    port = 0,
    key = null,
    hasEndings = true,
    hasMetrics = false,
    bench = null,
  } = options;
  const listeners = new Set<(fault: AgentError) => void>();
  const onFault = (fault: unknown) => {
    for (const listener of listeners) listener(toAgentError(fault));
  };
  const interpose = bench === null ? {} : { interpose: (engine: Engine) => createInterposer(engine, bench) };
  const opened = await openService({
    folder,
    database,
    door,
    port,
    key,
    hasEndings,
    hasMetrics,
    onFault,
    ...interpose,
  });
  let ended: Promise<void> | undefined;
  return {
    url: opened.url,
    apiKey: opened.apiKey,
    stop: () => {
      ended ??= opened.close();
      return ended;
    },
    onFailure: (listener) => void listeners.add(listener),
    tellInterposer: async (message) => {
      if (!opened.interposer) throw new Error('the service was started without an interposer');
      return opened.interposer.receive(message);
    },
  };
}

/** An embedded service on a folder of its own with a client of its first user, both ended with the test. */
export async function openServiceRig(options: Partial<BenchOptions> = {}): Promise<ServiceRig> {
  const folder = options.folder ?? memoryFolder('service');
  const database = options.folder === undefined ? await testDatabase() : null;
  const service = withBench(await openHere({ database, folder, ...options }));
  const client = createServiceClient({ baseUrl: service.url, apiKey: () => service.apiKey });
  onTestFinished(async () => {
    await client.close();
    await service.stop();
  });
  return { folder, place: database ?? folder, service, client };
}

/**
 * One embedded service with a test bench for all tests of a file, since starting one costs more than most tests do.
 *
 * @returns what hands it to a test, with a client of the test's own and the faults that it asks for, none unless told.
 */
export function shareServiceRig(): (bench?: BenchSettings) => Promise<ServiceRig> {
  let shared: { folder: string; place: string; service: BenchService } | undefined;
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'epistream-service-'));
    const database = await testDatabase();
    const service = await startBenchService({ folder, database, bench: {} });
    shared = { folder, place: database ?? folder, service };
  });
  afterAll(async () => {
    await shared?.service.stop();
    if (shared) rmSync(shared.folder, { recursive: true, force: true, maxRetries: 5 });
  });
  return async (bench = {}) => {
    if (!shared) throw new Error('the service of this file was not started');
    const { folder, place, service } = shared;
    await service.setBench(bench);
    const client = createServiceClient({ baseUrl: service.url, apiKey: () => service.apiKey });
    onTestFinished(() => client.close());
    return { folder, place, service, client };
  };
}

/** What a call failed with; a call that succeeds fails the test. */
export async function serviceFault(call: Promise<unknown>): Promise<ServiceError> {
  try {
    await call;
  } catch (fault) {
    if (fault instanceof ServiceError) return fault;
    throw fault;
  }
  throw new Error('the call succeeded although it must not');
}
