// Row 43 and 44 with a real file system: logs that are rotated again and again while they are read, and while nobody reads.
// The writer does its steps as fast as it can; the looks fall where they fall.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { HEADER, lines, openLogRig, upTo } from '../../support/logs/log-rig.ts';

const KEEP = 5;
const ROTATIONS = 4;
const LINES = 40;

type Style = 'rename chain' | 'copytruncate';

/** A rotating tool: a program of its own, so that its steps fall between any two of the reader's calls. */
async function writeInRotation(folder: string, style: Style): Promise<void> {
  const script = join(import.meta.dirname, '../../support/processes/rotating-writer-process.ts');
  const child = spawn(process.execPath, [script, folder, style, String(ROTATIONS), String(LINES), String(KEEP)]);
  const [code] = (await once(child, 'exit')) as [number];
  expect(code).toBe(0);
}

describe.each([
  ['rename chain', 'log.csv'],
  ['copytruncate', '*'],
] as const)('a log in a %s', (style, match) => {
  test('is read once while it is rotated', async () => {
    const { folder, reader, writer } = openLogRig({ match });
    await writer.append('log.csv', HEADER);
    await reader.look();
    let isWritten = false;
    const writing = writeInRotation(folder, style).then(() => {
      isWritten = true;
    });
    while (!isWritten) await reader.look(50);
    await writing;
    for (let look = 0; look < 4; look++) await reader.look(1000);
    await reader.kill();
    const values = reader.sink.channels.flatMap((channel) => reader.sink.values(channel));
    expect(values.sort((a, b) => a - b)).toEqual(upTo((ROTATIONS + 1) * LINES));
    // A log that is cut in place may have held more between the last look and the cut: that much may be told.
    if (style === 'rename chain') expect(reader.sink.gaps).toEqual([]);
  });

  test('is read whole when it was rotated twice between two scans', async () => {
    const { reader, writer } = openLogRig({ match: 'log.csv' });
    const rotate = async () => {
      for (let number = KEEP; number > 0; number--) {
        const isThere = number <= rotated;
        if (isThere) await writer.does({ do: 'rename', file: `log.csv.${number}`, to: `log.csv.${number + 1}` });
      }
      if (style === 'rename chain') await writer.does({ do: 'rename', file: 'log.csv', to: 'log.csv.1' });
      else {
        await writer.does({ do: 'copy', file: 'log.csv', to: 'log.csv.1' });
        await writer.does({ do: 'truncate', file: 'log.csv', bytes: 0 });
      }
      rotated += 1;
      await writer.append('log.csv', HEADER);
    };
    let rotated = 0;
    await writer.append('log.csv', HEADER + lines(1, 100));
    await reader.look();
    await reader.kill();
    await writer.append('log.csv', lines(101, 120));
    await rotate();
    await writer.append('log.csv', lines(121, 170));
    await rotate();
    await writer.append('log.csv', lines(171, 200));
    for (let look = 0; look < 4; look++) await reader.look(1000);
    // Known from now on, also over another start.
    await reader.kill();
    for (let look = 0; look < 2; look++) await reader.look(1000);
    await reader.kill();
    expect(reader.sink.values('v')).toEqual(upTo(200));
    expect(reader.sink.gaps).toEqual([]);
  });
});
