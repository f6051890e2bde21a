import { readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createServiceClient } from '../../../src-main/delivery/client/client.ts';
import { startLocalService } from '../../../src-main/local-service/local-service.ts';
import type { AgentError } from '../../../src-main/model/agent-error.ts';
import { openServiceRig, serviceFault } from '../../support/rigs/service-rig.ts';
import { tempFolder } from '../../support/temp-folder.ts';

describe('startLocalService', () => {
  it('keeps key and data over a restart', async () => {
    const folder = tempFolder('service');
    const first = await startLocalService({ folder });
    const client = createServiceClient({ baseUrl: first.url, apiKey: () => first.apiKey });
    const { data_id } = await client.initializeStream({ points_per_chunk: 2 });
    await client.close();
    await first.stop();
    const { service, client: again } = await openServiceRig({ folder });
    expect(service.apiKey).toBe(first.apiKey);
    expect(await again.listDataEntries({})).toMatchObject([{ data_id }]);
  });

  it('stores its key and database readable by this user only', async () => {
    const { folder, service } = await openServiceRig();
    expect(readFileSync(join(folder, 'service.key'), 'utf8').trim()).toBe(service.apiKey);
    expect(statSync(join(folder, 'service.key')).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'service.db')).mode & 0o777).toBe(0o600);
  });

  it('takes and answers nothing once its folder was removed or moved: what it confirms must still be there tomorrow', async () => {
    const { folder, client } = await openServiceRig();
    const { data_id } = await client.initializeStream({ points_per_chunk: 2 });
    renameSync(folder, `${folder}.away`);
    const fault = await serviceFault(client.initializeStream({ points_per_chunk: 2 }));
    expect(fault.status).toBe(503);
    expect(fault.message).toContain('was removed, moved or exchanged');
    renameSync(`${folder}.away`, folder);
    expect(await client.listDataEntries({})).toMatchObject([{ data_id }]);
    rmSync(folder, { recursive: true });
    expect((await serviceFault(client.listDataEntries({}))).status).toBe(503);
  });

  it('takes the key it is given', async () => {
    const { service, client } = await openServiceRig({ key: 'a-key-of-my-own' });
    expect(service.apiKey).toBe('a-key-of-my-own');
    expect(await client.listDataEntries({})).toEqual([]);
  });

  it('refuses every other key', async () => {
    const { service } = await openServiceRig({ key: 'a-key-of-my-own' });
    const client = createServiceClient({ baseUrl: service.url, apiKey: () => 'a-key-of-my-owm' });
    onTestFinished(() => client.close());
    const fault = await serviceFault(client.listDataEntries({}));
    expect(fault.status).toBe(401);
    expect(fault.failure).toEqual({ kind: 'held', reason: 'key' });
  });

  it('says so when the port is taken', async () => {
    const squatter = createServer();
    const port = await new Promise<number>((resolve) => {
      squatter.listen(0, '127.0.0.1', () => resolve((squatter.address() as { port: number }).port));
    });
    onTestFinished(() => void squatter.close());
    await expect(startLocalService({ folder: tempFolder('service'), port })).rejects.toMatchObject({
      code: 'service.port-taken',
      message: expect.stringContaining(String(port)),
    });
  });

  it('frees its port when it is stopped', async () => {
    const folder = tempFolder('service');
    const first = await startLocalService({ folder });
    const port = Number(new URL(first.url).port);
    await first.stop();
    await first.stop();
    const { service } = await openServiceRig({ folder, port });
    expect(service.url).toBe(first.url);
  });

  it('ends streams by a request unless told not to', async () => {
    const end = async (hasEndings: boolean) => {
      const { client, service } = await openServiceRig({ hasEndings });
      const { data_id } = await client.initializeStream({ points_per_chunk: 1 });
      const url = `${service.url}/tool-state/stream/${data_id}/finalize`;
      return (await fetch(url, { method: 'POST', headers: { 'X-API-KEY': service.apiKey } })).status;
    };
    expect([await end(true), await end(false)]).toEqual([200, 404]);
  });

  it('calls an entry faulty whose data cannot be read, and tells the agent', async () => {
    const { folder, client, service } = await openServiceRig();
    const faults: AgentError[] = [];
    service.onFailure((fault) => faults.push(fault));
    const { data_id } = await client.initializeStream({ points_per_chunk: 2 });
    const points = { timestamps: [1, 2], values: [3, 4] };
    await client.ingestChunk({ data_id, chunk_index: 0, channels: { cell: points } });
    const db = new Database(join(folder, 'service.db'));
    db.exec("UPDATE chunk SET data = x'00'");
    db.close();
    expect((await serviceFault(client.readTimeSeries({ data_id }))).failure).toEqual({ kind: 'ambiguous' });
    expect((await client.listDataEntries({}))[0]?.pipeline_status).toBe('error');
    await expect.poll(() => faults.length).toBe(1);
  });
});
