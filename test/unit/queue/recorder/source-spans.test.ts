import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SourceSpan } from '../../../../src-main/model/queue.ts';
import { SourceSpans } from '../../../../src-main/queue/recorder/source-spans.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const text = (words: string) => new TextEncoder().encode(words);
const bytes = (file: string, fromByte: number, words: string, block: number | null = 0) => ({
  file,
  place: file,
  fromByte,
  bytes: text(words),
  block,
});

describe('SourceSpans', () => {
  test('each span hashes exactly the bytes of the file from its first to its last, whatever came in which pieces', () => {
    const file = text('time,v\n'.repeat(2000));
    const pieces = fc.array(
      fc.record({
        size: fc.integer({ min: 1, max: 300 }),
        streams: fc.uniqueArray(fc.integer({ min: 1, max: 3 }), { maxLength: 2 }),
        isTaken: fc.boolean(),
        isJump: fc.boolean(),
        isRestart: fc.boolean(),
        isClose: fc.boolean(),
      }),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(pieces, (steps) => {
        let spans = new SourceSpans();
        const stored = new Map<string, SourceSpan>();
        const given = new Map<number, number>();
        let at = 0;
        const take = () => {
          for (const span of spans.take()) stored.set(`${span.streamId} ${span.fromByte}`, span);
        };
        for (const { size, streams, isTaken, isJump, isRestart, isClose } of steps) {
          if (isRestart) {
            take();
            spans = new SourceSpans();
          }
          if (isJump) at += 10;
          const part = file.subarray(at, at + size);
          spans.add({ file: 'f', place: 'p', fromByte: at, bytes: part, block: 0 }, streams, null);
          if (streams.length > 0) for (const id of streams) given.set(id, (given.get(id) ?? 0) + part.length);
          at += part.length;
          if (isClose) for (const id of streams) spans.close(id);
          if (isTaken) take();
        }
        take();
        const covered = new Map<number, number>();
        for (const { streamId, fromByte, toByte, sha256: own } of stored.values()) {
          expect(own).toBe(sha256(file.subarray(fromByte, toByte)));
          covered.set(streamId, (covered.get(streamId) ?? 0) + toByte - fromByte);
        }
        // All bytes that were given to a stream are in its spans; what goes on a span without a reading is there besides.
        for (const [id, count] of given) expect(covered.get(id) ?? 0).toBeGreaterThanOrEqual(count);
      }),
    );
  });

  test('bytes without a reading go on the span that they follow, and begin none elsewhere', () => {
    const spans = new SourceSpans();
    spans.add(bytes('a.csv', 0, 'time,v\n', null), [], null);
    expect(spans.take()).toEqual([]);
    spans.add(bytes('a.csv', 7, '1,2\n'), [1], 1);
    spans.add(bytes('b.csv', 0, '1,2\n'), [2], 2);
    spans.add(bytes('a.csv', 11, 'junk\n', null), [], 2);
    expect(spans.take().map(({ streamId, place, fromByte, toByte }) => [streamId, place, fromByte, toByte])).toEqual([
      [1, 'a.csv', 7, 16],
      [2, 'b.csv', 0, 4],
    ]);
  });

  test('bytes that go on no span go to the stream that is named for that; a closed stream takes none', () => {
    const spans = new SourceSpans();
    spans.add(bytes('a.csv', 0, 'time,v\n', null), [], 5);
    expect(spans.take()).toMatchObject([{ streamId: 5, fromByte: 0, toByte: 7 }]);
    spans.close(5);
    spans.add(bytes('a.csv', 7, 'junk\n', null), [], null);
    expect(spans.take()).toEqual([]);
  });

  test('a block at midnight is in a span of both days', () => {
    const spans = new SourceSpans();
    spans.add(bytes('a.csv', 0, 'before\n'), [1], 1);
    spans.add(bytes('a.csv', 7, 'both\n'), [1, 2], 2);
    spans.close(1);
    spans.add(bytes('a.csv', 12, 'after\n'), [2], 2);
    expect(spans.take().map(({ streamId, fromByte, toByte }) => [streamId, fromByte, toByte])).toEqual([
      [1, 0, 12],
      [2, 7, 18],
    ]);
  });

  test('gives a span again only when it has grown', () => {
    const spans = new SourceSpans();
    spans.add(bytes('a.csv', 0, 'x\n'), [1], 1);
    expect(spans.take()).toHaveLength(1);
    expect(spans.take()).toEqual([]);
  });
});
