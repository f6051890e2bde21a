// Who changed what a lab relies on, on each engine: a line stands there with its change, and not without it.
import { expect, test } from 'vitest';
import {
  addKey,
  addOrganization,
  addUser,
  listAuditLines,
  listKeys,
  replaceKey,
  revokeKey,
} from '../../../src-main/local-service/admin.ts';
import { importFile } from '../../../src-main/local-service/import/import-file.ts';
import { openServiceRig, serviceFault } from '../../support/rigs/service-rig.ts';
import { demo, demoFile } from '../../support/rigs/service-world.ts';

const linesOf = async (place: string) =>
  (await listAuditLines(place, 100)).map(({ action, subject }) => `${action}: ${subject}`);

test('keys, users and settings of the service are told with who, when and from where', async () => {
  const beganMs = Date.now();
  const { place } = await openServiceRig();
  await addOrganization(place, 'lab B');
  await addUser(place, 'ada', 'lab B');
  await addUser(place, 'ada', 'lab B');
  const key = await addKey(place, { organization: 'lab B', user: 'ada', role: 'read', days: 2 });
  const id = (await listKeys(place)).find(({ ending }) => ending === key.slice(-4))?.id ?? 0;
  const next = await replaceKey(place, id);
  const nextId = (await listKeys(place)).find(({ ending }) => ending === next.slice(-4))?.id ?? 0;
  await revokeKey(place, nextId);
  const lines = await listAuditLines(place, 100);
  expect(lines.map(({ action, subject }) => `${action}: ${subject}`)).toEqual([
    'organization added: default',
    'user added: operator',
    'key made: key 1 of operator, role full, does not expire',
    expect.stringMatching(/^service started: \{"address":"127\.0\.0\.1","origin":"http:.*"metrics":false/),
    'organization added: lab B',
    'user added: ada',
    expect.stringMatching(new RegExp(`^key made: key ${id} of ada, role read, expires 20`)),
    `key revoked: key ${id}`,
    expect.stringMatching(new RegExp(`^key made: key ${nextId} of ada, role read, expires 20`)),
    `key revoked: key ${nextId}`,
  ]);
  for (const { atMs, who, from } of lines) {
    expect(atMs).toBeGreaterThanOrEqual(Math.floor(beganMs));
    expect([who, from]).toEqual([expect.stringMatching(/, by command$/), expect.stringMatching(/./)]);
  }
  expect(JSON.stringify(lines)).not.toContain(key);
});

test('what a person changes over the interface is told with the key and the address; what is refused is not', async () => {
  const { place, client, service } = await openServiceRig();
  await importFile(place, demoFile);
  const sample = demo.physical_samples[0]?.physical_sample_id ?? '';
  const before = (await linesOf(place)).length;
  const project = await client.createProject({ name: 'Oxides' });
  await client.createInstrument({ name: 'GEN10', label: 'Veeco', type: 'mbe' });
  await client.updateProjectSamples({ project_id: project, physical_sample_ids: [sample], set: true });
  expect(await serviceFault(client.removeTags({ data_ids: [project], tag_ids: [project] }))).toMatchObject({
    status: 404,
  });
  const { data_id } = await client.initializeStream({ points_per_chunk: 1 });
  await client.ingestChunk({ data_id, chunk_index: 0, channels: { x: { timestamps: [1], values: [1] } } });
  const proxied = await fetch(`${service.url}/projects/`, {
    method: 'POST',
    headers: {
      'X-API-KEY': service.apiKey,
      'Content-Type': 'application/json',
      'X-Forwarded-For': 'a lie, 203.0.113.9',
    },
    body: JSON.stringify({ name: 'Nitrides' }),
  });
  expect(proxied.status).toBe(200);
  const lines = (await listAuditLines(place, 100)).slice(before);
  expect(lines.map(({ action, subject, from }) => [action, subject, from])).toEqual([
    ['project added', 'Oxides', '127.0.0.1'],
    ['instrument added', 'GEN10', '127.0.0.1'],
    ['samples of a project changed', `${project}: only ${sample}`, '127.0.0.1'],
    ['project added', 'Nitrides', '203.0.113.9, told by 127.0.0.1'],
  ]);
  expect(new Set(lines.map(({ who }) => who))).toEqual(new Set(['operator of default, key 1']));
});

test('what changes nothing is not told, and the answer is the same', async () => {
  const { place, client } = await openServiceRig();
  const added = [
    await addOrganization(place, 'lab B'),
    await addOrganization(place, 'lab B'),
    await addUser(place, 'ada', 'lab B'),
    await addUser(place, ' ada ', 'lab B'),
  ];
  expect(added).toEqual([true, false, true, false]);
  await addKey(place);
  const id = (await listKeys(place)).at(-1)?.id ?? 0;
  expect([await revokeKey(place, id), await revokeKey(place, id)]).toEqual([true, false]);
  const [first, second] = [await importFile(place, demoFile), await importFile(place, demoFile)];
  expect([first.added > 0, second.added]).toEqual([true, 0]);
  const project_id = await client.createProject({ name: 'Oxides' });
  const samples = demo.physical_samples.map(({ physical_sample_id }) => physical_sample_id).slice(0, 2);
  const link = (ids: readonly (string | undefined)[], set: boolean) =>
    client.updateProjectSamples({ project_id, physical_sample_ids: ids.map((id) => id ?? ''), set });
  expect(await link(samples, true)).toEqual(await link(samples.toReversed(), true));
  expect(await link(samples.slice(1), false)).toHaveLength(2);
  expect(await link(samples.slice(1), true)).toHaveLength(1);
  const { data_id = '' } = (await client.listDataEntries({})).find(({ tags }) => (tags?.length ?? 0) > 0) ?? {};
  const untag = () => client.removeTags({ data_ids: [data_id], tag_ids: demo.tags.map(({ tag_id }) => tag_id) });
  expect(await untag()).toEqual(await untag());
  const update = () => client.updateTargetLayer({ sample_id: 1, layer_id: 1, orientation: '(117)', mp_id: null });
  const stampOf = async () =>
    (await client.listTargetMaterials({})).find(({ layer_id }) => layer_id === 1)?.last_updated;
  const layer = await update();
  const stamp = await stampOf();
  expect([await update(), await stampOf()]).toEqual([layer, stamp]);
  const counts: Record<string, number> = {};
  for (const { action } of await listAuditLines(place, 100)) counts[action] = (counts[action] ?? 0) + 1;
  expect(counts).toEqual({
    ...{ 'organization added': 2, 'user added': 2, 'key made': 2, 'key revoked': 1, 'service started': 1 },
    ...{
      'file imported': 1,
      'project added': 1,
      'samples of a project changed': 2,
      'tags removed': 1,
      'layer changed': 1,
    },
  });
});

test('requests with keys that are not good are counted by key and address, without the key, and within a bound', async () => {
  const { place, service } = await openServiceRig();
  const [revoked, expired] = [await addKey(place), await addKey(place, { days: 1 / 86_400_000 })];
  const idOf = async (key: string) => (await listKeys(place)).find(({ ending }) => ending === key.slice(-4))?.id;
  const [revokedId, expiredId] = [await idOf(revoked), await idOf(expired)];
  await revokeKey(place, revokedId ?? 0);
  const ask = async (key: string | null, from?: string, path = '/data_entries/') => {
    const told = from === undefined ? {} : { 'X-Forwarded-For': from };
    const headers = { ...(key === null ? {} : { 'X-API-KEY': key }), ...told };
    return (await fetch(service.url + path, { headers })).status;
  };
  await expect.poll(() => ask(expired)).toBe(401);
  for (let n = 0; n < 5; n++) expect(await ask(revoked)).toBe(401);
  expect(await ask(revoked, undefined, '/lab/tools')).toBe(401);
  expect(await ask(null)).toBe(401);
  for (let n = 0; n < 300; n++) expect(await ask(`no-key-of-this-lab-${n}`, `203.0.113.9, 198.51.100.${n}`)).toBe(401);
  await service.stop();
  const lines = (await listAuditLines(place, 1000)).filter(({ action }) => action === 'key refused');
  const countOf = (some: typeof lines) => some.reduce((sum, { subject }) => sum + Number(/\d+/.exec(subject)?.[0]), 0);
  const bySubject = (text: string) => lines.filter(({ subject }) => subject.includes(text));
  expect([countOf(bySubject('revoked')), countOf(bySubject('expired')), countOf(lines)]).toEqual([6, 1, 307]);
  const told = [...bySubject('revoked'), ...bySubject('expired')].map(({ who, from }) => `${who} at ${from}`);
  expect(new Set(told)).toEqual(
    new Set([
      `operator of default, key ${revokedId} at 127.0.0.1`,
      `operator of default, key ${expiredId} at 127.0.0.1`,
    ]),
  );
  expect(lines).toContainEqual(expect.objectContaining({ who: 'unknown', from: '198.51.100.0, told by 127.0.0.1' }));
  expect(lines.filter(({ from }) => from === 'other addresses').length).toBeGreaterThan(0);
  // As it stops each kind has one more line at most.
  expect(lines.length).toBeLessThanOrEqual(202);
  for (const key of [revoked, expired, 'no-key-of']) expect(JSON.stringify(lines)).not.toContain(key);
});

test('a hint names the place that was given', async () => {
  const { place } = await openServiceRig();
  const option = place.startsWith('postgres') ? '--database URL' : '--data D';
  const hint = (work: Promise<unknown>) => work.then(String, ({ hint }: { hint: string }) => hint);
  expect(await hint(addUser(place, 'ada', 'nowhere'))).toBe(
    `Add it first with: service org add ${option} --name "nowhere"`,
  );
  expect(await hint(addKey(place, { user: 'ada' }))).toContain(`service user add ${option} --org`);
  expect(await hint(revokeKey(place, 99))).toContain(`service key list ${option}`);
});
