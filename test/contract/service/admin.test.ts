// Commands for who may use the service, on each engine: what only looks, or takes back, makes no service where there is none.
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runHere } from '../../support/command.ts';
import { inDatabase } from '../../support/postgres/database.ts';
import { testDatabase } from '../../support/postgres/test-place.ts';
import { memoryFolder } from '../../support/temp-folder.ts';

test.each([...['org list', 'user list', 'key list', 'audit list'], ...['key revoke --id 1', 'key replace --id 1']])(
  'service %s fails where there is no service, and leaves the place as it is',
  async (words) => {
    const database = await testDatabase();
    const folder = join(memoryFolder('service'), 'TYPO');
    const place = database === null ? ['--data', folder] : ['--database', database];
    const { code, out, err } = await runHere(['service', ...words.split(' '), ...place]);
    expect([code === 0, out]).toEqual([false, '']);
    expect(err).toContain(database === null ? `${folder} is not the folder of a service` : 'is not that of a service');
    expect(err).toMatch(/hint: Check the name[\s\S]*service\.storage-missing/);
    expect(existsSync(folder)).toBe(false);
    if (database === null) return;
    const sql = "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace";
    expect(await inDatabase(database, sql)).toEqual([]);
  },
);

test('the first user is added where there is no service yet', async () => {
  const database = await testDatabase();
  const folder = join(memoryFolder('service'), 'new');
  const place = database === null ? ['--data', folder] : ['--database', database];
  expect(await runHere(['service', 'user', 'add', '--name', 'ada', ...place])).toMatchObject({ code: 0 });
  expect((await runHere(['service', 'user', 'list', ...place])).out).toBe('default\tada\n');
  if (database !== null) return;
  rmSync(join(folder, 'service.db'));
  expect((await runHere(['service', 'user', 'list', ...place])).err).toContain('it holds no service.db');
});
