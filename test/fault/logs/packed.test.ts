// Rotated logs that were compressed, by the real gzip or as it leaves them, before their rest was read.
import { readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { HEADER, lines, openLogRig, upTo } from '../../support/logs/log-rig.ts';

function begin(match: string) {
  const { folder, reader, writer } = openLogRig({ match });
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
  /** The log is rotated after its 300th line was read, and gzip has written a part of the file. */
  const packInPart = async () => {
    await writer.append('log.csv', HEADER + lines(1, 300));
    await reader.look();
    await writer.append('log.csv', lines(301, 500));
    await writer.does({ do: 'rename', file: 'log.csv', to: 'log.csv.1' });
    await writer.append('log.csv', HEADER + lines(501, 502));
    pack('log.csv.1', 900);
  };
  return { folder, reader, writer, pack, rotate, packInPart };
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
    const { folder, reader, pack, packInPart } = begin(match);
    await packInPart();
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
    const { folder, reader, packInPart } = begin(match);
    await packInPart();
    rmSync(join(folder, 'log.csv.1'));
    const oldS = Date.now() / 1000 - 3600;
    utimesSync(join(folder, 'log.csv.1.gz'), oldS, oldS);
    for (let look = 0; look < 3; look++) await reader.look(3000);
    expect(reader.sink.values('v')).toEqual([...upTo(300), 501, 502]);
    expect(reader.sink.gaps.map(({ cause }) => cause)).toEqual([
      'log.csv: the log file was restarted; lines written after the last look may be missing; log.csv.1.gz may hold them, and is not read',
    ]);
  });
});

test.each([
  ['of several members', (one: Buffer, other: Buffer) => Buffer.concat([one, other])],
  ['whose last member is empty', (one: Buffer, other: Buffer) => Buffer.concat([one, other, gzipSync('')])],
  ['that is padded with zeros', (one: Buffer, other: Buffer) => Buffer.concat([one, other, Buffer.alloc(100)])],
])('a gzip file %s is read whole, before the log that follows it', async (_, put) => {
  const { folder, reader, writer } = begin('*');
  writeFileSync(join(folder, 'log.csv.1.gz'), put(gzipSync(HEADER + lines(1, 20)), gzipSync(lines(21, 23))));
  utimesSync(join(folder, 'log.csv.1.gz'), 1_790_000_024, 1_790_000_024);
  await writer.append('log.csv', HEADER + lines(24, 43));
  await reader.look();
  expect(reader.sink.values('v')).toEqual(upTo(43));
  expect(reader.sink.gaps).toEqual([]);
});

test('one that is compressed otherwise is named with its gap, and read on once it is unpacked as the remark says', async () => {
  const { folder, reader, writer } = begin('*.csv');
  await writer.append('log.csv', HEADER + lines(1, 3));
  await reader.look();
  await writer.append('log.csv', lines(4, 5));
  const plain = readFileSync(join(folder, 'log.csv'));
  await writer.does({ do: 'rename', file: 'log.csv', to: 'log.csv.1' });
  await writer.does({ do: 'rewrite', file: 'log.csv.1.xz', text: 'what xz makes of it' });
  await writer.does({ do: 'remove', file: 'log.csv.1' });
  await writer.append('log.csv', HEADER + lines(6, 7));
  await reader.look();
  expect(reader.sink.gaps.map(({ cause }) => cause)).toEqual([
    'log.csv: the log file was restarted; lines written after the last look may be missing; log.csv.1.xz may hold them, and is not read',
  ]);
  expect(reader.sink.notes.get('log.packed')?.message).toContain('log.csv.1.xz');
  writeFileSync(join(folder, 'unpacked.csv'), plain);
  await reader.look();
  expect(reader.sink.values('v').toSorted((a, b) => a - b)).toEqual(upTo(7));
  expect(reader.sink.gaps).toHaveLength(1);
});

describe.each(['log.csv', '*'])('a chain of rotated files, match %s', (match) => {
  /** Rotate by renaming, without `gone`. */
  async function rotated(gone: readonly string[], isRunning: boolean) {
    const { reader, writer } = begin(match);
    await writer.append('log.csv', HEADER + lines(1, 3));
    await reader.look();
    if (!isRunning) await reader.kill();
    await writer.append('log.csv', lines(4, 4));
    await writer.does({ do: 'rename', file: 'log.csv', to: 'log.csv.3' });
    await writer.append('log.csv.2', HEADER + lines(5, 6));
    await writer.append('log.csv.1', HEADER + lines(7, 8));
    await writer.append('log.csv', HEADER + lines(9, 9));
    for (const file of gone) await writer.does({ do: 'remove', file });
    await reader.look();
    await reader.look();
    return reader.sink;
  }

  test.each([true, false])(
    'in which a number is missing tells a gap that names it, agent running: %s',
    async (isRunning) => {
      const one = await rotated(['log.csv.2'], isRunning);
      expect(one.values('v')).toEqual([1, 2, 3, 4, 7, 8, 9]);
      expect(one.gaps.map(({ cause }) => cause)).toEqual([
        'log.csv: of the rotated files log.csv.2 is not there; what stood there is missing',
      ]);
      expect(one.notes.get('log.rotated-missing')?.message).toContain('log.csv.2 (log.csv)');
      const both = await rotated(['log.csv.2', 'log.csv.1'], isRunning);
      expect(both.gaps.map(({ cause }) => cause)).toEqual([
        'log.csv: of the rotated files log.csv.1, log.csv.2 are not there; what stood there is missing',
      ]);
    },
  );

  test('that is whole tells none, and nor do numbers that only rise', async () => {
    const { values, gaps } = await rotated([], false).then((sink) => ({ values: sink.values('v'), gaps: sink.gaps }));
    expect({ values, gaps }).toEqual({ values: upTo(9), gaps: [] });
    const { folder, reader, writer } = begin(match);
    await writer.append('log.csv.5', HEADER + lines(1, 2));
    utimesSync(join(folder, 'log.csv.5'), 1_790_000_000, 1_790_000_000);
    await writer.append('log.csv', HEADER + lines(3, 4));
    await reader.look();
    await writer.does({ do: 'rename', file: 'log.csv', to: 'log.csv.9' });
    await writer.append('log.csv', HEADER + lines(5, 6));
    await reader.look();
    expect(reader.sink.gaps).toEqual([]);
  });
});
