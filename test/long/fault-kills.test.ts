// Rows 2, 21, 86 and 93 of the fault matrix in quantity: kills at one moment or another. test/fault has a few of each.
import { describe, expect, test } from 'vitest';
import { findShimObstacle } from '../support/faults/fault-shim.ts';
import { commit, kill, resend } from '../support/faults/kills.ts';
import { cutMigration } from '../support/faults/migration-cuts.ts';
import { amount } from '../support/run/effort.ts';

const COMMITS = amount(3, 9, 90);
const MIGRATIONS = amount(200, 1000, 10_000);
const RESENDS = amount(3, 12, 200);
const obstacle = findShimObstacle();

test(`2 and 93: over ${COMMITS} kills between the service's commit and the note of it nothing is lost, nothing doubled, no entry made twice`, async () =>
  kill(await commit(), COMMITS));

describe.skipIf(obstacle !== null)('a migration', () => {
  test(`21: a kill or a power cut leaves the version of before or a later one, whole, on ${MIGRATIONS} disks`, async () => {
    const found = await cutMigration(MIGRATIONS, Math.floor(Math.random() * 1e9));
    expect(Math.min(...found)).toBeGreaterThan(0);
  });
});

test(`86: over ${RESENDS} kills while refused chunks are sent again each point is there once and the sums hold`, () =>
  kill(resend(), RESENDS));
