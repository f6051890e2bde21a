// Fault matrix, row 64: names that one system or another has trouble with, made for real on Linux.
import { Buffer } from 'node:buffer';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openLogRig } from '../../support/logs/log-rig.ts';

const LONG = 'x'.repeat(200);

const NAMES: readonly (readonly [string, string])[] = [
  ['an accent in one sign', 'Tr\u00e4ger.csv'],
  ['the same accent in two signs', 'Tra\u0308ger.csv'],
  ['a device of Windows', 'CON.csv'],
  ['the same without extension', 'con'],
  ['a dot at the end', 'log.csv.'],
  ['a blank at the end', 'log.csv '],
  ['a path of more than 260 characters', `${LONG}/${LONG}/${LONG}.csv`],
  ['signs that Windows forbids', 'a:b*c?"<>|.csv'],
  ['a backslash', 'a\\b.csv'],
  ['a line break', 'a\nb.csv'],
  ['writing turned round', 'a\u202Evsc.exe'],
  ['beyond the first plane', '\u{1F9EA}\u{1F525}.csv'],
  ['a word of ours', '@layout:x.csv'],
  ['another one', '@folder'],
  ['a number as ours', 'log@1'],
  ['a name as of an object', '__proto__'],
];

describe('row 64', () => {
  test('files of all such names are read side by side, renamed and found again, over a restart', async () => {
    const { folder, reader, writer } = openLogRig();
    mkdirSync(join(folder, LONG, LONG), { recursive: true });
    const both = (first: string, second: string) => ({ first, second });
    for (const [n, [, name]] of NAMES.entries()) await writer.append(name, `time,c${n}\n1790000001,${n}\n`);
    await reader.look();
    await reader.kill();
    for (const [n, [, name]] of NAMES.entries()) await writer.append(name, `1790000002,${n}.5\n`);
    await reader.look();
    const read = NAMES.map(([what], n) => both(what, reader.sink.values(`c${n}`).join(' ')));
    expect(read).toEqual(NAMES.map(([what], n) => both(what, `${n} ${n}.5`)));
    for (const [n, [, name]] of NAMES.entries()) {
      await writer.append(name, `1790000003,${n}.75\n`);
      await writer.does({ do: 'rename', file: name, to: `moved-${n}` });
    }
    await reader.look();
    const moved = NAMES.map(([what], n) => both(what, reader.sink.values(`c${n}`).join(' ')));
    expect(moved).toEqual(NAMES.map(([what], n) => both(what, `${n} ${n}.5 ${n}.75`)));
    expect(reader.sink.gaps).toEqual([]);
    expect(reader.sink.channels).toHaveLength(NAMES.length);
  });

  test('a name that is no Unicode cannot be opened by its text, and is said', async () => {
    const { folder, reader, writer } = openLogRig();
    const name = Buffer.concat([Buffer.from(`${folder}/Tr`), Buffer.from([0xe4]), Buffer.from('ger.csv')]);
    writeFileSync(name, 'time,v\n1790000001,1\n');
    await writer.append('log.csv', 'time,w\n1790000001,1\n');
    await reader.look();
    expect(reader.sink.channels).toEqual(['w']);
    expect(reader.sink.notes.get('log.name-unreadable')).toMatchObject({
      level: 'warning',
      message: expect.stringContaining('Tr\uFFFDger.csv'),
    });
  });
});
