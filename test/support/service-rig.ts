import { onTestFinished } from 'vitest';
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
