// A row has the stamp of its beginning, and may be finished after a look that has seen half of it.
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LogReader } from '../../../../support/logs/log-reader.ts';

test('a row that was half there at a look, and is destroyed before the next, lies in the gap by its stamp', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'epistream-half-line-'));
  const path = join(folder, 'log.csv');
  const reader = new LogReader({ path: folder });
  const startMs = Math.floor(Date.now() / 1000) * 1000;
  reader.clock.standingMs = startMs;
  const row = (timeMs: number, value: number) => `${new Date(timeMs).toISOString().slice(0, 23)},${value}\n`;
  writeFileSync(path, `time,v\n${row(startMs - 2000, 1)}${row(startMs - 1000, 2)}`);
  await reader.look(500);
  await reader.look(500);
  const lostMs = reader.clock.nowMs() + 100;
  appendFileSync(path, row(lostMs - 50, 3) + row(lostMs, 4).slice(0, -3));
  await reader.look(400);
  appendFileSync(path, row(lostMs, 4).slice(-3));
  rmSync(path);
  for (let looks = 0; looks < 8; looks++) await reader.look(1000);
  expect(reader.sink.values('v')).toEqual([1, 2, 3]);
  expect(reader.sink.gaps.some(({ fromMs, toMs }) => fromMs <= lostMs && lostMs <= toMs)).toBe(true);
  await reader.kill();
});
