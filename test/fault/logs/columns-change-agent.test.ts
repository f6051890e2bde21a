// Row 54 through the whole agent: what the screen asks and answers, the new stream, and a restart.
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { makeAgent } from '../../support/rigs/agent-here.ts';
import { tempFolder } from '../../support/temp-folder.ts';

test('a person answers for a file whose columns changed: a new stream begins, each line comes once, a restart asks no more', async () => {
  const dataFolder = tempFolder();
  const logs = tempFolder('logs');
  writeFileSync(
    join(dataFolder, 'epistream.yaml'),
    `version: 1\nservice: { url: embedded }\ntool: { name: T, time_zone: UTC }\nstream_defaults: { rollover: growth }\nsources:\n  - { id: log, kind: log, path: '${logs}', match: '*.csv', backfill: all }\n`,
  );
  const log = join(logs, 'log.csv');
  const begun = 'Time,p [mbar],T [K]\n2026-11-20 10:15:00,1,300\n2026-11-20 10:15:01,2,301\n';
  writeFileSync(log, `${begun}Time,p [mbar],F [sccm]\n2026-11-20 10:15:02,3,20\n`);
  const which = { sourceId: 'log', file: 'log.csv' };

  const agent = makeAgent(dataFolder);
  await agent.start();
  const { heldSource } = agent.handlers;
  await vi.waitFor(async () => expect(await heldSource.list(null)).toHaveLength(1), { timeout: 60_000 });
  expect(await heldSource.list(null)).toMatchObject([
    { ...which, code: 'log.columns-changed', byte: begun.length, line: 4 },
  ]);
  const view = await heldSource.look(which);
  expect(view.newColumns.map(({ channel }) => channel)).toEqual([null, 'p', 'F']);
  expect(view.nextLines.at(-1)).toBe('2026-11-20 10:15:02,3,20');
  await heldSource.answer({ ...which, choice: { answer: 'accept' } });
  await vi.waitFor(() => expect(agent.snapshot.streams).toHaveLength(2), { timeout: 60_000 });
  expect(await heldSource.list(null)).toEqual([]);
  await expect(heldSource.look(which)).rejects.toMatchObject({ code: 'log.not-held' });
  await expect(heldSource.look({ ...which, sourceId: 'x' })).rejects.toMatchObject({ code: 'source.gone' });
  await agent.stop();

  appendFileSync(log, '2026-11-20 10:15:03,4,21\n');
  const again = makeAgent(dataFolder);
  await again.start();
  const stored = () => again.snapshot.streams.reduce((sum, { pointsStored }) => sum + pointsStored, 0);
  await vi.waitFor(() => expect(stored()).toBe(8), { timeout: 60_000 });
  expect(await again.handlers.heldSource.list(null)).toEqual([]);
  expect(again.snapshot.sources[0]?.cellsRefused).toBe(0);
  await again.stop();
});
