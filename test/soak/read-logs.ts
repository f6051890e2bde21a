// The logs of a soak as they lie in their folder, read without any of the agent's own means: what was to come.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Series } from './delivered-series.ts';

/**
 * Read all files of a folder, in the order of their names.
 *
 * @returns channels by name.
 */
export function readLogs(folder: string): Map<string, Series> {
  const channels = new Map<string, Series>();
  for (const file of readdirSync(folder).sort()) {
    const [header = '', ...rows] = readFileSync(join(folder, file), 'utf8').trimEnd().split('\n');
    const [, ...names] = header.split(',');
    for (const row of rows) {
      const [stamp = '', ...cells] = row.split(',');
      const timeMs = Date.parse(`${stamp.replace(' ', 'T')}Z`);
      for (const [at, name] of names.entries()) {
        const series = channels.get(name) ?? { timesMs: [], values: [] };
        channels.set(name, series);
        series.timesMs.push(timeMs);
        series.values.push(Number(cells[at]));
      }
    }
  }
  return channels;
}
