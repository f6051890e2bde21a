import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AgentError } from '../../../src-main/model/agent-error.ts';
import { openLog } from '../../../src-main/platform/log.ts';
import { expectMode } from '../../support/posix.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const KEY = 'canary-"key\\-0123456789';

async function linesOf(write: (log: ReturnType<typeof openLog>) => void): Promise<Record<string, unknown>[]> {
  const folder = tempFolder();
  const log = openLog(folder);
  write(log);
  await log.flush();
  const file = join(folder, 'logs', 'epistream.log');
  expectMode(file, 0o600);
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

test('a line carries time, level, message and fields', async () => {
  const [info, warning] = await linesOf((log) => {
    log.info('started', { sources: 2 });
    log.warning('slow');
  });
  expect(info).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    sources: 2,
    msg: 'started',
  });
  expect(warning).toMatchObject({ level: 'warning', msg: 'slow' });
});

test('an error is written with code, hint, context and causes', async () => {
  const cause = new Error('ENOENT');
  const [line] = await linesOf((log) =>
    log.error(new AgentError({ code: 'log.gone', message: 'Gone.', hint: 'Look.', context: { path: '/x' }, cause }), {
      id: 'a',
    }),
  );
  expect(line).toMatchObject({ level: 'error', msg: 'Gone.', id: 'a' });
  expect(line?.error).toMatchObject({
    code: 'log.gone',
    hint: 'Look.',
    context: { path: '/x' },
    cause: { message: 'ENOENT' },
  });
});

test('the key is in no line, wherever it was put', async () => {
  const folder = tempFolder();
  const log = openLog(folder);
  log.hide(KEY);
  log.info(`sent with ${KEY}`);
  log.info('fields', { apiKey: KEY, deep: { headers: { 'x-api-key': KEY, other: KEY } }, list: [KEY], [KEY]: 1 });
  const context = { request: { authorization: `Bearer ${KEY}` } };
  log.error(new AgentError({ code: 'x', message: `at ${KEY}`, hint: KEY, context, cause: new Error(KEY) }));
  log.error(new Error(KEY));
  await log.flush();
  const text = readdirSync(join(folder, 'logs'))
    .map((name) => readFileSync(join(folder, 'logs', name), 'utf8'))
    .join('');
  expect(text.split('\n')).toHaveLength(5);
  expect(text).not.toContain('canary');
  expect(text).not.toContain('0123456789');
  expect(text).toContain('[hidden]');
});

test('fields that are secrets by their name are hidden although nobody said so', async () => {
  const [line] = await linesOf((log) =>
    log.info('x', { token: 'abc', deep: { password: 'abc', headers: { 'x-api-key': 'abc' } } }),
  );
  expect(JSON.stringify(line)).not.toContain('abc');
});

test('lines stay whole lines, whatever a message holds', async () => {
  const [line, ...rest] = await linesOf((log) => log.info('one\ntwo\u0000\u2028{"level":"error"}'));
  expect(line?.msg).toBe('one\ntwo\u0000\u2028{"level":"error"}');
  expect(rest).toEqual([]);
});

test('circular and huge values are cut, not thrown, and stay lines', async () => {
  const circle: Record<string, unknown> = { name: 'x' };
  circle.self = circle;
  const list = Array.from({ length: 100_000 }, (_, index) => index);
  const [first, second] = await linesOf((log) => {
    log.info('circle', { circle });
    log.info('list', { list });
  });
  expect(first?.msg).toBe('circle');
  expect(second).toMatchObject({ msg: expect.stringContaining('was cut'), begin: expect.stringContaining('[0,1,2,3') });
});
