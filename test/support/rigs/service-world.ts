import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { createServiceClient, type ServiceClient } from '../../../src-main/delivery/client/client.ts';
import { addKey, addOrganization, addUser } from '../../../src-main/local-service/admin.ts';
import { importFile } from '../../../src-main/local-service/import/import-file.ts';
import { type LocalService, startLocalService } from '../../../src-main/local-service/local-service.ts';
import { testDatabase } from '../postgres/test-place.ts';
import { senderTo } from './service-rig.ts';

export const demoFile = join(import.meta.dirname, '../../../resources/demo/demo.json');

interface DemoEntry {
  readonly data_id: string;
  readonly raw_name: string;
  readonly char_source_type: string;
}

/** What the demo set holds, as its file says. */
export const demo = JSON.parse(readFileSync(demoFile, 'utf8')) as {
  readonly physical_samples: readonly { physical_sample_id: string; name: string }[];
  readonly projects: readonly { project_id: string; name: string }[];
  readonly tags: readonly { tag_id: string; name: string }[];
  readonly data_entries: readonly DemoEntry[];
};

/** The demo's entry of a kind. */
export function demoEntry(type: string): DemoEntry {
  const found = demo.data_entries.find(({ char_source_type }) => char_source_type === type);
  if (!found) throw new Error(`the demo has no ${type}`);
  return found;
}

export interface ServiceWorld {
  readonly folder: string;
  /** Where its storage is: the folder, or the address of its database. */
  readonly place: string;
  readonly service: LocalService;
  /** First user of the default organization, who owns the demo data. */
  readonly owner: ServiceClient;
  /** Another user of the same organization. */
  readonly colleague: ServiceClient;
  /** A user of another organization. */
  readonly stranger: ServiceClient;
  /** Send anything, with the owner's key unless told. */
  readonly send: ReturnType<typeof senderTo>;
}

/** One embedded service for a whole file: the demo data, two organizations, three users. */
export function useServiceWorld(): ServiceWorld {
  const world = {} as { -readonly [K in keyof ServiceWorld]: ServiceWorld[K] };
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'epistream-world-'));
    const database = await testDatabase();
    const place = database ?? folder;
    const service = await startLocalService({ folder, database });
    await importFile(place, demoFile);
    await addUser(place, 'colleague');
    await addOrganization(place, 'elsewhere');
    await addUser(place, 'stranger', 'elsewhere');
    const client = (key: string) => createServiceClient({ baseUrl: service.url, apiKey: () => key });
    Object.assign(world, {
      folder,
      place,
      service,
      owner: client(service.apiKey),
      colleague: client(await addKey(place, { user: 'colleague' })),
      stranger: client(await addKey(place, { organization: 'elsewhere', user: 'stranger' })),
      send: senderTo(service),
    });
  });
  afterAll(async () => {
    for (const client of [world.owner, world.colleague, world.stranger]) await client?.close();
    await world.service?.stop();
    rmSync(world.folder, { recursive: true, force: true, maxRetries: 5 });
  });
  return world;
}
