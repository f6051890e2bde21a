import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { createServiceClient, type ServiceClient } from '../../../src-main/delivery/client/client.ts';
import { ServiceError } from '../../../src-main/delivery/client/service-error.ts';
import type { BenchSettings } from '../../../src-main/local-service/bench/bench-settings.ts';
import { LOOPBACK } from '../../../src-main/local-service/door.ts';
import {
  type LocalService,
  type LocalServiceOptions,
  startLocalService,
} from '../../../src-main/local-service/local-service.ts';
import { openService } from '../../../src-main/local-service/open-service.ts';
import { type AgentError, toAgentError } from '../../../src-main/model/agent-error.ts';
import { testDatabase } from '../postgres/test-place.ts';
import { memoryFolder } from '../temp-folder.ts';

export interface ServiceRig {
  readonly folder: string;
  /** Where its storage is: the folder, or the address of its database. */
  readonly place: string;
  readonly service: LocalService;
  readonly client: ServiceClient;
}

/**
 * The embedded service in the test's own thread: the same database, app and socket, without the fifth of a second of a core
 * that a thread takes to load its sources. Tests of the thread itself start one (`startLocalService`).
 */
async function openHere(options: LocalServiceOptions): Promise<LocalService> {
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
  const opened = await openService({ folder, database, door, port, key, hasEndings, hasMetrics, bench, onFault });
  let ended: Promise<void> | undefined;
  const useBench = () => {
    if (!opened.bench) throw new Error('the service was not started with a test bench');
    return opened.bench;
  };
  return {
    url: opened.url,
    apiKey: opened.apiKey,
    stop: () => {
      ended ??= opened.close();
      return ended;
    },
    onFailure: (listener) => void listeners.add(listener),
    setBench: async (settings) => useBench().set(settings),
    runBench: async (action) => useBench().act(action),
  };
}

/** An embedded service on a folder of its own with a client of its first user, both ended with the test. */
export async function openServiceRig(options: Partial<LocalServiceOptions> = {}): Promise<ServiceRig> {
  const folder = options.folder ?? memoryFolder('service');
  const database = options.folder === undefined ? await testDatabase() : null;
  const service = await openHere({ database, folder, ...options });
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
  let shared: { folder: string; place: string; service: LocalService } | undefined;
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'epistream-service-'));
    const database = await testDatabase();
    const service = await startLocalService({ folder, database, bench: {} });
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
