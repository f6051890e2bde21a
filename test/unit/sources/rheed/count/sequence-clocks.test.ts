// A camera's clock that is put back, and one that goes before or behind the clock of this PC.
import { expect, test } from 'vitest';
import { Sequence } from '../../../../../src-main/sources/rheed/count/sequence.ts';
import { BEGIN_MS, range } from '../../../../support/rheed/watched-frames.ts';

const STATE = { name: 'a_{frame}.bmp', width: 4, first: 0, last: -1, newestMs: 0 };

test('frames of a restarted recording still count when the clock is set back', () => {
  const sequence = new Sequence(STATE, true);
  let [steadyMs, counted] = [BEGIN_MS, 0];
  const write = (order: number, clockMs: number) => {
    steadyMs += 33;
    if (sequence.accept(order, clockMs, steadyMs)) counted += 1;
  };
  for (const at of range(0, 299)) write(at, steadyMs);
  steadyMs += 60_000;
  for (const at of range(0, 299)) write(at, steadyMs);
  expect(counted).toBe(600);
  // The clock is set back by a minute 10 s after the restart.
  for (const at of range(300, 599)) write(at, steadyMs - 60_000);
  expect(counted).toBe(900);
});

test('a short recording that is taken again at once counts, on a share whose clock is 5 s behind', () => {
  const sequence = new Sequence(STATE, true);
  let [steadyMs, counted] = [BEGIN_MS, 0];
  const write = (order: number) => {
    steadyMs += 33;
    if (sequence.accept(order, steadyMs - 5000, steadyMs)) counted += 1;
  };
  for (const at of range(0, 99)) write(at);
  steadyMs += 1000;
  for (const at of range(0, 99)) write(at);
  expect(counted).toBe(200);
});

test('a frame that is written while its successor comes counts once, on a share whose clock is 5 s ahead', () => {
  const sequence = new Sequence(STATE, true);
  const ahead = 5000;
  const accept = (order: number, writtenMs: number, nowMs: number) =>
    sequence.accept(order, BEGIN_MS + writtenMs + ahead, BEGIN_MS + nowMs);
  expect(accept(0, 0, 20)).toBe(true);
  expect(accept(1, 33, 50)).toBe(true);
  // The first one is written to its end only now.
  expect(accept(0, 60, 120)).toBe(false);
});

test('a frame that is written slowly and found late counts once', () => {
  const sequence = new Sequence(STATE, true);
  const accept = (order: number, writtenMs: number, nowMs: number) =>
    sequence.accept(order, BEGIN_MS + writtenMs, BEGIN_MS + nowMs);
  expect(accept(0, 0, 1000)).toBe(true);
  expect(accept(1, 1600, 1650)).toBe(true);
  expect(accept(0, 2000, 2100)).toBe(false);
});

test('what is kept over a restart is bounded where every second number is left out', () => {
  const sequence = new Sequence(STATE, true);
  for (const at of range(0, 3600)) sequence.accept(at * 2, BEGIN_MS + at * 33, BEGIN_MS + at * 33);
  expect(JSON.stringify(sequence.state).length).toBeLessThan(5000);
});
