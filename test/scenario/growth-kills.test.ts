// A new sample goes out once, with one RHEED start, and everything of its growth carries it, wherever the agent dies.
import { expect, test } from 'vitest';
import { GrowthView } from '../../src-main/contract/growth.ts';
import type { BenchSettings } from '../../src-main/local-service/bench-settings.ts';
import { askAgent } from '../../src-main/platform/control.ts';
import { runAgent, startAgent } from '../support/agent-process.ts';
import { GrowthRig, streamsOf, until } from '../support/growth-rig.ts';

test.each(['startRheedStream', 'readRheedSettings', 'initializeStream'] as const)(
  'one sample although the agent is killed while %s is under way',
  { timeout: 240_000 },
  async (endpoint) => {
    // The first three streams are those of before the growth.
    const skip = endpoint === 'initializeStream' ? 3 : 0;
    const rules: BenchSettings['rules'] = [{ fault: { kind: 'lost-after', how: 'hang' }, endpoint, skip, times: 1 }];
    const rig = await GrowthRig.open({ isOnline: false, bench: { rules } });
    const run = () =>
      startAgent(['run', '--config', rig.settingsFile, '--data', rig.data], { EPISTREAM_API_KEY: rig.key });
    const ask = async (...words: string[]) => {
      const { code, out, err } = await runAgent(['growth', ...words, '--data', rig.data]);
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
    expect(await ask('show')).toContain('The agent was started anew during it');
    expect(await ask('continue')).not.toContain('anew');
    const read = async () =>
      GrowthView.parse(await askAgent(rig.data, { call: 'growth.read', argument: { growthId: null } }));
    const view = await until('the sample is known and every stream has its entry', async () => {
      const seen = await read();
      const isKnown = seen.sampleId !== null && streamsOf(seen).length >= 3;
      return isKnown && streamsOf(seen).every((one) => one.dataId !== null) ? seen : null;
    });
    expect(view).toMatchObject({ state: 'running', restarts: [{ answer: 'continue' }] });
    await ask('end');
    expect(await ask('show')).toContain('No growth is under way.');
    await rig.expectOneSample('A1420', streamsOf(view).length);
    second.child.kill('SIGTERM');
    expect((await second.ended).code).toBe(0);
  },
);
