// Logs in the forms that a review of real ones found to be misread, each kind with its neighbours: every one is read as it was
// written, or its question has the right reading as its first answer, and none of its answers reads what is not true. Those
// that are still missed are listed: once the reader learns one, its test asks for it to be taken off the list.
import { describe, expect, test } from 'vitest';
import { judgeLog, type Verdict } from '../../../foreign-logs/judge.ts';
import { REVIEWED } from '../../../foreign-logs/reviewed-logs.ts';

const MISSED: Readonly<Record<string, readonly string[]>> = {
  // Its change is not known: it may be the time of day all the same, as a daily log has it.
  'time since a start that the file does not tell': ['with the day in the name'],
};

/** How a log was read, as text. */
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
