// Rotated logs that were compressed, by the real gzip or as it leaves them, before their rest was read.
import { readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { LogReader } from '../../support/logs/log-reader.ts';
import { LogWriter } from '../../support/logs/log-writer.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `${1_790_000_000 + from + i}.5,${from + i}\n`).join('');
const upTo = (last: number) => Array.from({ length: last }, (_, i) => i + 1);
const HEADER = 'time,v\n';

const readers: LogReader[] = [];
afterEach(async () => {
  for (const reader of readers.splice(0)) await reader.kill();
});

function begin(match: string) {
  const folder = tempFolder();
  const reader = new LogReader({ path: folder, match });
  readers.push(reader);
  const writer = new LogWriter(folder);
  /** As gzip does: the same times, then the plain file goes. */
  const pack = (name: string, bytes = Number.POSITIVE_INFINITY) => {
    const [plain, packed] = [join(folder, name), join(folder, `${name}.gz`)];
    const { atime, mtime } = statSync(plain);
    const content = gzipSync(readFileSync(plain));
    writeFileSync(packed, content.subarray(0, bytes));
    if (bytes < content.length) return;
    utimesSync(packed, atime, mtime);
    rmSync(plain);
  };
  /** Each packed file moves up by one, and the log becomes the first of them. */
  const rotate = async (packed: readonly number[]) => {
    for (const number of packed.toSorted((a, b) => b - a)) {
      await writer.does({ do: 'rename', file: `log.csv.${number}.gz`, to: `log.csv.${number + 1}.gz` });
    }
    await writer.does({ do: 'rename', file: 'log.csv', to: 'log.csv.1' });
    pack('log.csv.1');
    await writer.append('log.csv', HEADER);
  };
  return { folder, reader, writer, pack, rotate };
}

describe.each(['log.csv', '*'])('a log that is compressed as soon as it is rotated, match %s', (match) => {
  test('while the agent runs: its rest is read first', async () => {
    const { reader, writer, rotate } = begin(match);
    await writer.append('log.csv', HEADER + lines(1, 3));
    await reader.look();
    await writer.append('log.csv', lines(4, 5));
    await rotate([]);
    await writer.append('log.csv', lines(6, 7));
    await reader.look();
    expect(reader.sink.values('v')).toEqual(upTo(7));
    expect(reader.sink.gaps).toEqual([]);
    expect(reader.sink.notes.has('log.rotated-by-copying')).toBe(false);
  });

  test('several times while the agent is off: all that stands in between is read in order', async () => {
    const { reader, writer, rotate } = begin(match);
    await writer.append('log.csv', HEADER + lines(1, 3));
    await reader.look();
    await reader.kill();
    await writer.append('log.csv', lines(4, 4));
    await rotate([]);
    await writer.append('log.csv', lines(5, 6));
    await rotate([1]);
    await writer.append('log.csv', lines(7, 8));
    await rotate([2, 1]);
    await writer.append('log.csv', lines(9, 9));
    await reader.look();
    expect(reader.sink.values('v')).toEqual(upTo(9));
    expect(reader.sink.gaps).toEqual([]);
  });

  test('after it was read whole: nothing is missing, nothing doubled', async () => {
    const { reader, writer, pack } = begin(match);
    await writer.append('log.csv', HEADER + lines(1, 3));
    await reader.look();
    await writer.does({ do: 'rename', file: 'log.csv', to: 'log.csv.1' });
    await writer.append('log.csv', HEADER + lines(4, 5));
    await reader.look();
    pack('log.csv.1');
    await reader.look();
    await writer.append('log.csv', lines(6, 6));
    await reader.look();
    await reader.kill();
    await reader.look();
    expect(reader.sink.values('v')).toEqual(upTo(6));
    expect(reader.sink.gaps).toEqual([]);
  });

  test('while it is being written it decides nothing', async () => {
    const { folder, reader, writer, pack } = begin(match);
    await writer.append('log.csv', HEADER + lines(1, 300));
    await reader.look();
    await writer.append('log.csv', lines(301, 500));
    await writer.does({ do: 'rename', file: 'log.csv', to: 'log.csv.1' });
    await writer.append('log.csv', HEADER + lines(501, 502));
    pack('log.csv.1', 900);
    await reader.look();
    pack('log.csv.1', 1200);
    await reader.look();
    expect(readdirSync(folder)).toContain('log.csv.1');
    pack('log.csv.1');
    await reader.look();
    await reader.look();
    expect(reader.sink.values('v')).toEqual(upTo(502));
    expect(reader.sink.gaps).toEqual([]);
  });

  test('a torn one is a gap, and holds nothing up', async () => {
    const { folder, reader, writer, pack } = begin(match);
    await writer.append('log.csv', HEADER + lines(1, 300));
    await reader.look();
    await writer.append('log.csv', lines(301, 500));
    await writer.does({ do: 'rename', file: 'log.csv', to: 'log.csv.1' });
    await writer.append('log.csv', HEADER + lines(501, 502));
    pack('log.csv.1', 900);
    rmSync(join(folder, 'log.csv.1'));
    const oldS = Date.now() / 1000 - 3600;
    utimesSync(join(folder, 'log.csv.1.gz'), oldS, oldS);
    for (let look = 0; look < 3; look++) await reader.look(3000);
    expect(reader.sink.values('v')).toEqual([...upTo(300), 501, 502]);
    expect(reader.sink.gaps.map(({ cause }) => cause)).toEqual([
      'log.csv: the log file was restarted; lines written after the last look may be missing',
    ]);
  });
});
