// What the plan of old data says of a file that is read already and grew while nobody looked.
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openLogSource } from '../../../../src-main/sources/log/log-source.ts';
import { OldData } from '../../../../src-main/sources/log/old-data.ts';
import { MemorySink, runToEnd } from '../../../support/logs/log-sink.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

test('a file that grew while the agent was off is partly read, not whole', async () => {
  const path = tempFolder();
  const log = join(path, 'log.csv');
  writeFileSync(log, 'time,v\n1790000001,1\n1790000002,2\n');
  const settings = { id: 'log', path, match: '*.csv', dialect: 'auto', timeZone: 'UTC', backfill: 'all' } as const;
  const sink = new MemorySink();
  await runToEnd(openLogSource({ ...settings, isDrain: true }), sink);
  const seen = async () =>
    (await OldData.open(settings, sink.kept)).files.map(({ state, unreadBytes }) => ({ state, unreadBytes }));
  expect(await seen()).toEqual([{ state: 'there', unreadBytes: 0 }]);
  appendFileSync(log, '1790000003,3\n');
  expect(await seen()).toEqual([{ state: 'partly', unreadBytes: 13 }]);
});
