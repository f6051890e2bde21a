// Files that wait for a person, answered from the command line.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runHere } from '../support/command.ts';
import { fastClock } from '../support/fast-clock.ts';
import { startHere } from '../support/rigs/agent-here.ts';
import { readEmbedded } from '../support/rigs/delivered.ts';
import { until } from '../support/rigs/growth-rig.ts';
import { tempFolder } from '../support/temp-folder.ts';

test('lists the files that wait, shows one and answers; what does not fit is refused with a hint', async () => {
  const folder = tempFolder();
  const logs = tempFolder('logs');
  const data = join(folder, 'data');
  const config = join(folder, 'epistream.yaml');
  writeFileSync(join(logs, 'd.csv'), 'time,d\n1700000000,1\ntime,d,flux\n1700000001,2,3\n');
  writeFileSync(
    config,
    `version: 1\nservice: { url: embedded }\ntool: { name: T, time_zone: UTC }\nsources:\n  - { id: log, kind: log, backfill: all, path: '${logs}', match: '*' }\n`,
  );
  const answer = (...words: string[]) => runHere(['answer', ...words, '--data', data]);
  expect(await answer()).toMatchObject({ code: 1, err: expect.stringContaining('answer.no-agent') });
  expect(await answer('yes')).toMatchObject({ code: 2, err: expect.stringContaining('there is no "yes"') });
  const clock = fastClock(20);
  const { stop } = await startHere({ config, data, clock });
  const listed = await until('the file waits', async () => {
    const list = await answer('list');
    return list.out.includes('d.csv') ? list : null;
  });
  expect(listed.out).toMatch(/^log {2}d\.csv\n {2}The columns of d\.csv change at line 3/);
  expect((await answer('accept')).err).toContain('needs --file');
  expect((await answer('accept', '--file', 'c.csv')).err).toContain('no file "c.csv" waits');
  // An agent on a busy machine may not answer within the 10 s of a command.
  const looked = await until('the columns are shown', async () => {
    const look = await answer('look', '--file', 'd.csv');
    return look.code === 0 ? look : null;
  });
  expect(looked.out).toContain('columns before: time, d\n  columns from there on: time, d, flux\n  | time,d,flux\n');
  expect(await answer('accept', '--file', 'd.csv')).toMatchObject({ code: 0, out: 'd.csv: accept.\n' });
  await until('none waits', async () =>
    (await answer('list')).out.startsWith('No file needs a decision') ? true : null,
  );
  await stop();
  const drain = ['run', '--config', config, '--data', data, '--drain-and-exit'];
  expect(await runHere(drain, {}, clock)).toMatchObject({ code: 0 });
  const delivered = await readEmbedded(join(data, 'service'));
  expect(delivered.get('flux')).toEqual([{ timeMs: 1_700_000_001_000, value: 3 }]);
  expect(delivered.get('d')?.map(({ value }) => value)).toEqual([1, 2]);
});
