// Logs that are rotated by the programs that laboratories have: handlers of Python's `logging`, and logrotate.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { openLogSource } from '../../../src-main/sources/log/log-source.ts';
import { MemorySink, runToEnd } from '../../support/logs/log-sink.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const TOOL = join(import.meta.dirname, '../../support/logs/rotating_tool.py');
const ROWS = 600;
const WAYS: Readonly<Record<string, readonly string[]>> = {
  RotatingFileHandler: ['python-size'],
  TimedRotatingFileHandler: ['python-time'],
  'RotatingFileHandler that compresses': ['python-gzip'],
  'logrotate, create': ['logrotate', 'create'],
  'logrotate, dateext': ['logrotate', 'create', 'dateext', 'dateformat -%Y%m%d-%s'],
  'logrotate, extension': ['logrotate', 'create', 'extension .csv'],
  'logrotate, start 0': ['logrotate', 'create', 'start 0'],
  'logrotate, delaycompress': ['logrotate', 'create', 'compress', 'delaycompress'],
};

const run = promisify(execFile);

describe.each(Object.entries(WAYS))('a log that is rotated by %s', (_, [way = '', ...settings]) => {
  const isMissing = way === 'logrotate' && !existsSync('/usr/sbin/logrotate');
  test.skipIf(isMissing).each(['log.csv', '*'])('gives each row once, in order: match %s', async (match) => {
    const path = join(tempFolder(), 'logs');
    mkdirSync(path);
    const log = { id: 'log', path, match, dialect: 'auto', timeZone: 'UTC', backfill: 'all' } as const;
    const sink = new MemorySink();
    const end = new AbortController();
    const recording = openLogSource(log).run(sink, end.signal);
    // It was there before the tool: what is rotated away before the first look has no log yet that it could continue.
    await expect.poll(async () => (await sink.positions()).size).toBeGreaterThan(0);
    await run('/usr/bin/python3', [TOOL, way, join(path, 'log.csv'), String(ROWS), ...settings]);
    end.abort();
    await recording;
    await runToEnd(openLogSource({ ...log, isDrain: true }), sink);
    expect(sink.values('cell')).toEqual(Array.from({ length: ROWS }, (_, n) => n + 1));
    expect(sink.channels).toEqual(['cell']);
  });
});
