import { describe, expect, it } from 'vitest';
import { readAnswerWords } from '../../../../src-main/delivery/client/answer-words.ts';
import { parseRetryAfter } from '../../../../src-main/delivery/client/retry-after.ts';

describe('readAnswerWords', () => {
  it.each([
    ['{"detail":"no such stream"}', 'no such stream'],
    ['{"detail":[{"loc":["body","channels","cell"],"msg":"empty"},{"msg":"b"}]}', 'body.channels.cell: empty; b'],
    ['{"detail":[{"msg":"a"},{"msg":"b"},{"msg":"c"},{"msg":"d"},{"msg":"e"}]}', 'a; b; c; 2 more'],
    ['{"detail":{"msg":"nested"}}', 'nested'],
    ['{"title":"Not found","status":404}', 'Not found'],
    ['{"message":"quota exceeded"}', 'quota exceeded'],
    ['{"detail":[],"message":"m"}', 'm'],
    ['{"error":7}', '{"error":7}'],
    ['"just text"', 'just text'],
    ['upstream connect error\r\n  reset', 'upstream connect error reset'],
    ['<html><body>Log in</body></html>', ''],
    ['', ''],
    ['null', 'null'],
  ])('reads %s as %j', (body, words) => {
    expect(readAnswerWords(body)).toBe(words);
  });

  it('cuts what is too long to show', () => {
    expect(readAnswerWords('x'.repeat(5000))).toHaveLength(303);
  });
});

describe('parseRetryAfter', () => {
  const date = 'Fri, 20 Nov 2026 19:40:00 GMT';
  const nowMs = Date.parse('2026-11-20T10:00:00Z');
  it.each([
    ['0', date, 0],
    ['5', date, 5_000],
    ['1000000000', date, 600_000],
    ['Fri, 20 Nov 2026 19:40:30 GMT', date, 30_000],
    ['Fri, 20 Nov 2026 19:00:00 GMT', date, 0],
    ['Fri, 20 Nov 2027 19:00:00 GMT', date, 600_000],
    ['Fri, 20 Nov 2026 10:00:07 GMT', undefined, 7_000],
    ['1.5', date, null],
    ['-1', date, null],
    ['soon', date, null],
    ['Fri, 99 Nov', date, null],
    ['', date, null],
    [undefined, date, null],
  ])('reads %j with the date %j as %s ms', (header, answerDate, waitMs) => {
    expect(parseRetryAfter(header, answerDate, nowMs)).toBe(waitMs);
  });
});
