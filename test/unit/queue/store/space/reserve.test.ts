import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openReserve, readFreeBytes } from '../../../../../src-main/queue/store/space/reserve.ts';
import { expectMode } from '../../../../support/posix.ts';
import { tempFolder } from '../../../../support/temp-folder.ts';

const SIZE = 300_000;

test('keeps a file of the size asked for, really written, for this user alone', () => {
  const path = join(tempFolder(), 'q.db');
  const reserve = openReserve(path, SIZE);
  expect(reserve.isKept).toBe(false);
  expect(reserve.ensure()).toBe(true);
  const { size, blocks } = statSync(`${path}.reserve`);
  expect(size).toBe(SIZE);
  expectMode(`${path}.reserve`, 0o600);
  expect(blocks * 512).toBeGreaterThanOrEqual(SIZE);
});

test('gives its room back once, and is made again', () => {
  const path = join(tempFolder(), 'q.db');
  const reserve = openReserve(path, SIZE);
  expect(reserve.release()).toBe(false);
  reserve.ensure();
  expect(reserve.release()).toBe(true);
  expect(statSync(`${path}.reserve`, { throwIfNoEntry: false })).toBeUndefined();
  expect(reserve.release()).toBe(false);
  expect(reserve.ensure()).toBe(true);
});

test('finds the reserve of an earlier run, and recreates one that was cut short', () => {
  const path = join(tempFolder(), 'q.db');
  openReserve(path, SIZE).ensure();
  expect(openReserve(path, SIZE).isKept).toBe(true);
  writeFileSync(`${path}.reserve`, 'half');
  const reserve = openReserve(path, SIZE);
  expect(reserve.isKept).toBe(false);
  expect(reserve.ensure()).toBe(true);
  expect(statSync(`${path}.reserve`).size).toBe(SIZE);
});

test('is not made where it would take more than a third of what is free', () => {
  const path = join(tempFolder(), 'q.db');
  const free = readFreeBytes(path) ?? 0;
  const reserve = openReserve(path, Math.floor(free / 2));
  expect(reserve.ensure()).toBe(false);
  expect(reserve.isKept).toBe(false);
});

test('of no size is never asked for', () => {
  const reserve = openReserve(join(tempFolder(), 'q.db'), 0);
  expect([reserve.isKept, reserve.ensure(), reserve.release()]).toEqual([true, true, false]);
});
