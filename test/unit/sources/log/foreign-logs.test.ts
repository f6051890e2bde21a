// Foreign logs of every kind, each written from the truth: what `auto` reads of one is the truth, or it asks. Nothing else
// ever comes of it. "npm run foreign-logs" tries 100,000.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CHOICES, type Choices } from '../../../foreign-logs/choices.ts';
import onceWrong from '../../../foreign-logs/once-wrong.json' with { type: 'json' };
import { readLog } from '../../../foreign-logs/read-log.ts';
import { writeLog } from '../../../foreign-logs/write-log.ts';
import { walks } from '../../../support/run/effort.ts';

const SEED = 20_261_123;

test.each(onceWrong.map((choices) => [choices as unknown as Choices]))(
  'a log that was once read silently wrong is read right, or asked about: $time, $edit, seed $seed',
  (choices) => {
    const log = writeLog(choices);
    expect(readLog(log), `${log.path}\n${Buffer.from(log.bytes).toString()}`).not.toMatchObject({ kind: 'wrong' });
  },
);

test('a foreign log is read as it was written, or asked about, and most are read', () => {
  const wellFormed = { read: 0, asked: 0 };
  fc.assert(
    fc.property(CHOICES, (choices) => {
      const log = writeLog(choices);
      const outcome = readLog(log);
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
