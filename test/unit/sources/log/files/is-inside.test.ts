import { posix, win32 } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isInside } from '../../../../../src-main/sources/log/files/is-inside.ts';

describe('a place in a folder of Windows', () => {
  test.each([
    ['C:\\MBE\\Logs', 'C:\\MBE\\Logs\\run\\a.csv'],
    ['C:\\MBE\\Logs', 'c:\\mbe\\LOGS\\a.csv'],
    ['C:\\MBE\\Logs', 'C:\\MBE\\Logs\\..a.csv'],
    ['C:\\MBE\\Logs', 'C:\\MBE\\Logs\\CON'],
    ['C:\\MBE\\Logs', 'C:\\MBE\\Logs\\a.csv.'],
    ['C:\\MBE\\Logs', `C:\\MBE\\Logs\\${'x'.repeat(200)}\\${'y'.repeat(200)}.csv`],
    ['C:\\', 'C:\\a.csv'],
    ['\\\\server\\share\\logs', '\\\\server\\share\\logs\\a.csv'],
    ['\\\\?\\C:\\Logs', '\\\\?\\C:\\Logs\\a.csv'],
  ])('%s holds %s', (folder, place) => expect(isInside(folder, place, win32)).toBe(true));

  test.each([
    ['C:\\MBE\\Logs', 'C:\\MBE\\a.csv'],
    ['C:\\MBE\\Logs', 'C:\\MBE'],
    ['C:\\MBE\\Logs', 'C:\\MBE\\Logs2\\a.csv'],
    ['C:\\MBE\\Logs', 'D:\\MBE\\Logs\\a.csv'],
    ['C:\\MBE\\Logs', '\\\\server\\share\\a.csv'],
    ['\\\\server\\share\\logs', '\\\\server\\other\\logs\\a.csv'],
    ['\\\\server\\share\\logs', 'C:\\logs\\a.csv'],
  ])('%s does not hold %s', (folder, place) => expect(isInside(folder, place, win32)).toBe(false));
});

describe('a place in a folder of Linux', () => {
  test.each(['/lab/logs', '/lab/logs/a.csv', '/lab/logs/..a', '/lab/logs/C:\\a'])('holds %s', (place) =>
    expect(isInside('/lab/logs', place, posix)).toBe(true),
  );
  test.each(['/lab', '/lab/logs2/a.csv', '/etc/passwd', '/'])('does not hold %s', (place) =>
    expect(isInside('/lab/logs', place, posix)).toBe(false),
  );
});

test('names that Windows gives a meaning are opened as they are written: by their long form', () => {
  for (const name of ['CON', 'nul.csv', 'log.csv.', 'log.csv ', `${'x'.repeat(250)}.csv`]) {
    const whole = win32.join('C:\\MBE\\Logs', name);
    // What Node's file calls do with every path on Windows: behind \\?\ there are no devices, cut dots or 260 characters.
    expect(win32.toNamespacedPath(whole)).toBe(`\\\\?\\C:\\MBE\\Logs\\${name}`);
  }
  expect(win32.toNamespacedPath(win32.join('\\\\server\\share\\logs', 'run/CON.csv'))).toBe(
    '\\\\?\\UNC\\server\\share\\logs\\run\\CON.csv',
  );
});
