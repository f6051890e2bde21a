import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Done, runHere } from '../support/command.ts';
import { runAgent } from '../support/processes/agent-process.ts';
import { openServiceRig } from '../support/rigs/service-rig.ts';
import { tempFolder } from '../support/temp-folder.ts';

function settings(folder: string, text: string): string {
  const file = join(folder, 'epistream.yaml');
  writeFileSync(file, text);
  return file;
}

/** One message, one hint, nothing else on the error channel; no stack of a program. */
function expectClear({ err }: Pick<Done, 'err'>, code: string, ...words: string[]): void {
  for (const word of words) expect(err).toContain(word);
  expect(err).toMatch(/^epistream: /);
  expect(err.match(/ {2}hint: \S/g)).toHaveLength(1);
  expect(err).toContain(`  code: ${code}`);
  expect(err).not.toMatch(/\n\s+at /);
}

const logSettings = (folder: string, url = 'embedded') =>
  `version: 1
service: { url: '${url}' }
tool: { name: T, time_zone: UTC }
sources: [{ id: log, kind: log, path: '${folder}', match: '*.csv', backfill: all }]
`;

async function takenPort(): Promise<number> {
  const other = createServer((_, response) => response.end('somebody else'));
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void other.close());
  return (other.address() as AddressInfo).port;
}

describe('what is wrong at start is told in one message with a hint, and the exit code is not 0', () => {
  test('a settings file with faults: each with line and field', async () => {
    const folder = tempFolder();
    const file = settings(folder, 'version: 1\ntool: { name: T }\nsources:\n  - { id: a, kind: log, pth: /x }\n');
    // As a shell sees it: exit code and error channel of a process.
    const run = await runAgent(['run', '--config', file, '--data', join(folder, 'd')]);
    for (const ended of [run, await runHere(['check', file])]) {
      expect(ended.code).toBe(1);
      expectClear(ended, 'settings.invalid', 'epistream.yaml:4', 'pth', 'path');
    }
  });

  test('a settings file that is not there', async () => {
    const folder = tempFolder();
    const ended = await runHere(['run', '--config', join(folder, 'no.yaml'), '--data', join(folder, 'd')]);
    expect(ended.code).toBe(1);
    expectClear(ended, 'settings.missing', '--config');
  });

  test('a log folder that is not there, for a drain and for a check', async () => {
    const folder = tempFolder();
    const missing = join(folder, 'not-here');
    const file = settings(folder, logSettings(missing));
    const drained = await runHere(['run', '--config', file, '--data', join(folder, 'd'), '--drain-and-exit']);
    expect(drained.code).toBe(1);
    expectClear(drained, 'drain.source', missing);
    const checked = await runHere(['check', file, '--data', join(folder, 'd')]);
    expect(checked.code).toBe(1);
    expect(checked.out).toMatch(new RegExp(`FAULT   source log: The folder ${missing} is not there.\n +hint: `));
  });

  test('an API key that the service does not know: a drain is held (3), a check fails (1), and neither shows the key', async () => {
    const folder = tempFolder();
    const { service } = await openServiceRig();
    const logs = join(folder, 'logs');
    mkdirSync(logs);
    writeFileSync(join(logs, 'a.csv'), 'time,x\n1700000000,1\n');
    const file = settings(folder, logSettings(logs, service.url));
    const env = { EPISTREAM_API_KEY: 'nobody-knows-this-key-0123456789' };
    const drained = await runHere(['run', '--config', file, '--data', join(folder, 'd'), '--drain-and-exit'], env);
    expect(drained.code).toBe(3);
    expect(drained.err).toMatch(/not everything was delivered: .*key.*\n {2}hint: /i);
    const checked = await runHere(['check', file, '--data', join(folder, 'd')], env);
    expect(checked.code).toBe(1);
    expect(checked.out).toMatch(/FAULT {3}service: .*key/i);
    const noKey = await runHere(['check', file, '--data', join(folder, 'd')], { EPISTREAM_API_KEY: '' });
    expect(noKey.out).toContain('EPISTREAM_API_KEY');
    for (const { out, err } of [drained, checked]) expect(out + err).not.toContain(env.EPISTREAM_API_KEY);
  });

  test('a port that is taken, for the service and for the screen', async () => {
    const folder = tempFolder();
    const port = String(await takenPort());
    const service = await runHere(['service', '--data', join(folder, 's'), '--port', port]);
    expect(service.code).toBe(1);
    expectClear(service, 'service.port-taken', port);
    // A process: what was begun before its page must not keep it from ending.
    const screen = await runAgent(['run', '--data', join(folder, 'd'), '--ui', port]);
    expect(screen.code).toBe(1);
    expectClear(screen, 'web.port-taken', port, 'already in use', '--ui');
  });

  test('words on the command line that do not fit', async () => {
    for (const args of [['frobnicate'], ['run', '--bad'], ['service'], ['run', '--ui', '99999'], ['check']]) {
      const ended = await runHere(args);
      expect(ended.code).toBe(2);
      expectClear(ended, ended.err.includes('frobnicate') ? 'cli.unknown-command' : 'cli.usage');
    }
  });
});
