// The journal on disk, page by page.
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { openQueue } from '../../../../../src-main/queue/store/queue.ts';
import type { EventQuestion, EventRow } from '../../../../../src-main/queue/store/tables/event-queries.ts';
import { tempFolder } from '../../../../support/temp-folder.ts';

const any: EventQuestion = {
  levels: ['info', 'warning', 'error'],
  about: null,
  text: '',
  fromMs: null,
  toMs: null,
  beforeId: null,
  limit: 100,
};

function fillQueue() {
  const queue = openQueue(join(tempFolder('events'), 'queue.db'));
  onTestFinished(() => queue.close());
  const levels = ['info', 'warning', 'error'] as const;
  for (let at = 0; at < 30; at++) {
    const level = levels[at % 3] as EventRow['level'];
    const event = { atMs: 1000 * at, level, code: `log.c${at}`, message: `Zeile ${at} Größe 100%_`, hint: 'Öffne TÜR' };
    queue.addEvent(event, at % 2 === 0 ? 'chamber' : '');
  }
  return queue;
}

test('gives the whole journal in pages, each entry once, newest first', () => {
  const queue = fillQueue();
  const seen: number[] = [];
  for (let beforeId: number | null = null; ; ) {
    const page = queue.findEvents({ ...any, beforeId, limit: 7 });
    seen.push(...page.map(({ atMs }) => atMs / 1000));
    if (page.length < 7) break;
    beforeId = page.at(-1)?.id ?? 0;
  }
  expect(seen).toEqual(Array.from({ length: 30 }, (_, at) => 29 - at));
});

test('finds by level, by what an event belongs to, by time, and by text that means itself', () => {
  const queue = fillQueue();
  const find = (part: Partial<EventQuestion>) => queue.findEvents({ ...any, ...part }).map(({ atMs }) => atMs / 1000);
  expect(find({ levels: ['error'] })).toEqual([29, 26, 23, 20, 17, 14, 11, 8, 5, 2]);
  expect(find({ about: 'chamber', levels: ['warning'] })).toEqual([28, 22, 16, 10, 4]);
  expect(find({ fromMs: 3000, toMs: 5000 })).toEqual([5, 4, 3]);
  expect(find({ text: 'ZEILE 7 ' })).toEqual([7]);
  expect(find({ text: '100%_' })).toHaveLength(30);
  expect(find({ text: '100__' })).toEqual([]);
  expect(find({ text: "' OR 1=1 --" })).toEqual([]);
  expect(find({ text: 'TÜR' })).toHaveLength(30);
  expect(find({ text: 'LOG.C29' })).toEqual([29]);
  expect(queue.findEvents({ ...any, text: 'log.c28' })[0]).toMatchObject({ about: 'chamber', hint: 'Öffne TÜR' });
});

test('keeps the newest ten thousand, and drops what is older a hundred at a time', () => {
  const path = join(tempFolder('events'), 'queue.db');
  openQueue(path).close();
  const raw = new SQLite(path);
  raw.prepare('DELETE FROM event').run();
  const add = raw.prepare(
    "INSERT INTO event (id, at_ms, level, code, message, hint) VALUES (?, 1, 'info', '', '', '')",
  );
  for (const id of [1, 100, 101, 10_098]) add.run(id);
  raw.close();
  const queue = openQueue(path);
  onTestFinished(() => queue.close());
  const event = { atMs: 2, level: 'info', code: '', message: '', hint: '' } as const;
  expect(queue.addEvent(event)).toBe(10_099);
  expect(queue.listEvents(10).map(({ id }) => id)).toEqual([10_099, 10_098, 101, 100, 1]);
  expect(queue.addEvent(event)).toBe(10_100);
  expect(queue.listEvents(10).map(({ id }) => id)).toEqual([10_100, 10_099, 10_098, 101]);
});
