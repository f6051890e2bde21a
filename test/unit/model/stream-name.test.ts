// What is written as the name of an entry is read back, whatever tool, growth and nonce are called.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  correctedName,
  formatStreamName,
  guessStreamName,
  nameWithWords,
  parseStreamName,
} from '../../../src-main/model/stream-name.ts';
import { walks } from '../../support/run/effort.ts';

const sourceId = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,20}$/);
const nonce = fc.stringMatching(/^[2-9a-z]{1,8}$/);
const start = fc
  .date({ min: new Date('1970-01-01T00:00:00Z'), max: new Date('9999-12-31T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 19).replace('T', ' '));
/** Anything at all, and what looks like the parts of a name. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom(
    'MBE-1',
    'log',
    '2026-11-20 19:40:12',
    'MBE log 2026-11-20 19:40:12 k7f3q',
    ' ',
    '\n',
    ', corrected part',
  ),
  fc
    .array(fc.constantFrom('T', 'log', '2026-11-20', '19:40:12', 'k7f3q', ', corrected part'), { maxLength: 6 })
    .map((words) => words.join(' ')),
);
const name = fc.record({ toolName: text, sourceId, start, words: text, nonce });

describe('the name of an entry', () => {
  test('is read back as it was written, however odd its parts are', () => {
    fc.assert(
      fc.property(name, (one) => {
        expect(parseStreamName(formatStreamName(one), one.toolName)).toEqual(one);
      }),
      walks(2000),
    );
  });

  test('is read back with the words that it was given later, and as the corrected part of another', () => {
    fc.assert(
      fc.property(name, text, nonce, (one, words, other) => {
        const plain = formatStreamName({ ...one, words: '' });
        expect(parseStreamName(nameWithWords(plain, one.nonce, words), one.toolName)).toEqual({ ...one, words });
        const corrected = parseStreamName(correctedName(formatStreamName(one), other), one.toolName);
        expect(corrected).toMatchObject({ sourceId: one.sourceId, start: one.start, nonce: other });
      }),
      walks(2000),
    );
  });

  test('takes its words once', () => {
    const given = nameWithWords('T log 2026-11-20 19:40:12 k7f3q', 'k7f3q', 'GaAs on Si');
    expect(given).toBe('T log 2026-11-20 19:40:12 GaAs on Si k7f3q');
    expect(nameWithWords(given, 'k7f3q', 'GaAs on Si')).toBe(given);
  });

  test.each(['growth 12.csv', 'T log', 'T log 2026-11-20', 'T log 2026-11-20 19:40:12', 'U log 2026-11-20 19:40:12 x'])(
    'is not "%s"',
    (other) => {
      expect(parseStreamName(other, 'T')).toBeNull();
    },
  );
});

test('a name of an unknown tool is read, too, where the tool is named as tools are', () => {
  const name = 'MBE 1 tool-log 2026-11-23 04:05:55 G3-120 AlGaAs/GaAs QW vr6pnrq6';
  expect(guessStreamName(name)).toEqual({
    ...{ toolName: 'MBE 1', sourceId: 'tool-log', start: '2026-11-23 04:05:55' },
    ...{ words: 'G3-120 AlGaAs/GaAs QW', nonce: 'vr6pnrq6' },
  });
  expect(guessStreamName('MBE-1 tool-log 2026-11-23 04:05:55 vr6pnrq6')?.words).toBe('');
  expect(guessStreamName('g3-047-depth-profile.csv')).toBeNull();
});
