// Foreign logs of every kind, each written from the truth: what `auto` reads of one is the truth, or it asks. Nothing else
// ever comes of it. "npm run foreign-logs" tries 100,000.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CHOICES, type Choices } from '../../../foreign-logs/choices.ts';
import { judgeLog, readUnasked } from '../../../foreign-logs/judge.ts';
import { KINDS, type Kind, writeKind } from '../../../foreign-logs/kinds/kinds.ts';
import onceWrong from '../../../foreign-logs/once-wrong.json' with { type: 'json' };
import { writeLog } from '../../../foreign-logs/write-log.ts';
import { walks } from '../../../support/run/effort.ts';

const SEED = 20_261_123;

test.each(onceWrong.map((choices) => [choices as unknown as Choices]))(
  'a log that was once read silently wrong is read right, or asked about: $time, $edit, seed $seed',
  (choices) => {
    const log = writeLog(choices);
    expect(readUnasked(log), `${log.path}\n${Buffer.from(log.bytes).toString()}`).not.toMatchObject({ kind: 'wrong' });
  },
);

test('a foreign log is read as it was written, or asked about, and most are read', () => {
  const wellFormed = { read: 0, asked: 0 };
  fc.assert(
    fc.property(CHOICES, (choices) => {
      const log = writeLog(choices);
      const outcome = readUnasked(log);
      if (log.truth.isWellFormed) wellFormed[outcome.kind === 'asked' ? 'asked' : 'read'] += 1;
      expect(
        outcome.kind,
        JSON.stringify({ outcome, path: log.path, text: Buffer.from(log.bytes).toString() }),
      ).not.toBe('wrong');
    }),
    // The same logs each time: "npm run foreign-logs" draws other ones.
    { ...walks(1000), seed: SEED },
  );
  expect(wellFormed.read / (wellFormed.read + wellFormed.asked)).toBeGreaterThan(0.9);
  // A long run takes minutes where many share the processor.
}, 600_000);

/** Kinds of which some logs are still misread, or have an answer that is: once the reader knows one, its test asks to be changed. */
const MISSED: readonly Kind[] = ['elapsed from zero'];
const LOGS_OF_A_KIND = 25;

describe('a log of another kind is read as it was written, or by the first answer to its question', () => {
  for (const kind of KINDS) {
    const claim = MISSED.includes(kind) ? test.fails : test;
    claim(kind, () => {
      const verdicts = Array.from({ length: LOGS_OF_A_KIND }, (_, at) => {
        const log = writeKind(kind, SEED + at);
        const verdict = judgeLog(log);
        const good = log.truth.isOpen === true ? ['right', 'first', 'open'] : ['right', 'first'];
        return good.includes(verdict.kind) ? '' : `seed ${SEED + at}: ${verdict.kind}, ${verdict.unasked.why}`;
      });
      expect(verdicts.filter((text) => text !== '')).toEqual([]);
    });
  }
});

test.fails('no answer that is offered for a plain table does damage', () => {
  fc.assert(
    fc.property(CHOICES, (choices) => {
      const { answers } = judgeLog(writeLog(choices));
      expect(answers.filter(({ fault }) => fault === 'damage').map(({ text, end }) => `${text}: ${end.why}`)).toEqual(
        [],
      );
    }),
    { ...walks(300), seed: SEED, endOnFailure: true },
  );
});
