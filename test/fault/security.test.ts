// Part F, rows of security that need the real agent as a process: where the key may not turn up, and who may read what is
// written. The others stand beside what they hold; test/fault/rows.test.ts names them.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runHere } from '../support/command.ts';
import { openMiddleman } from '../support/faults/middleman.ts';
import { LogAgent } from '../support/logs/log-agent.ts';
import { openServiceRig } from '../support/rigs/service-rig.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** Every file below a folder. */
function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}

test('109 and 122: the key is in no file that is written, in nothing that is printed, and in no list of processes; only the user who runs it can read the files', async () => {
  const { service, client } = await openServiceRig();
  const key = service.apiKey;
  // A service that echoes what it was sent, as some do in their faults, then serves.
  const front = await openMiddleman(service.url, ({ at, headers }) =>
    at <= 2
      ? {
          do: 'instead',
          answer: {
            status: 500,
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ detail: `no answer for ${headers['x-api-key']}`, headers }),
          },
        }
      : 'pass',
  );
  const agent = new LogAgent({ url: front.url, service: 'resend: repeat', key });
  agent.write(40);
  const running = await agent.start();
  const told = [
    JSON.stringify(
      await agent.until('the service fails', ({ journal }) => journal.some(({ message }) => message.includes('[key]'))),
    ),
  ];
  if (process.platform === 'linux') told.push(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }));
  await agent.stop(running);
  told.push(running.printed());
  const words = ['run', '--config', agent.config, '--data', agent.data, '--drain-and-exit'];
  const drained = await runHere(words, { EPISTREAM_API_KEY: key });
  expect(drained.code).toBe(0);
  told.push(drained.out, drained.err);
  const out = join(tempFolder('export'), 'points.csv');
  const asked = [
    ['status', '--json'],
    ['receipt', '--json'],
    ['export', '--stream', '1', '--out', out],
  ];
  for (const words of asked) {
    const { out: printed, err } = await runHere([words[0] as string, '--data', agent.data, ...words.slice(1)]);
    told.push(printed, err);
  }
  await agent.expectDelivered(client);
  expect(front.asked.some(({ headers }) => headers['x-api-key'] === key)).toBe(true);
  for (const text of told) expect(text).not.toContain(key);
  const files = [...filesOf(agent.data), agent.config, out];
  expect(files.length).toBeGreaterThan(3);
  expect(files.filter((file) => readFileSync(file).includes(key))).toEqual([]);
  if (process.platform === 'win32') return;
  const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
  expect(modeOf(agent.data)).toBe('700');
  const entries = readdirSync(agent.data, { recursive: true, withFileTypes: true });
  expect(entries.some(({ name }) => name === 'queue.db')).toBe(true);
  const open = entries.filter(({ parentPath, name }) => (statSync(join(parentPath, name)).mode & 0o077) !== 0);
  expect(open.map(({ parentPath, name }) => `${join(parentPath, name)} ${modeOf(join(parentPath, name))}`)).toEqual([]);
});
