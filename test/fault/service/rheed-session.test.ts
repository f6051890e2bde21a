// Part E, row 94: the start of a RHEED session is not known to have arrived. One entry, one sample, whatever happens.
import { describe, expect, test } from 'vitest';
import type { BenchFault } from '../../support/bench/bench-settings.ts';
import { openSessionRig } from '../../support/rigs/session-rig.ts';

const FAULTS: readonly (readonly [string, BenchFault])[] = [
  ['the answer is lost by a reset', { kind: 'lost-after', how: 'reset' }],
  ['the answer hangs', { kind: 'lost-after', how: 'hang' }],
  ['the request is lost', { kind: 'lost-before', how: 'reset' }],
  ['it arrives after it was given up', { kind: 'late-commit', how: 'reset', delayMs: 150 }],
  ['it arrives, and 500 is answered', { kind: 'answer', status: 500, isStored: true }],
  [
    'it arrives, and a page of the network is answered',
    {
      kind: 'answer',
      status: 200,
      headers: { 'content-type': 'text/html' },
      body: '<html>blocked</html>',
      isStored: true,
    },
  ],
  ['500 is answered and nothing stored', { kind: 'answer', status: 500 }],
  ['409 is answered and nothing stored', { kind: 'answer', status: 409 }],
  ['the service asks to wait', { kind: 'answer', status: 429, headers: { 'retry-after': '1' } }],
];

describe('94: one entry and one sample', () => {
  test.each(FAULTS)('when %s', async (_, fault) => {
    // An answer that hangs is waited for until the client gives up.
    const times = 'how' in fault && fault.how === 'hang' ? 1 : 2;
    const rig = await openSessionRig({ bench: { rules: [{ fault, endpoint: 'startRheedStream', times }] } });
    // A second and a quarter of real time, so that what arrives late arrives within it on a busy machine, too.
    const { desk } = await rig.live(fault.kind === 'late-commit' ? { holdOffMs: 50_000 } : {});
    await desk.start('camera', { newSampleName: 'G3-117' });
    await rig.until('it is read back', () => desk.sessions[0]?.settings != null);
    expect([rig.count('entry'), rig.count('sample')]).toEqual([1, 1]);
    const [entry] = await rig.client.listDataEntries({});
    expect(entry).toMatchObject({ data_id: desk.sessions[0]?.dataId, physical_sample_name: 'G3-117' });
    expect(desk.sessions[0]).toMatchObject({ sampleId: entry?.physical_sample_id, differences: [], problem: '' });
  });

  test.each(['startRheedStream', 'readRheedSettings', 'listDataEntries'] as const)(
    'when three answers to %s are lost',
    async (endpoint) => {
      const fault = { kind: 'lost-after', how: 'reset' } as const;
      const rig = await openSessionRig({ bench: { rules: [{ fault, endpoint, times: 3 }] } });
      const { desk } = await rig.live();
      await desk.start('camera', { newSampleName: 'G3-117' });
      await rig.until('it is read back', () => desk.sessions[0]?.settings != null);
      expect([rig.count('entry'), rig.count('sample')]).toEqual([1, 1]);
    },
  );

  test('when the agent dies between the answer and the note of it', async () => {
    const rig = await openSessionRig();
    const dead = rig.live({
      service: {
        ...rig.client,
        startRheedStream: async (body, options) => {
          await rig.client.startRheedStream(body, options);
          // It is stored, and nobody here ever hears of it.
          return new Promise<string>((_, reject) => options?.signal.addEventListener('abort', reject));
        },
      },
    });
    const { desk: first } = await dead;
    await first.start('camera', { newSampleName: 'G3-117' });
    await rig.until('it is stored there', () => rig.count('entry') === 1);
    // The first life never ends: it hangs in its request, as a killed process would. Another begins on the same store.
    const { desk: second } = await rig.live();
    await rig.until('it is adopted', () => second.sessions[0]?.settings != null);
    const [entry] = await rig.client.listDataEntries({});
    expect(second.sessions[0]?.dataId).toBe(entry?.data_id);
    expect([rig.count('entry'), rig.count('sample')]).toEqual([1, 1]);
  });

  test('when two sessions name the same new sample', async () => {
    const rig = await openSessionRig();
    const { desk } = await rig.live();
    for (let session = 0; session < 2; session++) {
      await desk.start('camera', { newSampleName: 'G3-117' });
      await rig.until('it is read back', () => desk.sessions[session]?.settings != null);
      await desk.end('camera', 'by hand');
    }
    expect([rig.count('entry'), rig.count('sample')]).toEqual([2, 1]);
    expect(desk.sessions[1]?.sampleId).toBe(desk.sessions[0]?.sampleId);
  });
});

describe('94: a person is asked', () => {
  test('when the service has two samples of that name; the one that is chosen is linked', async () => {
    const rig = await openSessionRig();
    const entry = (id: string) => ({
      data_id: id,
      raw_name: id,
      physical_sample_id: `s-${id}`,
      physical_sample_name: 'G3-117',
    });
    const { desk } = await rig.live({
      service: { ...rig.client, listDataEntries: async () => [entry('a'), entry('b')] },
    });
    const { nonce } = await desk.start('camera', { newSampleName: 'G3-117' });
    await rig.until('it is asked', () => desk.sessions[0]?.problem !== '');
    expect(desk.sessions[0]?.problem).toContain('2 samples named "G3-117": s-a, s-b');
    expect(rig.count('entry')).toBe(0);
    // Told once it is kept.
    await expect.poll(() => rig.news.at(-1)).toMatchObject({ code: 'rheed.two-samples' });
    await desk.change(nonce, { newSampleName: null });
    await rig.until('it is started', () => desk.sessions[0]?.dataId != null);
    expect([rig.count('entry'), rig.count('sample')]).toEqual([1, 0]);
  });

  test('when the service has two entries of that nonce; nothing is made or adopted', async () => {
    const rig = await openSessionRig({
      bench: { rules: [{ fault: { kind: 'lost-after', how: 'reset' }, endpoint: 'startRheedStream', times: 1 }] },
    });
    const { desk } = await rig.live({ holdOffMs: 50_000 });
    const { name } = await desk.start('camera');
    await rig.until('it is stored there', () => rig.count('entry') === 1);
    await rig.client.startRheedStream({ data_item_name: name, fps_capture_rate: 30 });
    await rig.until('it is asked', () => desk.sessions[0]?.problem !== '');
    expect(desk.sessions[0]).toMatchObject({ dataId: null, problem: expect.stringContaining('2 RHEED entries named') });
    expect(rig.count('entry')).toBe(2);
  });
});
