import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { commandError } from '../../../../src-main/commands/shared/refusal.ts';
import { AgentError } from '../../../../src-main/model/agent-error.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (thrown) {
    return thrown;
  }
  throw new Error('nothing was thrown');
}

test.each([
  ['EACCES', 'sudo -u epistream'],
  ['EPERM', 'sudo -u epistream'],
  ['EROFS', 'sudo -u epistream'],
  ['EBUSY', 'Close the program'],
  ['ENOSPC', 'Free space'],
  ['EIO', 'the disk or the share'],
])('%s is a refusal of the system with its hint, and no bug', (code, hint) => {
  const fault = Object.assign(new Error(`${code}: no, scandir '/var/lib/epistream/instances'`), { code });
  const { code: told, message, hint: said } = commandError(fault);
  expect([told, said]).toEqual(['file.refused', expect.stringContaining(hint)]);
  expect(message).toContain('/var/lib/epistream/instances');
});

test('a database that may not be opened is refused, too', () => {
  const folder = join(tempFolder(), 'queue.db');
  mkdirSync(folder);
  expect(commandError(thrownBy(() => new SQLite(folder)))).toMatchObject({ code: 'file.refused' });
});

test('a file that is not there, and any other fault, stays a bug; what the agent says stays what it is', () => {
  const file = join(tempFolder(), 'a');
  writeFileSync(file, '');
  for (const fault of [
    thrownBy(() => readdirSync(join(file, 'b'))),
    new TypeError('x is not a function'),
    'text',
    null,
  ])
    expect(commandError(fault).code).toBe('internal');
  const own = new AgentError({ code: 'data.in-use', message: 'm', hint: 'h' });
  expect(commandError(own)).toBe(own);
});
