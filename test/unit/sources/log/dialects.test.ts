// Every dialect that ships has a fixture here, and every fixture is compared value by value and time by time: once with
// its dialect by name, once with `auto`. The expected values were worked out apart from this program.
import { cpSync, existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { DialectInput } from '../../../../src-main/model/dialect.ts';
import { systemClock } from '../../../../src-main/platform/clock.ts';
import { openLogSource } from '../../../../src-main/sources/log/log-source.ts';
import { listDialectFiles, readDialect } from '../../../../src-main/sources/log/recognise/dialect-library.ts';
import { MemorySink, runToEnd } from '../../../support/logs/log-sink.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const TOP = join(import.meta.dirname, '../../../..');
const FIXTURES = join(TOP, 'test/fixtures/logs');
const DIALECTS = join(TOP, 'resources/dialects');
const files = listDialectFiles(DIALECTS);

interface Expected {
  /** Its name, or the mapping that a person wrote into the settings. */
  dialect: string | DialectInput;
  /** Whether `auto` reads it without help; else the code with which it asks for some. Null: only a person knows. */
  auto: true | string | null;
  match: string;
  timeZone: string;
  rows: number;
  refused: string[];
  leftOut: string[];
  /** The modification time that the test gives the files, where the dialect goes by it. */
  modifiedMs?: number;
  channels: Record<string, { unit: string; points: [number, number][] }>;
  /** Of event logs: time, text, file, line. */
  marks?: [number, string, string, number][];
}

async function readFixture(
  name: string,
  dialect: string | DialectInput,
): Promise<{ sink: MemorySink; expected: Expected }> {
  const expected = JSON.parse(readFileSync(join(FIXTURES, name, 'expected.json'), 'utf8')) as Expected;
  const folder = tempFolder();
  cpSync(join(FIXTURES, name, 'files'), folder, { recursive: true });
  // A log is changed when its last line is written; the clock of the PC goes on from there.
  const times = Object.values(expected.channels).flatMap(({ points }) => points.map(([timeMs]) => timeMs));
  const modifiedMs = expected.modifiedMs ?? Math.max(...times, ...(expected.marks ?? []).map(([timeMs]) => timeMs));
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, file);
    if (statSync(path).isFile()) utimesSync(path, modifiedMs / 1000, modifiedMs / 1000);
  }
  const { match, timeZone } = expected;
  const clock = { ...systemClock, nowMs: () => modifiedMs + 1000 };
  const sink = new MemorySink();
  await runToEnd(
    openLogSource({ id: 'log', path: folder, match, dialect, timeZone, backfill: 'all', isDrain: true, clock }),
    sink,
  );
  return { sink, expected };
}

function compare(sink: MemorySink, expected: Expected): void {
  const read = Object.fromEntries(
    sink.channels.map((channel) => [
      channel,
      {
        unit: sink.declared.get(channel)?.unit,
        points: sink.points(channel).map(({ timeMs, value }) => [timeMs, value]),
      },
    ]),
  );
  // Cells first: one that was refused is only a missing point further down.
  expect(sink.refusals.map(({ text }) => text)).toEqual(expected.refused);
  expect(read).toEqual(expected.channels);
  const marks = sink.marks.map(({ timeMs, text, place, line }) => [timeMs, text, place, line]);
  expect(marks).toEqual(expected.marks ?? []);
  expect(sink.refusedCount).toBe(expected.refused.length);
  expect(sink.rowsRead).toBe(expected.rows);
  const leftOut = sink.notes.get('log.columns-left-out')?.message ?? '';
  for (const column of expected.leftOut) expect(leftOut).toContain(column);
  if (expected.leftOut.length === 0) expect(leftOut).toBe('');
}

const names = readdirSync(FIXTURES).filter((name) => existsSync(join(FIXTURES, name, 'expected.json')));
const expectedOf = (name: string) =>
  JSON.parse(readFileSync(join(FIXTURES, name, 'expected.json'), 'utf8')) as Expected;

describe('a dialect', () => {
  test('ships with a fixture that bears its name', () => {
    const dialects = files.map((file) => basename(file, '.yaml'));
    expect(dialects.length).toBeGreaterThanOrEqual(12);
    expect(names).toEqual(expect.arrayContaining(dialects));
  });

  test.each(files)('%s can be used', (file) => {
    expect(readDialect(DIALECTS, file).name).toBe(basename(file, '.yaml'));
  });

  test('that is no YAML is named, with the line', () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'torn.yaml'), 'name: torn\ntime: { format: [\n');
    expect(() => readDialect(folder, 'torn.yaml')).toThrow(/^The dialect torn\.yaml cannot be used: .* at line 3/);
  });

  test.each(names)('%s is read right by name', async (name) => {
    const { sink, expected } = await readFixture(name, expectedOf(name).dialect);
    compare(sink, expected);
  });

  test.each(names.filter((name) => expectedOf(name).auto === true))('%s is recognised by auto', async (name) => {
    const { sink, expected } = await readFixture(name, 'auto');
    compare(sink, expected);
  });

  test.each(names.filter((name) => typeof expectedOf(name).auto === 'string'))(
    '%s is not guessed at by auto',
    async (name) => {
      await expect(readFixture(name, 'auto')).rejects.toMatchObject({
        code: expectedOf(name).auto,
        retry: 'after-human',
      });
    },
  );
});
