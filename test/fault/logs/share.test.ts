// Fault matrix, row 57: a folder that vanishes and comes back, as a network share does. Taken away for real: by renaming
// the folder above it, and by unmounting.
import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { toAgentError } from '../../../src-main/model/agent-error.ts';
import type { LogReader } from '../../support/logs/log-reader.ts';
import { lines, openLogRig, upTo } from '../../support/logs/log-rig.ts';
import { LogWriter } from '../../support/logs/log-writer.ts';
import { memoryFolder, tempFolder } from '../../support/temp-folder.ts';

const readerOf = (path: string) => openLogRig({ path, match: '**/*.csv' }).reader;

/** What a look fails with. */
async function failed(reader: LogReader): Promise<{ code: string; message: string; retry: string }> {
  const thrown = await reader.look().then(
    () => new Error('the look succeeded'),
    (error: unknown) => error,
  );
  const { code, message, retry } = toAgentError(thrown);
  return { code, message, retry };
}

describe('row 57', () => {
  test('a folder that is taken away and comes back: it is said since when, nothing is lost, nothing doubled', async () => {
    const parent = join(tempFolder(), 'share');
    const folder = join(parent, 'logs');
    mkdirSync(join(folder, 'run'), { recursive: true });
    const writer = new LogWriter(folder);
    const reader = readerOf(folder);
    await writer.append('log.csv', `time,v\n${lines(1, 5)}`);
    await writer.append('run/old.csv', `time,w\n${lines(1, 5)}`);
    await reader.look();
    renameSync(parent, `${parent}-away`);
    const first = await failed(reader);
    expect(first).toMatchObject({ code: 'log.folder-missing', retry: 'later' });
    expect(first.message).toMatch(/^Share not reachable since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC: /);
    // Later tries, also of another life of the agent, tell the same time.
    reader.clock.advance(3_600_000);
    expect((await failed(reader)).message).toBe(first.message);
    const away = new LogWriter(`${parent}-away/logs`);
    await away.append('log.csv', lines(6, 8));
    renameSync(`${parent}-away`, parent);
    await reader.look();
    expect(reader.sink.values('v')).toEqual(upTo(8));
    expect(reader.sink.values('w')).toEqual(upTo(5));
    expect(reader.sink.gaps).toEqual([]);
    expect(reader.sink.notes.get('log.folder-back')?.message).toContain('It was not from ');
    expect(reader.sink.notes.has('log.file-lost')).toBe(false);
  });

  test.skipIf(process.getuid?.() !== 0)(
    'a share whose place is an empty folder while it is not mounted is not taken for one that was emptied',
    async () => {
      const real = memoryFolder('share');
      const folder = tempFolder();
      const mount = () => execFileSync('mount', ['--bind', real, folder]);
      const unmount = () => execFileSync('umount', ['-l', folder]);
      mount();
      let isMounted = true;
      onTestFinished(() => {
        if (isMounted) unmount();
      });
      const writer = new LogWriter(real);
      const reader = readerOf(folder);
      await writer.does({ do: 'burst', folder: 'many', files: 1200, text: 'time,n\n1790000001,#\n' });
      await writer.append('log.csv', `time,v\n${lines(1, 5)}`);
      await reader.look();
      await reader.look();
      unmount();
      isMounted = false;
      const first = await failed(reader);
      expect(first.message).toMatch(/^Share not reachable since .* UTC: .*its drive or share is not mounted/);
      expect(await failed(reader)).toEqual(first);
      mount();
      isMounted = true;
      await writer.append('log.csv', lines(6, 8));
      await reader.look();
      await reader.look();
      expect(reader.sink.values('v')).toEqual(upTo(8));
      expect(reader.sink.values('n').sort((a, b) => a - b)).toEqual(Array.from({ length: 1200 }, (_, i) => i));
      expect(reader.sink.gaps).toEqual([]);
      expect(reader.sink.notes.has('log.file-lost')).toBe(false);
    },
  );

  test('a folder that was emptied on purpose and made again is read again with its first file', async () => {
    const folder = join(tempFolder(), 'logs');
    mkdirSync(folder);
    const reader = readerOf(folder);
    await new LogWriter(folder).append('log.csv', `time,v\n${lines(1, 5)}`);
    await reader.look();
    renameSync(folder, `${folder}-old`);
    mkdirSync(folder);
    expect((await failed(reader)).code).toBe('log.folder-missing');
    await new LogWriter(folder).append('log.csv', `time,v\n${lines(6, 7)}`);
    await reader.look();
    expect(reader.sink.values('v')).toEqual(upTo(7));
  });

  test('a folder that was never there is waited for', async () => {
    const reader = readerOf(join(tempFolder(), 'not-there'));
    expect(await failed(reader)).toMatchObject({ code: 'log.folder-missing', retry: 'later' });
  });
});
