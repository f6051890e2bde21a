import { posix, win32 } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nameOfFile, safeFileName } from '../../../../src-main/delivery/client/safe-file-name.ts';

describe('safeFileName', () => {
  it.each([
    ['scan 7.csv', 'scan 7.csv'],
    ['Größe µ °C.txt', 'Größe µ °C.txt'],
    ['../../x', 'x'],
    ['InGaAs/GaAs 20x MQW.csv', 'InGaAs_GaAs 20x MQW.csv'],
    ['..\\..\\evil.exe', 'evil.exe'],
    ['/etc/passwd', 'etc_passwd'],
    ['C:evil', 'C_evil'],
    ['C:\\Windows\\evil.dll', 'C__Windows_evil.dll'],
    ['a.txt:ads', 'a.txt_ads'],
    ['CON', '_CON'],
    ['nul.txt', '_nul.txt'],
    ['con .o', '_con.o'],
    [`con.${'x'.repeat(200)}.txt`, `_con.${'x'.repeat(171)}.txt`],
    [`con${' '.repeat(200)}x.o`, '_con.o'],
    [`a.${'x'.repeat(18)} y`, `a.${'x'.repeat(18)}`],
    ['com¹.log', '_com¹.log'],
    ['report\u202Etxt.exe', 'reporttxt.exe'],
    ['a\u0000b\nc.csv', 'abc.csv'],
    ['trailing. . .', 'trailing'],
    ['.bashrc', '_bashrc'],
    ['..', 'file'],
    ['', 'file'],
    ['folder/', 'folder'],
    ['???', '___'],
  ])('makes of %j the name %j', (original, safe) => {
    expect(safeFileName(original)).toBe(safe);
  });

  it('keeps every name within its folder, on every system, whatever comes', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary', maxLength: 400 }),
          fc.string({ unit: fc.constantFrom('.', '/', '\\', ':', ' ', 'c', 'o', 'n') }),
        ),
        (original) => {
          const safe = safeFileName(original);
          expect(safe).not.toBe('');
          expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(180);
          for (const path of [posix, win32]) {
            expect(path.basename(safe)).toBe(safe);
            expect(path.dirname(path.resolve('/folder', safe))).toBe(path.resolve('/folder'));
          }
          expect(safe).not.toMatch(/^[. ]|[. ]$|[<>:"|?*\p{Cc}]/u);
          expect(safe).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i);
        },
      ),
      { numRuns: 1000 },
    );
  });
});

describe('nameOfFile', () => {
  it.each([
    ['GaAs/AlAs 3', ' (2).csv', 'GaAs_AlAs 3 (2).csv'],
    ['a\\b/', '.h5', 'a_b_.h5'],
    ['..', '.csv', '_.csv'],
    ['', '.csv', 'file.csv'],
    ['\u202e', '.csv', 'file.csv'],
    ['x'.repeat(300), ' (2).parquet', `${'x'.repeat(167)} (2).parquet`],
    ['λ'.repeat(200), ' (12).h5', `${'λ'.repeat(85)} (12).h5`],
  ])('makes of %j with %j the name %j', (name, ending, expected) => {
    expect(nameOfFile(name, ending)).toBe(expected);
  });

  it('keeps the ending of every name', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 400 }),
        fc.constantFrom('.csv', ' (31).parquet'),
        (name, end) => {
          const made = nameOfFile(name, end);
          expect(made.endsWith(end)).toBe(true);
          expect(made).toBe(safeFileName(made));
        },
      ),
      { numRuns: 1000 },
    );
  });
});
