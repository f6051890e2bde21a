import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import type { BenchSettings } from '../../src-main/local-service/bench-settings.ts';
import {
  type LocalService,
  type LocalServiceOptions,
  startLocalService,
} from '../../src-main/local-service/local-service.ts';
import { createServiceClient, type ServiceClient } from '../../src-main/service/client.ts';
import { ServiceError } from '../../src-main/service/service-error.ts';
import { tempFolder } from './temp-folder.ts';

export interface ServiceRig {
  readonly folder: string;
  readonly service: LocalService;
  readonly client: ServiceClient;
}

/** An embedded service on a folder of its own with a client of its first user, both ended with the test. */
export async function openServiceRig(options: Partial<LocalServiceOptions> = {}): Promise<ServiceRig> {
  const folder = options.folder ?? tempFolder('service');
  const service = await startLocalService({ folder, ...options });
  const client = createServiceClient({ baseUrl: service.url, apiKey: () => service.apiKey });
  onTestFinished(async () => {
    await client.close();
    await service.stop();
  });
  return { folder, service, client };
}

/**
 * One embedded service with a test bench for all tests of a file, since starting one costs more than most tests do.
 *
 * **Gives**: what hands it to a test, with a client of the test's own and the faults that it asks for, none unless told.
 */
export function shareServiceRig(): (bench?: BenchSettings) => Promise<ServiceRig> {
  let shared: { folder: string; service: LocalService } | undefined;
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'epistream-service-'));
    shared = { folder, service: await startLocalService({ folder, bench: {} }) };
  });
  afterAll(async () => {
    await shared?.service.stop();
    if (shared) rmSync(shared.folder, { recursive: true, force: true, maxRetries: 5 });
  });
  return async (bench = {}) => {
    if (!shared) throw new Error('the service of this file was not started');
    const { folder, service } = shared;
    await service.setBench(bench);
    const client = createServiceClient({ baseUrl: service.url, apiKey: () => service.apiKey });
    onTestFinished(() => client.close());
    return { folder, service, client };
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
