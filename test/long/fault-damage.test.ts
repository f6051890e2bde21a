// Row 12 of the fault matrix in quantity: damage of a queue file. test/fault/queue/damage.test.ts has a few of each.
import { test } from 'vitest';
import { overwritePages, turnBitsAnywhere, turnBitsOfPoints } from '../support/faults/damaged-queue.ts';
import { amount } from '../support/run/effort.ts';

const FILES = amount(3, 12, 200);
const POINT_BITS = amount(30, 150, 3000);
const BITS = amount(25, 100, 3000);

test(`12: ${FILES} damaged files are set aside whole, what can be read of them is kept, and what is lost is listed`, () =>
  overwritePages(FILES));

test(`12: each of ${POINT_BITS} bits that turned over in a point that waits is found: never sent, and a gap`, () =>
  turnBitsOfPoints(POINT_BITS));

test(`12: each of ${BITS} bits that turned over anywhere doubles nothing, and what cannot be opened is said and not touched`, () =>
  turnBitsAnywhere(BITS));
