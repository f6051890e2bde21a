// What a folder holds that is not read yet, as the planner sees it.
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { OldData } from '../../../../src-main/sources/log/old-data.ts';
import { LogReader } from '../../../support/log-reader.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

test('whole lines that were added while nobody read are unread', async () => {
  const path = tempFolder();
  const log = join(path, 'log.csv');
  writeFileSync(log, 'time,v\n1790000001,1\n');
  const reader = new LogReader({ path, match: '*.csv', backfill: 'all' });
  await reader.look();
  await reader.kill();
  expect(reader.sink.values('v')).toEqual([1]);
  const settings = { id: 'log', path, match: '*.csv', dialect: 'auto', timeZone: 'UTC', backfill: 'all' } as const;
  const view = async () => (await OldData.open(settings, reader.sink.kept)).files;
  expect(await view()).toMatchObject([{ state: 'there', unreadBytes: 0 }]);
  appendFileSync(log, '1790000002,2\n17900');
  expect(await view()).toMatchObject([{ state: 'partly', unreadBytes: '1790000002,2\n'.length }]);
});
