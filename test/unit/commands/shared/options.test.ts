import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Option, readOptions, readPort, requireOption } from '../../../../src-main/commands/shared/options.ts';

const OPTIONS = {
  data: { value: 'D', help: 'data folder' },
  json: { value: null, help: 'as JSON' },
  chunk: { value: 'ID', isMany: true, help: 'may be given several times' },
} as const satisfies Record<string, Option>;

const read = (args: string[], words: string[] = []) => readOptions('try', 'Try it.', OPTIONS, args, words);
const usageFault = (message: RegExp) =>
  expect.objectContaining({ code: 'cli.usage', message: expect.stringMatching(message) });

afterEach(() => vi.restoreAllMocks());

describe('readOptions', () => {
  test('gives values, flags and plain words; what is absent is undefined, a flag false', () => {
    expect(read(['--data', '/d', '--json', 'a'], ['STREAM'])).toEqual({
      values: { data: '/d', json: true },
      words: ['a'],
    });
    expect(read([])).toEqual({ values: { data: undefined, json: false }, words: [] });
  });

  test('lists the values of an option that may be given several times, commas and all', () => {
    expect(read(['--chunk', '5', '--chunk=7,8'])?.values.chunk).toEqual(['5', '7,8']);
    expect(read([])?.values.chunk).toBeUndefined();
  });

  test('takes a value that begins with a dash or holds an equals sign when it is written with =', () => {
    expect(read(['--data=-x=y'])?.values.data).toBe('-x=y');
  });

  test.each([
    ['an option that does not exist', ['--dat', '/d'], /--dat/],
    ['an option without its value', ['--data'], /--data/],
    ['a flag with a value', ['--json=1'], /--json/],
    ['a word too many', ['a', 'b'], /Unexpected word "b"/],
  ])('%s is named', (_, args, message) => {
    expect(() => read(args, ['STREAM'])).toThrow(usageFault(message));
    expect(() => read(args, ['STREAM'])).toThrow(expect.objectContaining({ hint: expect.stringContaining('--help') }));
  });

  test('prints the help with every option and every word, and then does nothing else', () => {
    const printed = vi.spyOn(console, 'log').mockImplementation(() => {});
    expect(read(['--help', '--nonsense'], ['STREAM'])).toBeNull();
    const text = printed.mock.calls.join('\n');
    expect(text).toContain('Usage: epistream try STREAM [options]');
    expect(text).toMatch(/--data D +data folder\n +--json +as JSON/);
  });

  test('has no option by the names of objects', () => {
    for (const name of ['constructor', '__proto__', 'toString']) {
      expect(() => read([`--${name}`])).toThrow(usageFault(/Unknown option/));
    }
  });
});

describe('readPort', () => {
  test.each([
    ['0', 0],
    ['4310', 4310],
    ['65535', 65535],
  ])('takes %s', (text, port) => {
    expect(readPort('ui', text)).toBe(port);
  });

  test.each(['65536', '-1', '1.5', '1e3', '0x10', ' 80', '', 'http', '999999'])('refuses "%s"', (text) => {
    expect(() => readPort('ui', text)).toThrow(usageFault(/^--ui .*: not a port/));
  });
});

describe('requireOption', () => {
  test('gives the text, and names what is missing as it is written on the command line', () => {
    expect(requireOption('try', 'data', '/d')).toBe('/d');
    expect(() => requireOption('try', 'data', undefined)).toThrow(usageFault(/needs --data\./));
    expect(() => requireOption('try', 'data', '')).toThrow(usageFault(/needs --data\./));
    expect(() => requireOption('check', 'FILE', undefined)).toThrow(usageFault(/needs FILE\./));
  });
});

test('"npm start -- --help" tells the options and nothing of what would be opened', () => {
  const top = join(import.meta.dirname, '../../../..');
  const { status, stdout } = spawnSync(process.execPath, [join(top, 'resources/scripts/start.ts'), '--help'], {
    encoding: 'utf8',
  });
  expect([status, stdout.split('\n')[0]]).toEqual([0, 'Usage: epistream run [options]']);
});
