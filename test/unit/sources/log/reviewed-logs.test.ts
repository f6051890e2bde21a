// Logs in the forms that a review of real ones found to be misread, each kind with its neighbours: every one is read as it was
// written, or its question has the right reading as its first answer, and none of its answers reads what is not true. Those
// that are still missed are listed: once the reader learns one, its test asks for it to be taken off the list.
import { describe, expect, test } from 'vitest';
import { judgeLog, type Verdict } from '../../../foreign-logs/judge.ts';
import { REVIEWED } from '../../../foreign-logs/reviewed-logs.ts';

const MISSED: Readonly<Record<string, readonly string[]>> = {
  'labelled heads': ['Titles: and Units: in the first cells', 'the units above the names'],
  'Unix seconds beside a stamp': [
    'stamps in UTC on a tool in Berlin',
    'milliseconds behind the values, the stamp of another continent',
    'the seconds first, then the stamp in UTC',
  ],
  'rows that name their quantity': [
    'one series after the other, beside a word that is the same in all rows',
    'the same without that word',
  ],
  'annotated lines above the header': [
    'two series in one table',
    'a second table with its own lines, ended as in Windows',
    'a column for each series',
    'series that take turns',
  ],
  'numbers that no instrument gives': [
    '9.99999999e+37 in both channels',
    '1e38 in one of three channels',
    '3.402823E+38 in one of three channels',
    '-1.0E+38 in one of three channels',
  ],
  'hours that are not padded, over midnight': ['date and time in two cells', 'the date comes a minute late'],
  'three head lines': [
    'below a line that begins with TOA5',
    'without quotes, and a value that is none',
    'names, kinds and units, behind tabs',
  ],
  'more or fewer names than cells': [
    'one more, a remark that no row has',
    'one more, behind commas and in quotes',
    'two more',
    'one fewer, the last cell has none',
  ],
  'a separator at the end of the header only': ['seconds since a start, behind tabs'],
  'the head once more': ['at the end, where the logger was started again'],
  'a block behind the rows': ['a signature of 65 lines', 'a summary in cells, more of them than rows'],
  'name and value in cells side by side': [
    'the pairs change places',
    'always in one order, behind tabs',
    'another quantity comes in the middle',
  ],
  'time since a start that the file does not tell': ['with the day in the name'],
};

/** What came of a log, as text. */
function story({ kind, unasked, answers }: Verdict): string {
  const told = answers.map((answer) => `${answer.text}: ${answer.end.kind} ${answer.end.why}`);
  return [`${kind}: ${unasked.why}`, ...told].join('\n');
}

for (const [kind, logs] of Object.entries(Object.groupBy(REVIEWED, (reviewed) => reviewed.kind))) {
  describe(kind, () => {
    for (const { what, log } of logs ?? []) {
      const claim = MISSED[kind]?.includes(what) === true ? test.fails : test;
      claim(`${what}: read right, or by the first answer`, () => {
        const verdict = judgeLog(log);
        const good = log.truth.isOpen === true ? ['right', 'first', 'open'] : ['right', 'first'];
        expect(good, `${story(verdict)}\n${Buffer.from(log.bytes).toString()}`).toContain(verdict.kind);
      });
    }
  });
}

test('the list of those that are missed names logs that there are', () => {
  const known = new Set(REVIEWED.map(({ kind, what }) => `${kind}: ${what}`));
  const listed = Object.entries(MISSED).flatMap(([kind, whats]) => whats.map((what) => `${kind}: ${what}`));
  expect(listed.filter((name) => !known.has(name))).toEqual([]);
});
