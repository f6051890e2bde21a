import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { MarkPlace, MarkRow } from '../../../../../src-main/model/marks.ts';
import type { Commit } from '../../../../../src-main/model/queue.ts';
import { openQueue, type Queue } from '../../../../../src-main/queue/store/queue.ts';
import { emptyCommit } from '../../../../support/rigs/small-queue.ts';
import { tempFolder } from '../../../../support/temp-folder.ts';

function commitOf(sequence: number, marks: readonly MarkRow[], positions: Commit['positions'] = []): Commit {
  return { ...emptyCommit, sequence, positions, marks };
}

const markOf = (timeMs: number, sourceId: string, text: string): MarkRow => ({
  ...{ sourceId, timeMs, text, place: 'Messages.txt', line: 4, byte: 120 },
});

function pages(queue: Queue, sourceId: string | null, fromMs: number, toMs: number, limit: number): string[] {
  const texts: string[] = [];
  let after: MarkPlace | null = null;
  do {
    const page = queue.listMarks({ sourceId, fromMs, toMs, after, limit });
    expect(page.marks.length).toBeLessThanOrEqual(Math.max(1, limit));
    texts.push(...page.marks.map(({ text }) => text));
    after = page.next;
  } while (after !== null);
  return texts;
}

test('gives the marks of a window in the order of their time, page by page, each once', () => {
  const queue = openQueue(join(tempFolder(), 'queue.db'), { reserveBytes: 0 });
  let sequence = 0;
  let shift = 0;
  fc.assert(
    fc.property(
      fc.array(fc.record({ at: fc.nat(20), isOther: fc.boolean() }), { maxLength: 40 }),
      fc.nat(20),
      fc.nat(20),
      fc.integer({ min: -1, max: 15 }),
      (drawn, one, other, limit) => {
        // Each run has an hour of its own in the one queue.
        shift += 3_600_000;
        const marks = drawn.map(({ at, isOther }, n) => markOf(shift + at, isOther ? 'other' : 'log', String(n)));
        sequence += 1;
        queue.commit(commitOf(sequence, marks));
        // Offered again, as after a crash: nothing is doubled.
        queue.commit(commitOf(sequence, marks));
        const [from, to] = [shift + Math.min(one, other), shift + Math.max(one, other)];
        const inWindow = marks
          .filter(({ timeMs }) => timeMs >= from && timeMs <= to)
          .sort((a, b) => a.timeMs - b.timeMs || Number(a.text) - Number(b.text));
        const ofLog = inWindow.filter(({ sourceId }) => sourceId === 'log');
        expect(pages(queue, null, from, to, limit)).toEqual(inWindow.map(({ text }) => text));
        expect(pages(queue, 'log', from, to, limit)).toEqual(ofLog.map(({ text }) => text));
      },
    ),
    { numRuns: 100 },
  );
  queue.close();
});

test('takes marks and the position of their file together, or neither', () => {
  const path = join(tempFolder(), 'queue.db');
  const queue = openQueue(path, { reserveBytes: 0 });
  const position = { sourceId: 'log', key: 'f', value: '100' };
  const broken = { ...markOf(2, 'log', 'b'), place: null as unknown as string };
  expect(() => queue.commit(commitOf(1, [markOf(1, 'log', 'a'), broken], [position]))).toThrow();
  expect(queue.positions('log').size).toBe(0);
  expect(pages(queue, null, 0, 10, 10)).toEqual([]);
  queue.commit(commitOf(1, [markOf(1, 'log', 'a')], [position]));
  queue.close();
  const again = openQueue(path, { reserveBytes: 0 });
  expect(again.positions('log').get('f')).toBe('100');
  expect(again.listMarks({ sourceId: null, fromMs: 0, toMs: 10, after: null, limit: 5 })).toEqual({
    marks: [{ id: 1, ...markOf(1, 'log', 'a') }],
    next: null,
  });
  again.close();
});

test('marks of a damaged queue that can be read are in the one that replaces it', () => {
  const path = join(tempFolder(), 'queue.db');
  const queue = openQueue(path, { reserveBytes: 0 });
  const marks = Array.from({ length: 50 }, (_, n) => markOf(n, 'log', `step ${n}`));
  queue.commit(commitOf(1, marks));
  queue.close();
  // The header of the first page says nothing sensible any more.
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(16, 0xff), 0, 16, 16);
  closeSync(file);
  const repaired = openQueue(path, { reserveBytes: 0 });
  expect(repaired.listEvents(5).map(({ code }) => code)).toContain('store.salvaged');
  expect(pages(repaired, 'log', 0, 100, 1000)).toEqual(marks.map(({ text }) => text));
  repaired.close();
});

test('a page that is full to the last mark is the last one', () => {
  const queue = openQueue(join(tempFolder(), 'queue.db'), { reserveBytes: 0 });
  queue.commit(commitOf(1, [markOf(1, 'log', 'a'), markOf(2, 'log', 'b')]));
  const question = { sourceId: null, fromMs: 0, toMs: 10, after: null };
  expect(queue.listMarks({ ...question, limit: 2 }).next).toBeNull();
  expect(queue.listMarks({ ...question, limit: 1 }).next).toEqual({ timeMs: 1, id: 1 });
  queue.close();
});

test('keeps the newest half million, and drops what is older a thousand at a time', () => {
  const path = join(tempFolder(), 'queue.db');
  openQueue(path, { reserveBytes: 0 }).close();
  const raw = new SQLite(path);
  const add = raw.prepare("INSERT INTO mark (id, source, at_ms, text, place) VALUES (?, 'log', 1, ?, 'f')");
  for (const id of [1, 1000, 1001, 500_998]) add.run(id, String(id));
  raw.close();
  const queue = openQueue(path, { reserveBytes: 0 });
  queue.commit(commitOf(1, [markOf(2, 'log', '500999')]));
  expect(pages(queue, null, 0, 10, 10)).toEqual(['1', '1000', '1001', '500998', '500999']);
  queue.commit(commitOf(2, [markOf(2, 'log', '501000')]));
  expect(pages(queue, null, 0, 10, 10)).toEqual(['1001', '500998', '500999', '501000']);
  queue.close();
});
