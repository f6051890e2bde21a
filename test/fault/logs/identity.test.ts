// Fault matrix, rows 43 to 46, 61: which file is which, on a real file system.
import { describe, expect, test } from 'vitest';
import { HEADER, lines, openLogRig, upTo } from '../../support/logs/log-rig.ts';

async function begin(match = '*.csv') {
  const { reader, writer } = openLogRig({ match });
  await writer.append('log.csv', HEADER + lines(1, 5));
  await reader.look();
  return { writer, reader };
}

describe('row 43', () => {
  test('reads a file that was truncated and grew past the old position between two looks, and names the gap', async () => {
    const { writer, reader } = await begin();
    await writer.does({ do: 'truncate', file: 'log.csv', bytes: 0 });
    await writer.append('log.csv', HEADER + lines(6, 14));
    await reader.look();
    expect(reader.sink.values('v')).toEqual(upTo(14));
    expect(reader.sink.notes.get('log.file-restarted')?.message).toContain('log.csv');
    expect(reader.sink.gaps).toHaveLength(1);
  });

  test('reads the unseen lines of a copy-truncated file from its copy', async () => {
    const { writer, reader } = await begin();
    await writer.append('log.csv', lines(6, 9));
    await writer.does({ do: 'copy', file: 'log.csv', to: 'log.csv.1' });
    await writer.does({ do: 'truncate', file: 'log.csv', bytes: 0 });
    await writer.append('log.csv', HEADER + lines(10, 12));
    await reader.look();
    await reader.look();
    expect(reader.sink.values('v')).toEqual(upTo(12));
    expect(reader.sink.gaps).toEqual([]);
  });

  test('does not take a copy for a new file, nor the truncation that follows for a loss', async () => {
    const { writer, reader } = await begin('*.csv*');
    await writer.does({ do: 'copy', file: 'log.csv', to: 'log.csv.1' });
    await reader.look();
    await writer.append('log.csv', lines(6, 7));
    await reader.look();
    await writer.does({ do: 'copy', file: 'log.csv', to: 'log.csv.1' });
    await writer.does({ do: 'truncate', file: 'log.csv', bytes: 0 });
    await reader.look();
    await writer.append('log.csv', HEADER + lines(8, 9));
    await reader.look(3000);
    await reader.look();
    expect(reader.sink.values('v')).toEqual(upTo(9));
  });
});

describe('row 44', () => {
  test.each(['*.csv', '*.csv*'])(
    'drains a file that was renamed away before it starts the new one, match %s',
    async (match) => {
      const { writer, reader } = await begin(match);
      await writer.append('log.csv', lines(6, 7));
      await writer.does({ do: 'rename', file: 'log.csv', to: 'log.csv.1' });
      await writer.append('log.csv', HEADER + lines(8, 12));
      await reader.look();
      await reader.look();
      expect(reader.sink.values('v')).toEqual(upTo(12));
      expect(reader.sink.gaps).toEqual([]);
    },
  );

  test('finds the renamed file also after a restart', async () => {
    const { writer, reader } = await begin();
    await reader.kill();
    await writer.append('log.csv', lines(6, 7));
    await writer.does({ do: 'rename', file: 'log.csv', to: 'log-2026-11-20.csv' });
    await writer.append('log.csv', HEADER + lines(8, 12));
    await reader.look();
    await reader.look();
    expect(reader.sink.values('v')).toEqual(upTo(12));
  });

  test('goes on reading a renamed file into which the tool still writes', async () => {
    const { writer, reader } = await begin();
    await writer.does({ do: 'rename', file: 'log.csv', to: 'old.csv' });
    await reader.look();
    await writer.append('old.csv', lines(6, 8));
    await reader.look();
    expect(reader.sink.values('v')).toEqual(upTo(8));
    expect(reader.sink.channels).toEqual(['v']);
  });
});

describe('row 45', () => {
  test('tells a file that was deleted and made again under the same inode from the old one', async () => {
    const { writer, reader } = await begin();
    for (let round = 0; round < 5; round++) {
      const first = 6 + round * 10;
      await writer.does({ do: 'recreate', file: 'log.csv', text: HEADER + lines(first, first + 9) });
      await reader.look();
    }
    expect(reader.sink.values('v')).toEqual(upTo(55));
  });
});

describe('a log that goes while the agent is off', () => {
  /** The gaps that a run tells which begins so much later. */
  async function gapsAfter(offMs: number, { writer, reader }: Awaited<ReturnType<typeof begin>>) {
    await reader.kill();
    await writer.does({ do: 'remove', file: 'log.csv' });
    await reader.look(offMs);
    await reader.look();
    return reader.sink.gaps;
  }

  test.each([9, 11, 3000])('is a gap since the last look also %s minutes later', async (minutes) => {
    const lab = await begin();
    await lab.writer.append('log.csv', lines(6, 7));
    await lab.reader.look();
    expect(await gapsAfter(minutes * 60_000, lab)).toHaveLength(1);
  });

  test('is none where it was looked at for an hour without a change', async () => {
    const lab = await begin();
    await lab.reader.look(1_800_000);
    await lab.reader.look(1_800_000);
    expect(await gapsAfter(7 * 86_400_000, lab)).toEqual([]);
  });

  test('is a gap also where the clock was ahead once', async () => {
    const lab = await begin();
    lab.reader.clock.offsetMs = 3_600_000;
    await lab.writer.append('other.csv', lines(1, 2));
    await lab.reader.look();
    lab.reader.clock.offsetMs = 0;
    await lab.writer.append('log.csv', lines(6, 7));
    await lab.reader.look();
    const [gap, ...others] = await gapsAfter(60_000, lab);
    expect(others).toEqual([]);
    expect(gap?.fromMs).toBeLessThanOrEqual(gap?.toMs as number);
  });

  test('is none where it had been quiet for an hour before others were last read', async () => {
    const lab = await begin();
    await lab.reader.look(3_600_000);
    await lab.writer.append('other.csv', lines(1, 2));
    await lab.reader.look();
    expect(await gapsAfter(60_000, lab)).toEqual([]);
  });
});

describe('row 46', () => {
  test('reads only the new lines of a file that is written whole at each save', async () => {
    const { writer, reader } = await begin();
    for (let last = 6; last <= 12; last += 2) {
      await writer.does({ do: 'replace', file: 'log.csv', text: HEADER + lines(1, last) });
      await reader.look();
    }
    expect(reader.sink.values('v')).toEqual(upTo(12));
    expect(reader.sink.notes.has('log.file-restarted')).toBe(false);
  });

  test('waits while a file is being rewritten in place, instead of reading it again', async () => {
    const { writer, reader } = await begin();
    await writer.does({ do: 'rewrite', file: 'log.csv', text: HEADER + lines(1, 2) });
    await reader.look();
    await writer.append('log.csv', lines(3, 8));
    await reader.look();
    expect(reader.sink.values('v')).toEqual(upTo(8));
  });
});

describe('row 61', () => {
  test('does not read a copy, and says whose it is, also after a restart', async () => {
    const { writer, reader } = await begin();
    await writer.does({ do: 'copy', file: 'log.csv', to: 'copy of log.csv' });
    await reader.look();
    await reader.kill();
    await writer.append('log.csv', lines(6, 7));
    await reader.look();
    expect(reader.sink.channels).toEqual(['v']);
    expect(reader.sink.values('v')).toEqual(upTo(7));
    expect(reader.sink.notes.get('log.same-content')?.message).toContain('copy of log.csv (as log.csv)');
  });

  test('reads a file that began like another one as soon as it is different', async () => {
    const { writer, reader } = await begin();
    await writer.append('twin.csv', HEADER + lines(1, 3));
    await reader.look();
    expect(reader.sink.channels).toEqual(['v']);
    await writer.append('twin.csv', lines(104, 109));
    await reader.look();
    expect(reader.sink.values('v (twin)')).toEqual([1, 2, 3, 104, 105, 106, 107, 108, 109]);
  });
});
