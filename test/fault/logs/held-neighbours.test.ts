// A file that nobody may look at holds up what depends on it, and nothing else of its log.
import {
  appendFileSync,
  copyFileSync,
  readFileSync,
  renameSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as passed } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { diskFiles, type Files } from '../../../src-main/platform/files.ts';
import { LogReader } from '../../support/logs/log-reader.ts';
import { memoryFolder } from '../../support/temp-folder.ts';

const HEAD = 'time,v\n';
const startMs = Date.now() - 3000;
const lines = (from: number, to: number) =>
  Array.from(
    { length: to - from + 1 },
    (_, i) => `${((startMs + (from + i) * 10) / 1000).toFixed(3)},${from + i}\n`,
  ).join('');
const upTo = (last: number) => Array.from({ length: last }, (_, i) => i + 1);

/** A folder that is read, of which names refuse: by name, the code, at opening or at looking. */
function begin(match: string) {
  const folder = memoryFolder('held');
  const refused = { open: new Map<string, string>(), facts: new Map<string, string>() };
  const refuse = (at: keyof typeof refused, path: string) => {
    const code = refused[at].get(basename(path));
    if (code !== undefined) throw Object.assign(new Error(code), { code });
  };
  const files: Files = {
    ...diskFiles,
    isWatchable: false,
    open: (path) => {
      refuse('open', path);
      return diskFiles.open(path);
    },
    facts: (path) => {
      refuse('facts', path);
      return diskFiles.facts(path);
    },
  };
  const reader = new LogReader({ path: folder, match, files });
  onTestFinished(() => reader.kill());
  const at = (name: string) => join(folder, name);
  // Times of the file system are real ones.
  const look = async (times: number) => {
    for (let n = 0; n < times; n++) {
      await passed(20);
      await reader.look(3000);
    }
  };
  return { reader, refused, at, look };
}

test.each([
  ['open', '*'],
  ['facts', '*'],
  ['open', 'log.csv'],
] as const)('the copy of a log that was cut is read while an older one refuses (%s, match %s)', async (how, match) => {
  const { reader, refused, at, look } = begin(match);
  writeFileSync(at('log.csv'), HEAD + lines(1, 3));
  await look(2);
  copyFileSync(at('log.csv'), at('log.csv.1'));
  truncateSync(at('log.csv'));
  appendFileSync(at('log.csv'), HEAD + lines(4, 5));
  await look(4);
  refused[how].set('log.csv.1', 'EACCES');
  await look(2);
  appendFileSync(at('log.csv'), lines(6, 7));
  renameSync(at('log.csv.1'), at('log.csv.2'));
  copyFileSync(at('log.csv'), at('log.csv.1'));
  truncateSync(at('log.csv'));
  refused[how].clear();
  refused[how].set('log.csv.2', 'EACCES');
  appendFileSync(at('log.csv'), HEAD + lines(8, 9));
  await look(5);
  expect(reader.sink.values('v').slice(0, 7)).toEqual(upTo(7));
  // What a second rotation destroys was read by then.
  unlinkSync(at('log.csv.1'));
  await look(2);
  refused[how].clear();
  await look(5);
  expect(reader.sink.values('v')).toEqual(upTo(9));
});

test('a log that comes back at its path is read on while nobody can look at its rotated file', async () => {
  const { reader, refused, at, look } = begin('*');
  writeFileSync(at('log.csv'), HEAD + lines(1, 3));
  await look(2);
  renameSync(at('log.csv'), at('log.csv.1'));
  writeFileSync(at('log.csv'), HEAD + lines(4, 5));
  await look(4);
  refused.facts.set('log.csv.1', 'EIO');
  await look(2);
  const text = readFileSync(at('log.csv'));
  unlinkSync(at('log.csv'));
  await look(1);
  writeFileSync(at('log.csv'), Buffer.concat([text, Buffer.from(lines(6, 7))]));
  await look(5);
  expect(reader.sink.values('v')).toEqual(upTo(7));
});

test.each(['held', 'rewritten'] as const)(
  'a shadow that is renamed stays one while its original is %s',
  async (how) => {
    const { reader, refused, at, look } = begin('*.csv*');
    writeFileSync(at('log.csv'), HEAD + lines(1, 3));
    await look(2);
    writeFileSync(at('b.csv'), HEAD + lines(1, 5));
    await look(3);
    appendFileSync(at('log.csv'), lines(4, 4));
    renameSync(at('log.csv'), at('log.csv.1'));
    writeFileSync(at('log.csv'), HEAD);
    if (how === 'held') {
      renameSync(at('b.csv'), at('a.csv'));
      refused.open.set('a.csv', 'EBUSY');
    } else truncateSync(at('b.csv'), 30);
    await passed(20);
    await reader.look(300);
    refused.open.clear();
    if (how === 'rewritten') writeFileSync(at('b.csv'), HEAD + lines(1, 5));
    await look(5);
    const values = reader.sink.channels.flatMap((channel) => reader.sink.values(channel));
    expect(values.toSorted((a, b) => a - b)).toEqual(upTo(5));
  },
);
