// The dialect that log-dialects.md adds: its log, its YAML and what must come out of it, as printed.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { openLogSource } from '../../../../src-main/sources/log/log-source.ts';
import { codeBlocks, readPage } from '../../../support/docs.ts';
import { MemorySink, runToEnd } from '../../../support/logs/log-sink.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const page = readPage('resources/docs/log-dialects.md').text;

/** The block of a language that begins with a text. */
function printed(language: string, beginning: string): string {
  return (
    codeBlocks(page, language).find((text) => text.startsWith(beginning)) ??
    expect.fail(`no block ${language} that begins with ${beginning}`)
  );
}

test('the log is read as printed', async () => {
  const dialect = parse(printed('yml', '# resources/dialects/'));
  const expected = JSON.parse(printed('json', '{\n  "about"'));
  expect(expected.dialect).toBe(dialect.name);
  const path = join(tempFolder(), 'logs');
  mkdirSync(path);
  writeFileSync(join(path, 'run.csv'), printed('text', 'Datum;'));
  const { match, timeZone } = expected;
  const sink = new MemorySink();
  await runToEnd(openLogSource({ id: 'log', path, match, dialect, timeZone, backfill: 'all', isDrain: true }), sink);
  for (const [channel, { unit, points }] of Object.entries<{ unit: string; points: number[][] }>(expected.channels)) {
    expect(sink.declared.get(channel)?.unit).toBe(unit);
    expect(sink.points(channel).map(({ timeMs, value }) => [timeMs, value])).toEqual(points);
  }
  expect(sink.channels.toSorted()).toEqual(Object.keys(expected.channels).toSorted());
  expect(sink.refusals.map(({ text }) => text)).toEqual(expected.refused);
  expect(sink.rowsRead).toBe(expected.rows);
});
