// Files that a tool writes at the beginning and end of a run begin and end growths, each once.
import { mkdirSync, readdirSync, symlinkSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Agent } from '../../../src-main/agent/agent.ts';
import { GrowthRig, until } from '../../support/rigs/growth-rig.ts';

const PROJECT = '5e0c4a0e-7a43-4f0e-9d7e-0d2f3a4b5c6d';

async function openRig() {
  const rig = await GrowthRig.open({ isOnline: false, speed: 10, more: 'growth: { run_files: runs }\n' });
  const runs = join(rig.folder, 'runs');
  mkdirSync(runs);
  const write = (name: string, content: unknown) => {
    writeFileSync(join(runs, name), typeof content === 'string' ? content : JSON.stringify(content));
  };
  return { rig, runs, write };
}

const told = (agent: Agent, code: string) => agent.snapshot.journal.filter((entry) => entry.code === code);

/** An agent whose first look at the folder is over: what comes from now on is new. */
async function startAndLook(rig: GrowthRig, write: (name: string, content: unknown) => void): Promise<Agent> {
  write('old.run-start.json', { name: 'last year' });
  const agent = await rig.start();
  await until('the old file is told', () => told(agent, 'growth.old-run-files').length === 1);
  return agent;
}

test('a run-start file begins a growth with name, sample and project, a run-end file ends it; both are taken once, over restarts', async () => {
  const { rig, runs, write } = await openRig();
  // Of before the first look: not taken, and that is said.
  const first = await startAndLook(rig, write);
  expect(told(first, 'growth.old-run-files')[0]?.message).toContain('old.run-start.json');
  write('r1.run-start.json', { name: 'A1', sample: 'G3-117', project: PROJECT, recipe: 'of the tool' });
  const running = await until('the growth runs', () => first.snapshot.growth);
  expect(running).toMatchObject({ name: 'A1', newSampleName: 'G3-117', projectId: PROJECT });
  expect(running.startCause).toBe(`run file ${join(runs, 'r1.run-start.json')}`);
  await first.stop();

  const second = await rig.start();
  await rig.clock.sleep(3000);
  expect((await second.handlers.growth.list({ before: null, limit: 9 })).growths).toHaveLength(1);
  expect(second.snapshot.growth?.id).toBe(running.id);
  // The name is that of the file, also when the operator gave another.
  await second.handlers.growth.change({ name: 'renamed', mayOpenNew: true });
  write('r1.run-end.json', { name: 'A1' });
  await until('the growth ended', () => second.snapshot.growth === null);
  // A run ended and the next began while nobody looked: the next one is what runs.
  await second.stop();
  write('r2.run-start.json', { name: 'A2' });
  utimesSync(join(runs, 'r2.run-start.json'), new Date(Date.now() - 60_000), new Date(Date.now() - 60_000));
  write('r3.run-start.json', { name: 'A3' });
  const third = await rig.start();
  const next = await until('the next growth runs', () => third.snapshot.growth);
  expect(next.name).toBe('A3');
  expect((await third.handlers.growth.list({ before: null, limit: 9 })).growths).toHaveLength(2);
  // Nothing is written into the folder.
  expect(readdirSync(runs).sort()).toEqual(
    ['old.run-start.json', 'r1.run-end.json', 'r1.run-start.json', 'r2.run-start.json', 'r3.run-start.json'].sort(),
  );
});

test('reports a faulty run file with file and field and starts nothing; a corrected file counts', async () => {
  const { rig, runs, write } = await openRig();
  const agent = await startAndLook(rig, write);
  const expectRefused = async (name: string, content: unknown, words: string) => {
    write(name, content);
    const entry = await until(`${name} is refused`, () =>
      agent.snapshot.journal.find(({ message, level }) => level === 'error' && message.includes(join(runs, name))),
    );
    expect(entry.message).toContain(words);
    expect(agent.snapshot.growth).toBeNull();
  };
  await expectRefused('a.run-start.json', '{ "name": "A1", ', 'is no JSON');
  await expectRefused('b.run-start.json', { sample: 'G3' }, 'field "name": is missing');
  await expectRefused('c.run-start.json', { name: 'A1', project: 'ours' }, 'field "project": is no UUID of a project');
  await expectRefused('d.run-start.json', { name: 7 }, 'field "name": must be a text');
  await expectRefused('e.run-end.json', {}, 'no growth was under way');
  write('b.run-start.json', { name: 'A1', sample: 'G3' });
  expect(await until('it begins', () => agent.snapshot.growth)).toMatchObject({ name: 'A1', newSampleName: 'G3' });
  write('f.run-end.json', { name: 'A2' });
  await until('another run ends nothing', () =>
    agent.snapshot.journal.find(({ message }) => message.includes('"A2" is not the growth that runs, "A1"')),
  );
  expect(agent.snapshot.growth?.name).toBe('A1');
});

// A file of the system whose beginning nobody can read, not even its administrator.
test.runIf(process.platform === 'linux')(
  'a run file that cannot be read is told as that, and later ones wait for it',
  async () => {
    const { rig, runs, write } = await openRig();
    const agent = await startAndLook(rig, write);
    const place = join(runs, 'a.run-end.json');
    symlinkSync('/proc/self/mem', place);
    const [entry] = await until('it is told', () => {
      const entries = agent.snapshot.journal.filter(({ message }) => message.includes(place));
      return entries.length > 0 && entries;
    });
    expect(entry).toMatchObject({ code: 'growth.run-file', message: expect.stringContaining('cannot be read (EIO)') });
    write('b.run-start.json', { name: 'B' });
    await rig.clock.sleep(3000);
    expect(agent.snapshot.growth).toBeNull();
    unlinkSync(place);
    await until('the next one is taken', () => agent.snapshot.growth?.name === 'B');
  },
);
