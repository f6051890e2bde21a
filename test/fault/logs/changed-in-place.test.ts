// Rows 43 to 47, what writers do in place: a header that counts, a block of NULs where the power went, a file exchanged for one
// of the same size and age.
import {
  appendFileSync,
  closeSync,
  copyFileSync,
  openSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LogReader } from '../../support/logs/log-reader.ts';
import { tempFolder } from '../../support/temp-folder.ts';

function begin() {
  const path = tempFolder();
  return { path, log: join(path, 'log.csv'), reader: new LogReader({ path }) };
}

const row = (n: number) => `${1_790_000_010 + n},${n}\n`;
const rows = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => row(from + n)).join('');
const numbers = (to: number) => Array.from({ length: to }, (_, n) => n);

function overwrite(file: string, at: number, text: string): void {
  const handle = openSync(file, 'r+');
  writeSync(handle, text, at);
  closeSync(handle);
}

describe('row 46', () => {
  test.each([3, 80, 2000])(
    'a header that counts its %d rows in place doubles nothing, also over a kill',
    async (count) => {
      const { log, reader } = begin();
      writeFileSync(log, `# rows 0000\ntime,v\n${rows(0, count)}`);
      await reader.look();
      overwrite(log, 7, '0001');
      appendFileSync(log, row(count));
      await reader.look();
      await reader.kill();
      overwrite(log, 7, '0002');
      appendFileSync(log, row(count + 1));
      await reader.look();
      expect(reader.sink.values('v')).toEqual(numbers(count + 2));
      expect(reader.sink.gaps).toEqual([]);
    },
  );

  test('other names in place are another file: nothing of it is taken for what it was', async () => {
    const { log, reader } = begin();
    writeFileSync(log, `# rows 0000\ntime,v\n${rows(0, 3)}`);
    await reader.look();
    overwrite(log, 12, 'time,w');
    appendFileSync(log, row(3));
    await reader.look();
    await reader.look();
    expect(reader.sink.values('v')).toEqual([0, 1, 2]);
    expect(reader.sink.values('w')).toEqual([0, 1, 2, 3]);
    expect(reader.sink.notes.get('log.file-restarted')?.message).toContain('log.csv');
  });

  test('a new run with the same data under another start is a new run', async () => {
    const { log, reader } = begin();
    const run = (start: string) => `Start 2026-11-20 ${start}\nTime [s],v\n0,5\n1,5\n2,5\n`;
    writeFileSync(log, run('10:15:00'));
    await reader.look();
    writeFileSync(log, run('11:15:00'));
    await reader.look();
    await reader.look();
    expect(reader.sink.values('v')).toEqual([5, 5, 5, 5, 5, 5]);
  });

  test.each([false, true])(
    'a file that is written again to the same length within one tick of its clock is another one (killed between: %s)',
    async (isKilled) => {
      const { log, reader } = begin();
      const tick = new Date();
      const write = (from: number) => {
        writeFileSync(log, `time,v\n${rows(from, from + 2)}`);
        utimesSync(log, tick, tick);
      };
      write(10);
      await reader.look();
      if (isKilled) await reader.kill();
      write(20);
      await reader.look();
      await reader.look();
      expect(reader.sink.values('v')).toEqual([10, 11, 20, 21]);
      expect(reader.sink.notes.get('log.file-restarted')?.message).toContain('log.csv');
    },
  );

  test('a copy that stays as it is stays a copy, also when its original begins otherwise after a restart', async () => {
    const { path, log, reader } = begin();
    writeFileSync(log, `# rows 0000\ntime,v\n${rows(0, 80)}`);
    await reader.look();
    copyFileSync(log, join(path, 'backup.csv'));
    await reader.look();
    await reader.kill();
    overwrite(log, 7, '0001');
    for (let look = 0; look < 3; look++) await reader.look();
    expect(reader.sink.values('v')).toEqual(numbers(80));
  });

  test('a file of the same size and age under the same name is another one', async () => {
    const { path, log, reader } = begin();
    writeFileSync(log, `time,v\n${rows(0, 2)}`);
    await reader.look();
    const { atime, mtime } = statSync(log);
    writeFileSync(join(path, '.next'), `time,v\n${rows(2, 4)}`);
    utimesSync(join(path, '.next'), atime, mtime);
    renameSync(join(path, '.next'), log);
    await reader.look();
    await reader.look();
    expect(reader.sink.values('v')).toEqual(numbers(4));
  });
});

describe('row 47', () => {
  test('the line behind the NULs of a power cut is read', async () => {
    const { log, reader } = begin();
    writeFileSync(log, `time,v\n${rows(0, 2)}`);
    await reader.look();
    appendFileSync(log, Buffer.alloc(3000));
    await reader.look();
    appendFileSync(log, rows(2, 4));
    await reader.look();
    expect(reader.sink.values('v')).toEqual(numbers(4));
    expect(reader.sink.refusedCount).toBe(0);
  });
});
