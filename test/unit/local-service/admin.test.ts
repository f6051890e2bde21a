import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { administer } from '../../../src-main/commands/service-admin.ts';
import { createServiceClient } from '../../../src-main/delivery/client/client.ts';
import {
  addKey,
  addOrganization,
  addUser,
  listKeys,
  listOrganizations,
  listUsers,
  replaceKey,
  revokeKey,
} from '../../../src-main/local-service/admin.ts';
import { startLocalService } from '../../../src-main/local-service/local-service.ts';
import type { AgentError } from '../../../src-main/model/agent-error.ts';
import { runHere } from '../../support/command.ts';
import { openServiceRig, senderTo, serviceFault } from '../../support/rigs/service-rig.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const thrownBy = (work: () => Promise<unknown>) =>
  work().then(
    () => null,
    (fault: unknown) => fault,
  );

describe('organizations, users and keys', () => {
  it('are added and listed without a running service', async () => {
    const folder = tempFolder('service');
    await addOrganization(folder, 'lab B');
    await addOrganization(folder, 'lab B');
    await addUser(folder, 'ada', 'lab B');
    await addUser(folder, 'ada', 'lab B');
    await addUser(folder, 'bob');
    const key = await addKey(folder, { organization: 'lab B', user: 'ada' });
    expect(await listOrganizations(folder)).toEqual(['default', 'lab B']);
    expect(await listUsers(folder)).toEqual([
      { organization: 'default', user: 'bob' },
      { organization: 'lab B', user: 'ada' },
    ]);
    expect(await listKeys(folder)).toEqual([
      {
        ...{ id: 1, organization: 'lab B', user: 'ada', ending: key.slice(-4), createdMs: expect.any(Number) },
        ...{ expiresMs: null, revokedMs: null, usedMs: null, role: 'full' },
      },
    ]);
  });

  it('are taken back, replaced and end by themselves, in a service that runs', async () => {
    const { folder, service, client: own } = await openServiceRig();
    const statusOf = async (key: string) => {
      const client = createServiceClient({ baseUrl: service.url, apiKey: () => key });
      onTestFinished(() => client.close());
      return client.listDataEntries({}).then(
        () => 200,
        (fault: { status: number }) => fault.status,
      );
    };
    const [kept, taken, brief] = [
      await addKey(folder),
      await addKey(folder),
      await addKey(folder, { days: 1 / 86_400_000 }),
    ];
    const numberOf = async (key: string) =>
      (await listKeys(folder)).find(({ ending }) => ending === key.slice(-4))?.id ?? 0;
    expect([await statusOf(kept), await statusOf(taken)]).toEqual([200, 200]);
    await expect.poll(() => statusOf(brief)).toBe(401);
    await revokeKey(folder, await numberOf(taken));
    expect([await statusOf(kept), await statusOf(taken)]).toEqual([200, 401]);
    const next = await replaceKey(folder, await numberOf(kept));
    const nextId = await numberOf(next);
    expect([await statusOf(kept), await statusOf(next)]).toEqual([401, 200]);
    expect(await thrownBy(() => addKey(folder, { key: taken }))).toMatchObject({ code: 'service.key-revoked' });
    expect(await thrownBy(() => revokeKey(folder, 99))).toMatchObject({ code: 'service.key-unknown' });
    await expect
      .poll(async () => (await listKeys(folder)).find(({ id }) => id === nextId)?.usedMs)
      .toEqual(expect.any(Number));
    expect(await own.listDataEntries({})).toEqual([]);
  });

  it('are replaced for as long as they were given', async () => {
    const { folder } = await openServiceRig();
    await addKey(folder, { days: 365 });
    const former = (await listKeys(folder)).at(-1);
    await replaceKey(folder, former?.id ?? 0);
    const next = (await listKeys(folder)).at(-1);
    expect(next?.id).not.toBe(former?.id);
    expect((next?.expiresMs ?? 0) - (next?.createdMs ?? 0)).toBe(365 * 86_400_000);
  });

  it('may do what their role says, after a replacement too', async () => {
    const { folder, service } = await openServiceRig();
    const keys = [await addKey(folder, { role: 'ingest' }), await addKey(folder, { role: 'read' })];
    const [, ingest, read] = (await listKeys(folder)).map(({ id }) => id);
    keys.push(await replaceKey(folder, ingest ?? 0), await replaceKey(folder, read ?? 0));
    const [, , agent = '', reader = ''] = keys;
    const asAgent = senderTo({ url: service.url, apiKey: agent });
    const asReader = senderTo({ url: service.url, apiKey: reader });
    const both = async (...what: Parameters<ReturnType<typeof senderTo>>) => [
      (await asAgent(...what)).status,
      (await asReader(...what)).status,
    ];
    expect(await both('POST', '/tool-state/stream/initialize', { points_per_chunk: 1 })).toEqual([200, 403]);
    expect(await both('GET', '/data_entries/')).toEqual([200, 200]);
    expect(await both('POST', '/projects/', { name: 'a' })).toEqual([403, 403]);
    expect(await both('GET', '/target-materials/')).toEqual([403, 200]);
    const listed = await asAgent('GET', '/data_entries/');
    const [{ data_id } = { data_id: '' }] = (await listed.json()) as { data_id: string }[];
    expect(await both('POST', `/tool-state/stream/${data_id}/finalize`)).toEqual([200, 403]);
  });

  it('are issued again for the service itself after its own was revoked', async () => {
    const folder = tempFolder('service');
    const first = await startLocalService({ folder, port: 0, key: null });
    await first.stop();
    await revokeKey(folder, 1);
    const second = await startLocalService({ folder, port: 0, key: null });
    onTestFinished(() => second.stop());
    expect(second.apiKey).not.toBe(first.apiKey);
    const client = createServiceClient({ baseUrl: second.url, apiKey: () => second.apiKey });
    onTestFinished(() => client.close());
    expect(await client.listDataEntries({})).toEqual([]);
  });

  it('work at once in a service that runs', async () => {
    const { folder, service } = await openServiceRig();
    const client = createServiceClient({ baseUrl: service.url, apiKey: () => 'a-key-of-my-own' });
    onTestFinished(() => client.close());
    expect((await serviceFault(client.listDataEntries({}))).status).toBe(401);
    await addKey(folder, { key: 'a-key-of-my-own' });
    expect(await client.listDataEntries({})).toEqual([]);
  });

  it('leave no key in the database', async () => {
    const folder = tempFolder('service');
    const key = await addKey(folder);
    expect(key.length).toBeGreaterThanOrEqual(43);
    const bytes = readFileSync(join(folder, 'service.db')).toString('latin1');
    expect(bytes).not.toContain(key);
    expect(bytes).not.toContain(key.slice(0, 20));
  });

  it('that are so already are said to be so', async () => {
    const folder = tempFolder('service');
    const say = async (...words: string[]) => (await runHere(['service', ...words, '--data', folder])).out.trim();
    const add = ['user', 'add', '--name', 'ada'];
    expect([await say(...add), await say(...add)]).toEqual(['Added ada.', 'ada is there already; nothing changed.']);
    await addKey(folder);
    const revoke = ['key', 'revoke', '--id', '1'];
    expect([await say(...revoke), await say(...revoke)]).toEqual([
      'Key 1 is revoked.',
      'Key 1 was revoked before; nothing changed.',
    ]);
  });

  it('are listed a line each, and so is the audit, whatever stands in their names', async () => {
    const folder = tempFolder('service');
    const forged = 'eve\n2026-11-25T00:00:00.000Z\tada, by command\tpc\tkey revoked\tkey 7';
    await addOrganization(folder, forged);
    await addUser(folder, forged, forged);
    await addKey(folder, { organization: forged, user: forged });
    for (const [noun, lines, cells] of [
      ['org', 1, 1],
      ['user', 1, 2],
      ['key', 1, 8],
      ['audit', 3, 5],
    ] as const) {
      const { out } = await runHere(['service', noun, 'list', '--data', folder]);
      expect(
        out
          .trimEnd()
          .split('\n')
          .map((line) => line.split('\t').length),
      ).toEqual(Array(lines).fill(cells));
      expect(out).toContain('eve\\u000a2026-11-25T00:00:00.000Z\\u0009ada');
    }
  });

  it('are refused with a code and a hint when they cannot be', async () => {
    const folder = tempFolder('service');
    await addUser(folder, 'ada');
    await addKey(folder, { user: 'ada', key: 'the-same-key' });
    expect(await thrownBy(() => addUser(folder, 'x', 'nowhere'))).toMatchObject({
      code: 'service.organization-unknown',
    });
    expect(await thrownBy(() => addKey(folder, { user: 'nobody' }))).toMatchObject({ code: 'service.user-unknown' });
    expect(await thrownBy(() => addKey(folder, { key: 'short' }))).toMatchObject({ code: 'service.key-short' });
    expect(await thrownBy(() => addKey(folder, { key: 'with a space' }))).toMatchObject({ code: 'service.key-short' });
    expect(await thrownBy(() => addKey(folder, { key: 'the-same-key' }))).toMatchObject({ code: 'service.key-taken' });
    expect(await thrownBy(() => addOrganization(folder, '  '))).toMatchObject({ code: 'service.name-unfit' });
    expect(await listKeys(folder)).toHaveLength(1);
  });

  it('are refused with a hint that works as it is printed', async () => {
    const folder = tempFolder('service');
    const work = () => addUser(folder, 'x', 'new lab');
    for (let step = 0; step < 2; step++) {
      const { hint } = (await (step === 0
        ? thrownBy(work)
        : thrownBy(() => addKey(folder, { user: 'x' })))) as AgentError;
      const command = /: service (.*)$/.exec(hint)?.[1] ?? '';
      const words = command.match(/"[^"]*"|\S+/g)?.map((word) => word.replaceAll('"', '')) ?? [];
      expect(await administer([...words.map((word) => (word === 'D' ? folder : word))])).toBe(0);
    }
    expect(await listUsers(folder)).toContainEqual({ organization: 'default', user: 'x' });
    await work();
    expect(await listUsers(folder)).toContainEqual({ organization: 'new lab', user: 'x' });
  });
});
