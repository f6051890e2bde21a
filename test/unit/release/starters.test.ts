// What a person starts: the words it gives to Node, and the task that starts it with Windows.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { addStarter } from '../../../resources/scripts/release/product-tree.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const install = join(import.meta.dirname, '../../../resources/install');
const task = (await import(join(install, 'windows/autostart.mjs'))) as {
  makeTask(folder: string, user: string, words: readonly string[]): string;
};

describe('on Linux', () => {
  /** The starter beside a program in Node's place, which prints its words one to a line. */
  function words(...args: readonly string[]): string[] {
    const home = join(tempFolder('starter'), 'a folder with blanks');
    mkdirSync(home);
    addStarter(join(install, 'epistream.sh'), join(home, 'epistream'));
    writeFileSync(join(home, 'node'), '#!/bin/sh\nprintf "%s\\n" "$MALLOC_ARENA_MAX" "$@"\n');
    for (const name of ['epistream', 'node']) chmodSync(join(home, name), 0o755);
    const link = join(tempFolder('bin'), 'epistream');
    symlinkSync(join(home, 'epistream'), link);
    const [arenas, flag, script, ...rest] = execFileSync(link, args, { encoding: 'utf8' }).trimEnd().split('\n');
    expect([arenas, flag, script]).toEqual(['1', '--max-semi-space-size=2', join(home, 'dist/main/cli.js')]);
    return rest;
  }

  test('without a command it records with the page open; a command goes through as it is', () => {
    expect(words()).toEqual(['run', '--ui', '4310', '--open']);
    expect(words('--data', 'a b')).toEqual(['run', '--ui', '4310', '--open', '--data', 'a b']);
    expect(words('status', '--data', "it's")).toEqual(['status', '--data', "it's"]);
    expect(words('--help')).toEqual(['--help']);
    expect(words('--version')).toEqual(['--version']);
  });
});

describe('on Windows', () => {
  const folder = 'C:\\Program Files\\R & D\\Epistream';

  test('the task names Node itself, and no rule of the Task Scheduler stops what records', () => {
    const xml = task.makeTask(folder, 'LAB\\o<p', ['--data', 'D:\\my data\\']);
    expect(xml).toContain('<Command>C:\\Program Files\\R &amp; D\\Epistream\\node.exe</Command>');
    expect(xml).toContain(
      '<Arguments>--max-semi-space-size=2 "C:\\Program Files\\R &amp; D\\Epistream\\dist\\main\\cli.js" run --ui 4310 --open --data "D:\\my data\\\\"</Arguments>',
    );
    expect(xml).toContain('<UserId>LAB\\o&lt;p</UserId>');
    for (const rule of [
      '<ExecutionTimeLimit>PT0S</ExecutionTimeLimit>',
      '<DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>',
      '<StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>',
      '<StopOnIdleEnd>false</StopOnIdleEnd>',
      '<MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>',
    ])
      expect(xml).toContain(rule);
    expect(xml).toMatch(/<RestartOnFailure>\s*<Interval>PT1M<\/Interval>\s*<Count>255<\/Count>/);
  });

  test('every element of the task that is opened is closed, in order', () => {
    const open: string[] = [];
    for (const [, isEnd, name = ''] of task.makeTask(folder, 'u', []).matchAll(/<(\/?)(\w+)[^>]*>/g)) {
      if (isEnd) expect(open.pop()).toBe(name);
      else open.push(name);
    }
    expect(open).toEqual([]);
  });

  test.each(['Epistream.cmd', 'install-autostart.cmd', 'remove-autostart.cmd'])(
    '%s has the line ends of Windows, plain characters, and finds what lies beside it',
    (name) => {
      const file = join(tempFolder('cmd'), name);
      addStarter(join(install, 'windows', name), file);
      const text = readFileSync(file, 'latin1');
      expect(text.match(/(?<!\r)\n/g)).toBeNull();
      expect(text).toMatch(/^[\r\n\x20-\x7e]+$/);
      expect(text).toContain('"%~dp0node.exe"');
      // Out of an archive that was not unpacked it says so, before it starts what is not there.
      expect(text).toMatch(/^if not exist "%~dp0node\.exe" \(\r\n {2}echo Unpack the whole archive first/m);
      expect(text.indexOf('if not exist')).toBeLessThan(text.search(/^"%~dp0node/m));
    },
  );
});
