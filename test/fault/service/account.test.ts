// Part H, row 130: a key of another organization is entered while data waits. And its contrary: a renewed key of the same.
import { expect, onTestFinished, test } from 'vitest';
import { gateByAccount } from '../../../src-main/agent/service-link/account-gate.ts';
import { createServiceClient } from '../../../src-main/delivery/client/client.ts';
import { addKey, addOrganization, addUser } from '../../../src-main/local-service/admin.ts';
import { openStore } from '../../../src-main/queue/store/store.ts';
import { Engine } from '../../support/rigs/engine.ts';
import { openServiceRig } from '../../support/rigs/service-rig.ts';
import { memoryFolder } from '../../support/temp-folder.ts';

async function rig() {
  const { folder, service, client: owner } = await openServiceRig();
  await addOrganization(folder, 'elsewhere');
  await addUser(folder, 'stranger', 'elsewhere');
  await addUser(folder, 'colleague');
  const keys = {
    owner: service.apiKey,
    renewed: await addKey(folder, { user: 'colleague' }),
    stranger: await addKey(folder, { organization: 'elsewhere', user: 'stranger' }),
  };
  let key = keys.owner;
  const client = createServiceClient({ baseUrl: service.url, apiKey: () => key });
  onTestFinished(() => client.close());
  const data = memoryFolder('account');
  const open = (from = 0) =>
    Engine.open({
      client,
      folder: data,
      from,
      gate: (gated, store) => gateByAccount(gated, { store, serviceAddress: 'rig', apiKey: () => key }),
    });
  const entriesOf = async (whose: string) => {
    const reader = createServiceClient({ baseUrl: service.url, apiKey: () => whose });
    const entries = await reader.listDataEntries({});
    await reader.close();
    return entries.length;
  };
  const setKey = (next: string) => {
    key = next;
  };
  return { keys, open, setKey, entriesOf, owner, data };
}

test('130: queued points never go to another organization, neither in the same run nor after a restart', async () => {
  const { keys, open, setKey, entriesOf } = await rig();
  const first = await open();
  await first.capture(12);
  await first.until('chunks went out', async () => ((await first.streams())[0]?.pointsAcknowledged ?? 0) > 0);
  setKey(keys.stranger);
  await first.capture(12, 'another-source');
  await first.until('it is held', () => first.uploader.lineFault?.code === 'upload.other-account');
  expect(first.uploader.lineFault?.trouble).toBe('key');
  await first.close();

  const second = await open(24);
  await second.capture(12, 'a-third-source');
  await second.until('it is held', () => second.uploader.lineFault?.code === 'upload.other-account');
  expect(await entriesOf(keys.stranger)).toBe(0);

  setKey(keys.owner);
  second.uploader.release();
  await second.deliverAll();
  expect(await entriesOf(keys.stranger)).toBe(0);
  const acknowledged = (await second.streams()).reduce((sum, stream) => sum + stream.pointsAcknowledged, 0);
  expect(acknowledged).toBe(3 * 36);
});

test('a renewed key of the same organization goes on without a question', async () => {
  const { keys, open, setKey, data } = await rig();
  const first = await open();
  await first.capture(12);
  await first.deliverAll();
  setKey(keys.renewed);
  await first.capture(12, 'another-source');
  await first.deliverAll();
  expect(first.failures).toEqual([]);
  await first.close();
  const store = await openStore(`${data}/queue.db`);
  const { mark } = await store.account('rig');
  await store.close();
  expect(mark).not.toContain(keys.renewed);
});

test('a queue for which nothing was begun takes whatever key comes', async () => {
  const { keys, open, setKey, entriesOf } = await rig();
  setKey('a-wrong-key-that-nobody-has');
  const engine = await open();
  await engine.capture(12);
  await engine.until('the key is refused', () => engine.uploader.lineFault?.code === 'service.key-refused');
  setKey(keys.stranger);
  engine.uploader.release();
  await engine.deliverAll();
  expect(await entriesOf(keys.stranger)).toBe(1);
});
