// Fault matrix, rows 58 and 59: many files at once, and many files from before. The numbers of the matrix, 40,000 and 100,000,
// come in test/long/fault-logs.test.ts.
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { begin, passOverOld, readBurst } from '../../support/logs/many-files.ts';

describe('row 58', () => {
  test('every file of a burst is found and every line comes once, while the burst lasts and also when no hint comes of it', () =>
    readBurst(200));
});

describe('row 59', () => {
  test('old files at the first start are a question and no flood; what is written from then on is read', () =>
    passOverOld(200));

  test('an old file that was skipped still settles the date order of a new one beside it', async () => {
    const { writer, reader } = begin({ backfill: 'ask' });
    await writer.append('old.csv', 'time,v\n13/06/2025 10:00:00,1\n');
    const old = new Date(Date.UTC(2025, 5, 13));
    utimesSync(join(writer.folder, 'old.csv'), old, old);
    await reader.look();
    await writer.append('new.csv', 'time,v\n11/06/2026 10:00:00,2\n12/06/2026 10:00:00,3\n');
    await reader.look();
    expect(reader.sink.values('v')).toEqual([2, 3]);
  });
});
