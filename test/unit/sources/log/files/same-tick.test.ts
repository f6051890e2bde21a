// When a file that looks as before is believed to be as before.
import { expect, test } from 'vitest';
import type { Entry } from '../../../../../src-main/sources/log/files/folder-scan.ts';
import { SameTick } from '../../../../../src-main/sources/log/files/same-tick.ts';

const NOW_MS = Date.UTC(2026, 10, 22, 12);
const entry = (modifiedMs: number): Entry => ({ path: 'log.csv', sizeBytes: 10, modifiedMs, id: '1:1' });
const at = (monotonicMs: number) => ({ nowMs: NOW_MS, monotonicMs });

test('a file is certain once its content was compared a tick after it was first seen, not before', () => {
  const ticks = new SameTick();
  const seen = entry(NOW_MS - 1.5);
  ticks.noteSeen(seen, at(0));
  expect(ticks.isCertain(seen, at(500))).toBe(false);
  ticks.noteLookedAgain(seen, at(19));
  expect(ticks.isCertain(seen, at(500))).toBe(false);
  ticks.noteLookedAgain(seen, at(20));
  expect(ticks.isCertain(seen, at(500))).toBe(true);
});

test('where times are whole seconds a tick is two of them', () => {
  const ticks = new SameTick();
  const seen = entry(NOW_MS - 1000);
  ticks.noteSeen(seen, at(0));
  ticks.noteLookedAgain(seen, at(1999));
  expect(ticks.isCertain(seen, at(2000))).toBe(false);
  ticks.noteLookedAgain(seen, at(2000));
  expect(ticks.isCertain(seen, at(2000))).toBe(true);
});

test('a file of an earlier run is compared twice, an old one never', () => {
  const ticks = new SameTick();
  const [young, old, older] = [entry(NOW_MS - 1.5), entry(NOW_MS - 11 * 60_000), entry(NOW_MS - 25 * 3_600_000)];
  ticks.noteLookedAgain(young, at(1000));
  expect(ticks.isCertain(young, at(1000))).toBe(false);
  ticks.noteLookedAgain(young, at(1500));
  expect(ticks.isCertain(young, at(1500))).toBe(true);
  expect(ticks.isCertain(old, at(1000))).toBe(true);
  ticks.noteSeen(old, at(1000));
  expect(ticks.isCertain(old, at(1000))).toBe(false);
  ticks.noteSeen(older, at(1000));
  expect(ticks.isCertain(older, at(1000))).toBe(true);
});
