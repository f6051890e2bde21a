import { expect, test } from 'vitest';
import { RoomWatch } from '../../../../src-main/agent/pipeline/room-watch.ts';

const room = (hoursToFull: number | null, walBytes = 0) => ({
  freeBytes: 5e9,
  usedBytes: 1e9,
  walBytes,
  isReserveKept: true,
  bytesPerHour: 1e8,
  hoursToFull,
});

test('7: warns once at each step towards a full disk, louder at the end, and again when it fills a second time', () => {
  const watch = new RoomWatch();
  const told = [null, 100, 47, 46, 30, 23, 23, 5, 2.5, 0.4, 100, 40].map((hours) =>
    watch.look(room(hours)).map(({ level, message }) => `${level} ${message.match(/about \d+ h/)?.[0]}`),
  );
  expect(told.flat()).toEqual([
    'warning about 47 h',
    'warning about 23 h',
    'error about 5 h',
    'error about 2 h',
    'error about 1 h',
    'warning about 40 h',
  ]);
});

test('10: warns once of a log that cannot be cut back, and again after it could', () => {
  const watch = new RoomWatch();
  const told = [0, 1e6, 70e6, 80e6, 1e6, 70e6].map((walBytes) => watch.look(room(null, walBytes)).length);
  expect(told).toEqual([0, 0, 1, 0, 0, 1]);
});
