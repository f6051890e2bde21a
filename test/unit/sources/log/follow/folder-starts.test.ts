// Molly-style runs: a folder of files, one a tag, that tell seconds since a start which stands nowhere.
import { appendFileSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { type HeldAnswer, HeldDesk } from '../../../../../src-main/sources/log/follow/held-desk.ts';
import { LogReader } from '../../../../support/logs/log-reader.ts';
import { tempFolder } from '../../../../support/temp-folder.ts';

const START_MS = Date.UTC(2026, 2, 2, 12);
const HEADER = 'Elapsed time [s]\tValue [0,700]\r\n';

let folder: string;
let reader: LogReader;
let desk: HeldDesk;

beforeEach(() => {
  folder = tempFolder();
  mkdirSync(join(folder, 'run 12'));
  desk = new HeldDesk();
  reader = new LogReader({ path: folder, dialect: 'molly', held: desk });
  return () => reader.kill();
});

/** A tag with its rows, and when it was last changed, in seconds since the start of the run. */
function write(name: string, rows: readonly (readonly [second: number, value: number])[], changedS: number): void {
  const path = join(folder, 'run 12', `${name}.txt`);
  writeFileSync(path, HEADER + rows.map(([second, value]) => `${second.toFixed(3)}\t${value}\r\n`).join(''));
  touch(name, changedS);
}

function touch(name: string, changedS: number): void {
  const seconds = START_MS / 1000 + changedS;
  utimesSync(join(folder, 'run 12', `${name}.txt`), seconds, seconds);
}

const times = (channel: string) => reader.sink.points(channel).map(({ timeMs }) => (timeMs - START_MS) / 1000);

test('the files of a run have one start, though some were only touched when they were closed', async () => {
  write('Ga.Setpoint', [[0, 900]], 3600);
  write(
    'Ga.Measured',
    [
      [0, 890],
      [3600, 900],
    ],
    3600,
  );
  write(
    'Shutter',
    [
      [0, 0],
      [2137.5, 36],
    ],
    3600,
  );
  await reader.look();
  expect({ setpoint: times('Ga.Setpoint'), measured: times('Ga.Measured'), shutter: times('Shutter') }).toEqual({
    setpoint: [0],
    measured: [0, 3600],
    shutter: [0, 2137.5],
  });
  expect(reader.sink.notes.get('log.starts-differ')?.message).toContain('run 12/ (by 1 h)');
});

test('files that the tool writes as it should agree, and nothing is said', async () => {
  write(
    'Ga.Measured',
    [
      [0, 890],
      [3600, 900],
    ],
    3600,
  );
  write(
    'Shutter',
    [
      [0, 0],
      [2137.5, 36],
    ],
    2137.6,
  );
  await reader.look();
  expect({ measured: times('Ga.Measured'), shutter: times('Shutter') }).toEqual({
    measured: [0, 3600],
    shutter: [0, 2137.5],
  });
  expect(reader.sink.notes.has('log.starts-differ')).toBe(false);
  expect(reader.sink.notes.get('log.start-from-file')?.level).toBe('warning');
});

test('a file that comes later counts from the start of its run, after a restart too', async () => {
  write(
    'Ga.Measured',
    [
      [0, 890],
      [10, 900],
    ],
    10,
  );
  await reader.look();
  await reader.kill();
  write(
    'As.Measured',
    [
      [0, 1],
      [20, 2],
    ],
    20.4,
  );
  await reader.look();
  appendFileSync(join(folder, 'run 12', 'As.Measured.txt'), '30.000\t3\r\n');
  touch('As.Measured', 30.9);
  await reader.look();
  expect({ ga: times('Ga.Measured'), as: times('As.Measured') }).toEqual({ ga: [0, 10], as: [0, 20, 30] });
});

describe('runs in one folder whose guesses contradict each other', () => {
  const answer = (file: string, given: HeldAnswer) => {
    const asked = desk.answer(`run 12/${file}.txt`, given, async () => undefined);
    return Promise.all([asked, reader.look()]);
  };

  test('are not read before a person has said so, each then as a run of its own', async () => {
    // The second begins with what the first holds: it is another run all the same.
    write(
      'a',
      [
        [0, 1],
        [20, 2],
      ],
      20,
    );
    write(
      'b',
      [
        [0, 1],
        [20, 2],
        [40, 3],
      ],
      3640,
    );
    await reader.look();
    await reader.look();
    expect(reader.sink.captures.flatMap(({ blocks }) => blocks)).toEqual([]);
    const waiting = desk.list().map(({ file, code }) => [file, code]);
    expect(waiting.sort()).toEqual([
      ['run 12/a.txt', 'log.starts-contradict'],
      ['run 12/b.txt', 'log.starts-contradict'],
    ]);
    await answer('b', { answer: 'accept' });
    await reader.look();
    expect(times('b')).toEqual([3600, 3620, 3640]);
    await answer('a', { answer: 'accept' });
    await reader.look();
    expect({ a: times('a'), b: times('b') }).toEqual({ a: [0, 20], b: [3600, 3620, 3640] });
    // What was said is kept.
    await reader.kill();
    await reader.look();
    expect(desk.list()).toEqual([]);
    expect({ a: times('a'), b: times('b') }).toEqual({ a: [0, 20], b: [3600, 3620, 3640] });
  });

  test('wait over a restart, and can be left out', async () => {
    write(
      'a',
      [
        [0, 1],
        [20, 2],
      ],
      20,
    );
    write(
      'b',
      [
        [0, 5],
        [40, 6],
      ],
      3640,
    );
    await reader.look();
    await reader.kill();
    await reader.look();
    expect(reader.sink.captures.flatMap(({ blocks }) => blocks)).toEqual([]);
    await answer('a', { answer: 'leave-out' });
    await answer('b', { answer: 'accept' });
    await reader.look();
    expect({ a: times('a'), b: times('b') }).toEqual({ a: [], b: [3600, 3640] });
  });
});

test('a later run in the same folder has a start of its own', async () => {
  write(
    'Ga.Measured',
    [
      [0, 890],
      [10, 900],
    ],
    10,
  );
  await reader.look();
  write(
    'As.Measured',
    [
      [0, 1],
      [20, 2],
    ],
    86_420,
  );
  await reader.look();
  expect({ ga: times('Ga.Measured'), as: times('As.Measured') }).toEqual({ ga: [0, 10], as: [86_400, 86_420] });
});
