// Rows 2, 21, 86 and 93 of the fault matrix in quantity: kills at one moment or another. test/fault has a few of each.
import { describe, expect, test } from 'vitest';
import { killAtCommits } from '../support/faults/commit-kills.ts';
import { findShimObstacle } from '../support/faults/fault-shim.ts';
import { killAtMarks } from '../support/faults/mark-kills.ts';
import { killMigration } from '../support/faults/migration-kills.ts';
import { killResender } from '../support/faults/resend-kills.ts';
import { amount } from '../support/run/effort.ts';

const COMMITS = amount(3, 9, 90);
const MARKS = amount(2, 6, 60);
const RESENDS = amount(3, 12, 200);
const obstacle = findShimObstacle();

test(`2 and 93: over ${COMMITS} kills between the service's commit and the note of it nothing is lost, nothing doubled, no entry made twice`, () =>
  killAtCommits(COMMITS));

describe.skipIf(obstacle !== null)('a migration', () => {
  test('21: a kill at every step of a migration leaves the old queue or the new one, whole', async () => {
    expect(await killMigration(amount(7, 2, 1))).toBeGreaterThan(3);
  });
});

test(`86: over ${RESENDS} kills while refused chunks are sent again each point is there once and the sums hold`, () =>
  killResender(RESENDS));

test(`keeps every line of an event log as one mark over ${MARKS} kills`, () => killAtMarks(MARKS));
