// How often refused keys reach the audit, with a clock of the test's own.
import { expect, onTestFinished, test } from 'vitest';
import { listAuditLines } from '../../../src-main/local-service/admin.ts';
import { createRefusedKeys } from '../../../src-main/local-service/refused-keys.ts';
import { openSqlite } from '../../../src-main/local-service/storage/sqlite/sqlite-engine.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const MINUTE_MS = 60_000;

function open() {
  const folder = tempFolder('service');
  const engine = openSqlite(folder);
  let now = 1_780_000_000_000;
  const broken = { isSo: false };
  const write: typeof engine.write = (script) =>
    broken.isSo ? Promise.reject(new Error('no disk')) : engine.write(script);
  const refused = createRefusedKeys({ ...engine, write }, () => now);
  onTestFinished(async () => {
    await refused.close();
    await engine.close();
  });
  const note = (times: number) => {
    for (let n = 0; n < times; n++) refused.note({ why: 'unknown', who: 'unknown' }, '192.0.2.1');
  };
  const counts = async () =>
    (await listAuditLines(folder, 1000)).map(({ subject }) => Number(/\d+/.exec(subject)?.[0]));
  const pass = (ms: number) => {
    now += ms;
  };
  return { refused, note, counts, pass, broken };
}

test('the first is told at once, those that follow in lines that come less and less often', async () => {
  const { refused, note, counts, pass } = open();
  note(1);
  await refused.flush();
  note(5);
  await refused.flush();
  expect(await counts()).toEqual([1]);
  pass(MINUTE_MS);
  await refused.flush();
  expect(await counts()).toEqual([1, 5]);
  // A day of a request each minute.
  for (let minute = 0; minute < 1440; minute++) {
    note(1);
    pass(MINUTE_MS);
    await refused.flush();
  }
  const all = await counts();
  expect(all.length).toBeLessThanOrEqual(32);
  pass(60 * MINUTE_MS);
  await refused.flush();
  expect((await counts()).reduce((sum, count) => sum + count, 0)).toBe(1446);
  pass(61 * MINUTE_MS);
  await refused.flush();
  // It had been quiet: the next is told at once.
  note(1);
  await refused.flush();
  expect((await counts()).at(-1)).toBe(1);
});

test('what could not be written is counted on', async () => {
  const { refused, note, counts, broken } = open();
  broken.isSo = true;
  note(2);
  await expect(refused.flush()).rejects.toThrow('no disk');
  note(1);
  broken.isSo = false;
  await refused.flush();
  expect(await counts()).toEqual([3]);
});
