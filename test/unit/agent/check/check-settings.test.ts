import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { checkDataFolder, judgeFreeBytes } from '../../../../src-main/agent/check/check-data-folder.ts';
import {
  checkAuthorityFile,
  checkClock,
  checkLogSource,
  checkSettings,
  type FolderLook,
} from '../../../../src-main/agent/check/check-settings.ts';
import type { Finding } from '../../../../src-main/agent/check/finding.ts';
import type { Clock } from '../../../../src-main/platform/clock.ts';
import { ClockWatch } from '../../../../src-main/platform/clock-watch.ts';
import { openDataFolder } from '../../../../src-main/platform/data-folder.ts';
import { parseSettings } from '../../../../src-main/settings/parse-settings.ts';
import type { LogSourceSettings } from '../../../../src-main/settings/settings.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const NOW = Date.UTC(2026, 10, 20, 12);
const SPAN = { bytes: 12_345, oldestMs: Date.UTC(2019, 2, 1), newestMs: Date.UTC(2026, 10, 19) };
const LOOK: FolderLook = {
  ...{ files: 3, ...SPAN, file: 'b.csv', channels: ['T', 'p'], leftOut: [], problem: '', hint: '' },
};

const LOOKED = { lines: 201, isWhole: true, stop: null, refused: 0, cellsRefused: 0, why: [] };

function settingsOf(sources: string) {
  const parsed = parseSettings(`version: 1\ntool: { name: x, time_zone: UTC }\nsources: ${sources}`, '/lab/e.yaml');
  if (!parsed.isValid) throw new Error(JSON.stringify(parsed.faults));
  return parsed.settings;
}

function logSource(path: string): LogSourceSettings {
  const [source] = settingsOf(`[{ id: a, kind: log, path: '${path}', match: '*.csv', backfill: all }]`).sources;
  if (source?.kind !== 'log') throw new Error('no log source');
  return source;
}

const levels = (findings: readonly Finding[]) => findings.map(({ level }) => level);

describe('the clock', () => {
  test.each([0, Date.UTC(2006, 0, 1), Date.UTC(2024, 11, 31), Date.UTC(2100, 0, 1), Number.NaN])(
    'cannot show %d',
    (nowMs) => {
      expect(levels(checkClock(nowMs, 'UTC', 'UTC'))).toEqual(['error']);
    },
  );

  test.each([Date.UTC(2025, 6, 1), Date.UTC(2026, 0, 1), Date.UTC(2076, 0, 1), Date.UTC(2080, 0, 1)])(
    'is judged at %d as the agent judges it before it sends',
    (nowMs) => {
      const clock: Clock = { nowMs: () => nowMs, monotonicMs: () => 0, sleep: () => Promise.resolve() };
      const { isPlausible } = new ClockWatch(clock, () => {});
      expect(levels(checkClock(nowMs, 'UTC', 'UTC'))).toEqual([isPlausible ? 'ok' : 'error']);
    },
  );

  test('may show this year', () => {
    expect(checkClock(NOW, 'UTC', 'UTC')).toMatchObject([
      { level: 'ok', message: expect.stringContaining('2026-11-20T12:00') },
    ]);
  });

  test('of the tool in a zone of another hour is pointed out, and in one of the same hour not', () => {
    expect(checkClock(NOW, 'Asia/Kolkata', 'UTC')[1]?.message).toContain('5.5 h ahead of');
    expect(checkClock(NOW, 'America/New_York', 'Europe/Berlin')[1]?.message).toContain('6 h behind');
    expect(checkClock(NOW, 'Europe/Paris', 'Europe/Berlin')).toHaveLength(1);
  });
});

describe('a log source', () => {
  test('whose folder is not there, is a file, or may not be read is an error that says which', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'file'), '');
    const look = async () => expect.fail('looked into a folder that cannot be read');
    expect(await checkLogSource(logSource(join(folder, 'none')), look)).toMatchObject([
      { level: 'error', subject: 'source a', message: expect.stringContaining('is not there') },
    ]);
    expect((await checkLogSource(logSource(join(folder, 'file')), look))[0]?.message).toContain('is not a folder');
  });

  test('say how far they were looked at, and where reading stops', async () => {
    const folder = tempFolder();
    const looked = { ...LOOKED, isWhole: false, stop: { line: 202, text: '5,6,7' } };
    const findings = await checkLogSource(logSource(folder), async () => ({ ...LOOK, looked }));
    expect(levels(findings)).toEqual(['ok', 'warning']);
    expect(findings[0]?.message).toContain('as far as line 201');
    expect(findings[1]?.message).toContain('stops at line 202, "5,6,7"');
  });

  test('say what would be refused, each kind with an example, and warn where nothing would be streamed', async () => {
    const source = logSource(tempFolder());
    const why = [{ reason: 'not a number', text: '12h' }];
    const looked = { ...LOOKED, refused: 1, cellsRefused: 2, why };
    const refused = await checkLogSource(source, async () => ({ ...LOOK, looked }));
    expect(refused[1]).toMatchObject({
      level: 'warning',
      message: '1 of 201 lines and 2 cells of b.csv would be refused, with their text: "12h" not a number.',
    });
    const [empty] = await checkLogSource(source, async () => ({ ...LOOK, channels: [] }));
    expect(empty).toMatchObject({
      level: 'warning',
      message: expect.stringContaining('Nothing of it would be streamed.'),
    });
  });

  test('whose folder is closed to this user is an error', async () => {
    const folder = tempFolder();
    chmodSync(folder, 0o000);
    onTestFinished(() => chmodSync(folder, 0o700));
    // To the superuser no folder is closed: be nobody for a moment.
    if (process.geteuid?.() === 0) {
      process.seteuid?.(65_534);
      onTestFinished(() => process.seteuid?.(0));
    }
    const [finding] = await checkLogSource(logSource(folder), async () => LOOK);
    expect(finding?.message).toContain('may not be read');
  });

  test('is looked into as the settings say', async () => {
    const asked: unknown[] = [];
    const folder = tempFolder();
    const findings = await checkLogSource(logSource(folder), async (options) => {
      asked.push(options);
      return LOOK;
    });
    expect(asked).toEqual([{ folder, match: '*.csv', timeZone: 'UTC', timeFormat: '', dialect: 'auto' }]);
    const message = `3 files match in ${folder}; b.csv gives 2 channels: T, p.`;
    expect(findings).toEqual([{ level: 'ok', subject: 'source a', message, hint: '' }]);
  });

  test('without a file is a warning, with one that cannot be read an error, with text columns a warning', async () => {
    const source = logSource(tempFolder());
    const check = async (look: Partial<FolderLook>) => checkLogSource(source, async () => ({ ...LOOK, ...look }));
    expect(levels(await check({ files: 0, file: null }))).toEqual(['warning']);
    const unread = await check({ files: 1, problem: 'No time column.', hint: 'Name it.' });
    expect(unread).toMatchObject([
      { level: 'error', message: expect.stringContaining('No time column.'), hint: 'Name it.' },
    ]);
    const wide = await check({ channels: Array.from({ length: 1200 }, (_, index) => `c${index}`) });
    expect(wide[0]?.message).toContain('gives 1,200 channels: c0, c1, ');
    expect(wide[0]?.message).toMatch(/c9 and 1,190 more\.$/);
    const text = await check({ leftOut: Array.from({ length: 12 }, (_, index) => `c${index}`) });
    expect(levels(text)).toEqual(['ok', 'warning']);
    expect(text[1]?.message).toContain('c9 and 2 more');
  });

  test('that does not say what becomes of old files is asked, with their number and span', async () => {
    const source: LogSourceSettings = { ...logSource(tempFolder()), backfill: 'ask' };
    const many = { ...LOOK, files: 100_000 };
    const findings = await checkLogSource(source, async () => many);
    expect(levels(findings)).toEqual(['ok', 'warning']);
    expect(findings[1]?.message).toBe(
      'backfill is not set: the 100,000 files that are there already (last changed from 2019-03-01 to 2026-11-19, 12.3 kB) would not be read at the first start, only what comes from then on.',
    );
    const broken = await checkLogSource(source, async () => ({ ...many, problem: 'No time column.' }));
    expect(levels(broken)).toEqual(['error', 'warning']);
  });
});

describe('the data folder', () => {
  test('that is there is tried, and nothing stays behind', async () => {
    const folder = tempFolder();
    expect(levels(await checkDataFolder(folder))).not.toContain('error');
    expect(readdirSync(folder)).toEqual([]);
  });

  test('that is not there is not made', async () => {
    const folder = tempFolder();
    expect(levels(await checkDataFolder(join(folder, 'a', 'b')))).not.toContain('error');
    expect(readdirSync(folder)).toEqual([]);
  });

  test('that is a file, or below one, cannot be used', async () => {
    const file = join(tempFolder(), 'file');
    writeFileSync(file, 'mine');
    for (const path of [file, join(file, 'sub')]) {
      expect(await checkDataFolder(path)).toMatchObject([{ level: 'error', hint: expect.stringContaining('--data') }]);
    }
  });

  test('that is synchronized with others is refused', async () => {
    const folder = join(tempFolder(), 'OneDrive - Lab');
    mkdirSync(folder);
    expect(levels(await checkDataFolder(join(folder, 'data')))).toEqual(['error']);
  });

  test('in which an agent runs is well, and says so', async () => {
    const open = await openDataFolder(tempFolder(), NOW);
    onTestFinished(() => open.close());
    const findings = await checkDataFolder(open.path);
    expect(findings.at(-1)).toMatchObject({
      level: 'ok',
      message: expect.stringContaining(`process ${process.pid}, since 2026`),
    });
  });

  test('on a disk that is nearly full is a warning, on a full one an error', () => {
    const judge = (bytes: number) => judgeFreeBytes(bytes, '/x').level;
    expect([0, 10e6, 500e6, 5e9, 5e12].map(judge)).toEqual(['error', 'error', 'warning', 'ok', 'ok']);
  });
});

describe("the file of a lab's own certificate authority", () => {
  const fileWith = (text: string) => {
    const file = join(tempFolder(), 'ca.pem');
    writeFileSync(file, text);
    return file;
  };
  const certificate = String(rootCertificates[0]);

  test('is not asked for where none is set', async () => {
    expect(await checkAuthorityFile(null, NOW)).toEqual([]);
  });

  test('is read, and its certificates counted', async () => {
    const [finding] = await checkAuthorityFile(fileWith(`# ours\n${certificate}\n${certificate}\n`), NOW);
    expect(finding).toMatchObject({ level: 'ok', message: expect.stringContaining('holds 2 certificates') });
  });

  test('that is missing, empty, damaged or expired is an error that says which', async () => {
    const messageOf = async (file: string, nowMs = NOW) => {
      const [finding] = await checkAuthorityFile(file, nowMs);
      expect(finding?.level).toBe('error');
      return finding?.message;
    };
    expect(await messageOf(join(tempFolder(), 'none.pem'))).toContain('ENOENT');
    expect(await messageOf(fileWith('hello'))).toContain('no certificate');
    expect(await messageOf(fileWith(certificate.replace(/M[A-Z]/g, 'AA')))).toContain('cannot be read');
    expect(await messageOf(fileWith(certificate), Date.UTC(2090, 0, 1))).toContain('expired');
  });
});

const check = (sources: string) =>
  checkSettings(settingsOf(sources), {
    ...{ dataFolder: tempFolder(), nowMs: NOW, look: async () => LOOK, lookAtCounter: async () => [] },
    lookAtLine: async () => ({ level: 'ok', message: 'It answers.', hint: '' }),
  });

test('everything is checked, source after source, in the order of the file', async () => {
  const log = `{ id: a, kind: log, path: '${tempFolder()}', backfill: all }`;
  const findings = await check(`[${log}, { id: b, kind: simulator }]`);
  expect(findings.map(({ subject }) => subject)).toEqual(['clock', 'data folder', 'sleep', 'source a', 'source b']);
});

test('settings without a source are a warning', async () => {
  expect((await check('[]')).at(-1)).toMatchObject({ level: 'warning', subject: 'sources' });
});
