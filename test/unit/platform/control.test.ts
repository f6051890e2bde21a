import { fork } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { AgentError } from '../../../src-main/model/agent-error.ts';
import { announceAgent } from '../../../src-main/platform/announce.ts';
import { askAgent, type ControlOptions, startControlServer } from '../../../src-main/platform/control.ts';
import { openDataFolder } from '../../../src-main/platform/data-folder.ts';
import { tempFolder } from '../../support/temp-folder.ts';

async function startAgent(answer: ControlOptions['answer']) {
  const folder = await openDataFolder(tempFolder());
  onTestFinished(() => folder.close());
  const server = await startControlServer({ answer });
  onTestFinished(() => server.close());
  await announceAgent(folder, server);
  return { path: folder.path, folder, ...server };
}

/** A request as others on this PC could make it. */
function callAs(
  address: string,
  {
    headers = {},
    method = 'POST',
    path = '/',
    body = '{}',
  }: { headers?: Record<string, string>; method?: string; path?: string; body?: string },
): Promise<{ status: number; text: string }> {
  return new Promise((settle, fail) => {
    const outgoing = request(`${address}${path}`, { method, headers, agent: false });
    outgoing.on('error', fail);
    outgoing.on('response', async (stream) => {
      let text = '';
      for await (const part of stream) text += part;
      settle({ status: stream.statusCode ?? 0, text });
    });
    outgoing.end(body);
  });
}

test('carries a question to the agent and its answer back', async () => {
  const { path } = await startAgent(async (question) => ({ heard: question, text: 'µ°Å', list: [1, null] }));
  expect(await askAgent(path, { what: 'status' })).toEqual({ heard: { what: 'status' }, text: 'µ°Å', list: [1, null] });
  expect(await askAgent(path, null)).toMatchObject({ heard: null });
});

test('gives undefined where no agent runs, and null where it has nothing to say', async () => {
  expect(await askAgent(tempFolder(), 'status')).toBeUndefined();
  const { path } = await startAgent(async () => undefined);
  expect(await askAgent(path, 'status')).toBeNull();
});

test('carries the error of the agent with code and hint', async () => {
  const { path } = await startAgent(async () => {
    throw new AgentError({ code: 'store.busy', message: 'Busy.', hint: 'Wait.' });
  });
  await expect(askAgent(path, 1)).rejects.toMatchObject({ code: 'store.busy', message: 'Busy.', hint: 'Wait.' });
});

test('an answer that cannot be written as JSON is an error, not a crash', async () => {
  const { path } = await startAgent(async () => ({ big: 1n }));
  await expect(askAgent(path, 1)).rejects.toMatchObject({ code: 'internal' });
  await expect(askAgent(path, 1)).rejects.toMatchObject({ code: 'internal' });
});

test('distinguishes an agent that could not announce its address from no agent', async () => {
  const path = tempFolder();
  expect(await askAgent(path, 1)).toBeUndefined();
  const child = fork(join(import.meta.dirname, 'hold-lock.ts'), [join(path, 'instances')], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'message');
  await expect(askAgent(path, 1)).rejects.toMatchObject({
    code: 'agent.silent',
    message: expect.stringContaining(`(process ${child.pid}) and cannot be asked`),
  });
});

test('answers many questions side by side', async () => {
  const { path } = await startAgent(async (question) => question);
  const questions = Array.from({ length: 50 }, (_, index) => index);
  expect(await Promise.all(questions.map((question) => askAgent(path, question)))).toEqual(questions);
});

test('refuses calls without the token, from a page, or by another host name', async () => {
  const asked: unknown[] = [];
  const { address, token } = await startAgent(async (question) => asked.push(question));
  const good = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const statuses = await Promise.all(
    [
      { headers: { 'content-type': 'application/json' } },
      { headers: { ...good, authorization: 'Bearer ' } },
      { headers: { ...good, authorization: `Bearer ${token}x` } },
      { headers: { ...good, host: 'evil.example' } },
      { headers: { ...good, host: 'localhost:80' } },
      { headers: { ...good, origin: 'https://evil.example' } },
      { headers: { ...good, origin: 'null' } },
      { headers: { ...good, 'sec-fetch-site': 'cross-site' } },
      { headers: { ...good, 'content-type': 'text/plain' } },
      { headers: good, method: 'GET', body: '' },
      { headers: good, path: '/etc' },
      { headers: good, body: '{' },
      { headers: good, body: JSON.stringify('x'.repeat(70_000)) },
    ].map((attempt) => callAs(address, attempt).then(({ status }) => status)),
  );
  expect(statuses).toEqual([401, 401, 401, 421, 421, 403, 403, 403, 415, 404, 404, 400, 413]);
  expect(asked).toEqual([]);
  expect((await callAs(address, { headers: good })).status).toBe(200);
});

test('listens on this PC only', async () => {
  const { address } = await startAgent(async () => null);
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
});

test('an agent that closed its door meanwhile is silent, not a crash', async () => {
  const { path, close } = await startAgent(async () => null);
  await close();
  await expect(askAgent(path, 1)).rejects.toMatchObject({ code: 'agent.silent', retry: 'later' });
});

test('rejects a nonsense answer of another process behind the address', async () => {
  const { path, folder, token } = await startAgent(async () => null);
  const stranger = createServer((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello'));
  await new Promise<void>((settle) => stranger.listen({ host: '127.0.0.1', port: 0 }, settle));
  onTestFinished(() => void stranger.close());
  const { port } = stranger.address() as { port: number };
  await announceAgent(folder, { address: `http://127.0.0.1:${port}`, token });
  await expect(askAgent(path, 1)).rejects.toMatchObject({ code: 'agent.silent' });
});

test('closing does not wait for those who keep their line open', async () => {
  const { address, close } = await startAgent(async () => null);
  const idle = request(address, { method: 'POST' });
  idle.on('error', () => {}); // The line is cut below.
  idle.flushHeaders();
  await new Promise((settle) => idle.once('socket', (socket) => socket.once('connect', settle)));
  await close();
});
