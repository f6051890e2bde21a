// A growth whose agent, a process of its own, is killed while a request of it is under way.
import { expect } from 'vitest';
import type { GrowthView } from '../../../src-main/contract/growth.ts';
import type { EndpointName } from '../../../src-main/interface/table.ts';
import type { BenchSettings } from '../bench/bench-settings.ts';
import { runHere } from '../command.ts';
import { startAgent } from '../processes/agent-process.ts';
import { GrowthRig, streamsOf, until } from '../rigs/growth-rig.ts';

/**
 * The growth has one sample, one RHEED entry, and one entry for each stream, all linked with that sample. Takes the growth as it was
 * seen last: another stream may have begun since. An entry that was made twice has the name of its stream twice.
 */
export async function expectOneSample(rig: GrowthRig, name: string, seen: GrowthView): Promise<void> {
  const held = (await rig.held()).filter((entry) => entry.name.includes(` ${name} `));
  expect(held.filter(({ type }) => type.startsWith('rheed'))).toHaveLength(1);
  const ofStreams = held.filter(({ type }) => type === 'tool_state');
  const seenIds = streamsOf(seen).map((stream) => stream.dataId);
  expect(ofStreams.map(({ dataId }) => dataId)).toEqual(expect.arrayContaining(seenIds));
  expect(new Set(ofStreams.map((entry) => entry.name)).size).toBe(ofStreams.length);
  expect(new Set(held.map(({ sampleName }) => sampleName))).toEqual(new Set(['G3-117']));
  expect(new Set(held.map(({ sampleId }) => sampleId)).size).toBe(1);
  expect(rig.count('sample')).toBe(1);
}

/** The next agent finds what the killed one began: one sample, one entry for each stream. */
export async function expectOneSampleOverKill(endpoint: EndpointName): Promise<void> {
  // The first three streams are those of before the growth.
  const skip = endpoint === 'initializeStream' ? 3 : 0;
  const rules: BenchSettings['rules'] = [{ fault: { kind: 'lost-after', how: 'hang' }, endpoint, skip, times: 1 }];
  const rig = await GrowthRig.open({ isOnline: false, bench: { rules } });
  const run = () =>
    startAgent(['run', '--config', rig.settingsFile, '--data', rig.data], { EPISTREAM_API_KEY: rig.key });
  const ask = async (...words: string[]) => {
    const { code, out, err } = await runHere(['growth', ...words, '--data', rig.data]);
    expect(err).toBe('');
    expect(code).toBe(0);
    return out;
  };
  rig.work();
  const first = run();
  await first.waitFor(/Recording of MBE-1 started/);
  await ask('start', '--name', 'A1420', '--new-sample', 'G3-117');
  const service = await rig.online();
  await until('it is under way', async () => (await service.runBench({ kind: 'report' })).hits[0] === 1);
  first.child.kill('SIGKILL');
  await first.ended;

  const second = run();
  await second.waitFor(/Recording of MBE-1 started/);
  expect(await ask('show')).toContain('The agent was restarted during it');
  expect(await ask('continue')).not.toContain('anew');
  const read = async () => JSON.parse(await ask('show', '--json'));
  const view = await until('the sample is known and every stream has its entry', async () => {
    const seen = await read();
    const isKnown = seen.sampleId !== null && streamsOf(seen).length >= 3;
    return isKnown && streamsOf(seen).every((one) => one.dataId !== null) ? seen : null;
  });
  expect(view).toMatchObject({ state: 'running', restarts: [{ answer: 'continue' }] });
  await ask('end');
  expect(await ask('show')).toContain('No growth is under way.');
  await expectOneSample(rig, 'A1420', view);
  second.child.kill('SIGTERM');
  expect((await second.ended).code).toBe(0);
}
