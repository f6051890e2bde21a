// A gap of readings whose unit was not told begins with the last reading of the same question, whatever others did meanwhile.
import { expect, test } from 'vitest';
import { systemClock } from '../../../../../src-main/platform/clock.ts';
import { HeldReadings } from '../../../../../src-main/sources/serial/poll/held-readings.ts';
import { Outbox } from '../../../../../src-main/sources/serial/poll/outbox.ts';
import { MemorySink } from '../../../../support/logs/log-sink.ts';

const EVERY_MS = 500;
const ONE = ['sensor 1'];
const TWO = ['sensor 2'];

function start() {
  const gaps: (readonly [number, number])[] = [];
  const held = new HeldReadings(new Outbox(new MemorySink(), () => ''), systemClock, (fromMs, toMs) =>
    gaps.push([fromMs, toMs]),
  );
  const read = (channels: string[], atMs: number) => held.add({ channels, atMs, values: [1] }, [], ['unit'], EVERY_MS);
  return { held, gaps, read };
}

test('two questions: the gap begins at the last reading that went out of the one whose readings are missing first', () => {
  const { held, gaps, read } = start();
  read(TWO, 10_000);
  read(ONE, 10_313);
  held.release(new Map([['unit', Number.POSITIVE_INFINITY]]));
  read(TWO, 10_520);
  read(ONE, 10_830);
  held.refuse('unit', 'changed');
  expect(gaps).toEqual([[10_000, 10_830]]);
});

test('a gap right behind another one begins where that ended, though the next reading came late', () => {
  const { held, gaps, read } = start();
  read(ONE, 10_000);
  held.release(new Map([['unit', Number.POSITIVE_INFINITY]]));
  read(ONE, 10_500);
  held.refuse('unit', 'changed');
  read(ONE, 11_900);
  held.refuse('unit', 'changed');
  expect(gaps).toEqual([
    [10_000, 10_500],
    [10_500, 11_900],
  ]);
});

test('what was silent before has a gap of its own', () => {
  const { held, gaps, read } = start();
  read(ONE, 10_000);
  held.release(new Map([['unit', Number.POSITIVE_INFINITY]]));
  read(ONE, 70_000);
  held.refuse('unit', 'changed');
  expect(gaps).toEqual([[68_500, 70_000]]);
});
