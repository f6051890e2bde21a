import { resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeInvalidError } from '../../../src-main/settings/fault.ts';
import { parseSettings } from '../../../src-main/settings/parse-settings.ts';
import { walks } from '../../support/run/effort.ts';

const HEAD = 'version: 1\ntool: { name: MBE-1, time_zone: Europe/Berlin }\n';

function settingsOf(text: string) {
  const parsed = parseSettings(text, '/lab/epistream.yaml');
  if (!parsed.isValid) throw makeInvalidError('/lab/epistream.yaml', parsed.faults);
  return parsed.settings;
}

/** Every fault as the message shows it. */
function faultsOf(text: string): string[] {
  const parsed = parseSettings(text, '/lab/epistream.yaml');
  if (parsed.isValid) return [];
  return parsed.faults.map(({ line, column, path, message, hint }) => `${line}:${column} ${path}: ${message}. ${hint}`);
}

/** The only fault of a text. */
function faultOf(text: string): string {
  const faults = faultsOf(text);
  expect(faults).toHaveLength(1);
  return String(faults[0]);
}

test('fills every default of the shortest file', () => {
  expect(settingsOf(HEAD)).toEqual({
    version: 1,
    service: {
      url: 'embedded',
      caFile: null,
      proxy: 'system',
      resend: 'repeat',
      uploadWindow: 8,
      finalize: { toolState: null, rheed: null },
      paths: { ingestChunk: [], readTimeSeries: [] },
    },
    tool: { name: 'MBE-1', synthSourceId: null, timeZone: 'Europe/Berlin' },
    streamDefaults: { pointsPerChunk: 'auto', rollover: 'daily', closeAfterQuietMs: 900_000 },
    growth: { runFiles: null, after: [] },
    updates: { url: null, when: 'off' },
    keepAwake: true,
    alarm: { webhook: null, mail: null },
    limits: [],
    sources: [],
  });
});

test('reads every key of a full file', () => {
  const settings = settingsOf(`
version: 1
service:
  url: https://api.example.org/base/
  ca_file: 'C:\\lab\\ca.pem'
  resend: repeat
  upload_window: 3
  finalize: { tool_state: '/tool-state/stream/{data_id}/finalize', rheed: null }
  paths: { chunk: [/tool-state/stream/chunk/multi], series: ['/b/{data_id}'] }
tool: { name: MBE-1, synth_source_id: 7, time_zone: Europe/Berlin }
stream_defaults: { points_per_chunk: 100, rollover: growth, close_after_quiet: null }
growth: { run_files: 'D:\\Runs' }
updates: { url: https://updates.example.org/epistream/, when: on-quit }
keep_awake: false
alarm:
  webhook: https://hooks.example.org/a/b/?key=c
  mail: { host: SMTP.example.org, port: 465, secure: tls, from: mbe-1@example.org, to: [a@example.org], user: mbe }
limits: [{ source: chamber-log, channel: T, hihi: 650, hi: 620, deadband: 2, on_delay: 5s, guidance: Close the shutter. }]
sources:
  - id: chamber-log
    kind: log
    path: 'C:\\MBE\\Logs'
    match: '**/*.csv'
    dialect: epic-mbe
    time_zone: Asia/Tokyo
    backfill: 2026-11-01
    columns_change: accept
    runs: apart
    points_per_chunk: auto
    rollover: daily
  - { id: try, kind: simulator, seed: 42, speed: 10, interval: 250ms, points_per_chunk: 4 }
`);
  expect(settings).toEqual({
    version: 1,
    service: {
      url: 'https://api.example.org/base',
      caFile: 'C:\\lab\\ca.pem',
      proxy: 'system',
      resend: 'repeat',
      uploadWindow: 3,
      finalize: { toolState: '/tool-state/stream/{data_id}/finalize', rheed: null },
      paths: { ingestChunk: ['/tool-state/stream/chunk/multi'], readTimeSeries: ['/b/{data_id}'] },
    },
    tool: { name: 'MBE-1', synthSourceId: 7, timeZone: 'Europe/Berlin' },
    streamDefaults: { pointsPerChunk: 100, rollover: 'growth', closeAfterQuietMs: null },
    growth: { runFiles: 'D:\\Runs', after: [] },
    updates: { url: 'https://updates.example.org/epistream', when: 'on-quit' },
    keepAwake: false,
    alarm: {
      webhook: 'https://hooks.example.org/a/b/?key=c',
      mail: {
        ...{ host: 'smtp.example.org', port: 465, secure: 'tls', from: 'mbe-1@example.org' },
        ...{ to: ['a@example.org'], user: 'mbe' },
      },
    },
    limits: [
      {
        ...{ sourceId: 'chamber-log', channel: 'T', hihi: 650, hi: 620, lo: null, lolo: null, deadband: 2 },
        ...{ onDelayMs: 5000, offDelayMs: 0, isAlways: false, guidance: 'Close the shutter.' },
      },
    ],
    sources: [
      {
        id: 'chamber-log',
        kind: 'log',
        path: 'C:\\MBE\\Logs',
        match: '**/*.csv',
        dialect: 'epic-mbe',
        timeZone: 'Asia/Tokyo',
        backfill: { fromDate: '2026-11-01' },
        runs: 'apart',
        columnsChange: 'accept',
        pointsPerChunk: 'auto',
        rollover: 'daily',
        closeAfterQuietMs: null,
      },
      {
        id: 'try',
        kind: 'simulator',
        seed: 42,
        speed: 10,
        intervalMs: 250,
        pointsPerChunk: 4,
        rollover: 'growth',
        closeAfterQuietMs: null,
      },
    ],
  });
});

test('counts relative paths from the folder of the file and keeps whole ones of either system', () => {
  const log = (id: string, path: string) => `  - { id: ${id}, kind: log, path: '${path}' }\n`;
  const { sources, service } = settingsOf(
    `${HEAD}service: { ca_file: ca.pem }\nsources:\n${log('a', 'logs')}${log('b', 'C:\\MBE')}${log('c', '/x')}`,
  );
  expect(sources.map((source) => source.kind === 'log' && source.path)).toEqual([
    resolve('/lab/logs'),
    'C:\\MBE',
    '/x',
  ]);
  expect(service.caFile).toBe(resolve('/lab/ca.pem'));
});

test('fills the defaults of an inline dialect', () => {
  const [source] = settingsOf(
    `${HEAD}sources: [{ id: a, kind: log, path: /x, dialect: { time: { column: 1, format: dd/MM/yyyy } } }]`,
  ).sources;
  expect(source).toMatchObject({ dialect: { decimal: 'auto', time: { column: 1, format: 'dd/MM/yyyy', zone: null } } });
});

test('takes the zone of this PC where the tool names none', () => {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  expect(settingsOf('version: 1\ntool: { name: x }').tool.timeZone).toBe(zone);
});

test('reads CRLF files the same, with the same lines in faults', () => {
  const text = `${HEAD}sources:\n  - id: a\n    kind: log\n    path: /x\n    backfill: never\n`;
  expect(faultsOf(text.replaceAll('\n', '\r\n'))).toEqual(faultsOf(text));
  expect(settingsOf(HEAD.replaceAll('\n', '\r\n'))).toEqual(settingsOf(HEAD));
});

describe('faults', () => {
  test('are all named, each with line, column, field and hint', () => {
    const faults = faultsOf(`version: 2
servce: {}
service:
  url: http://10.0.0.7
tool:
  name: MBE
  time_zone: Europe/Berln
stream_defaults:
  points_per_chunk: 1001
  rollover: dayly
  close_after_quiet: 15
sources:
  - id: a b
    kind: log
    path: "C:\\new"
    backfill: yesterday
  - id: b
    kind: simulator
    speed: fast
    intervall: 1s
`);
    const places = faults.map((fault) => fault.slice(0, fault.indexOf(': ')));
    expect(places.sort()).toEqual(
      [
        '1:10 version',
        '2:1 servce',
        '4:8 service.url',
        '7:14 tool.time_zone',
        '9:21 stream_defaults.points_per_chunk',
        '10:13 stream_defaults.rollover',
        '11:22 stream_defaults.close_after_quiet',
        '13:9 sources[0].id',
        '15:11 sources[0].path',
        '16:15 sources[0].backfill',
        '19:12 sources[1].speed',
        '20:5 sources[1].intervall',
      ].sort(),
    );
    for (const fault of faults) expect(fault).toMatch(/\. \S.*\S\.$|\?$/);
  });

  test('of a mail server say where its password belongs, and that it is not sent in the clear', () => {
    const mail = (more: string) => `${HEAD}alarm: { mail: { host: h, from: a@b.c, to: [d@e.f], ${more} } }`;
    const [password] = faultsOf(mail('user: mbe, password: hunter2'));
    expect(password).toMatch(/alarm\.mail\.password.*EPISTREAM_SMTP_PASSWORD/);
    expect(password).not.toContain('hunter2');
    expect(faultsOf(mail('user: mbe, secure: none'))).toEqual([expect.stringContaining('alarm.mail.secure')]);
    expect(
      faultsOf(`${HEAD}alarm: { mail: { host: 127.0.0.1, from: a@b.c, to: [d@e.f], user: m, secure: none } }`),
    ).toEqual([]);
  });

  test('of the whole file stand in one message, in the order of the lines', () => {
    const parsed = parseSettings('version: 2\nnmae: 1\ntool: { name: 5 }\n', '/lab/epistream.yaml');
    if (parsed.isValid) throw new Error('was taken');
    const error = makeInvalidError('/lab/epistream.yaml', parsed.faults);
    expect(error.code).toBe('settings.invalid');
    expect(error.message.split('\n')).toEqual([
      'epistream.yaml has 3 faults:',
      'epistream.yaml:1:10 version: 2 is not 1. Version of this file: 1.',
      expect.stringContaining('epistream.yaml:2:1 nmae: the key "nmae" is not known here. Known here: version, '),
      expect.stringContaining("epistream.yaml:3:15 tool.name: 5 is not a text. Put it in quotes: '5'."),
    ]);
    expect(error.hint).toContain('/lab/epistream.yaml');
  });

  test('of a file of another program are explained for the first keys, and the others counted', () => {
    const keys = Array.from({ length: 20_000 }, (_, n) => `key_${n}: ${n}\n`).join('');
    const faults = faultsOf(`${HEAD}${keys}`);
    expect(faults).toHaveLength(21);
    expect(faults.at(-1)).toContain(
      '19,980 further keys from here on are not known. Is this the settings file of Epistream?',
    );
  });

  test('offer the key that was meant, or its home', () => {
    expect(faultOf(`${HEAD}stream_defaults: { pointsPerChunk: 5 }`)).toContain('Did you mean points_per_chunk?');
    expect(faultOf(`${HEAD}time_zone: UTC`)).toContain('It belongs to tool.');
    expect(faultOf(`${HEAD}colour: red`)).toContain('Known here: version, service, tool');
    expect(faultOf(`${HEAD}downloads: { folders: [/lab] }`)).toContain('Remove the line. The browser saves raw files');
  });

  test('inside an inline dialect name the field', () => {
    const source = (dialect: string) =>
      faultsOf(`${HEAD}sources: [{ id: a, kind: log, path: /x, dialect: ${dialect} }]`);
    expect(source('{ time: { colum: 1 } }').join()).toMatch(
      /sources\[0\]\.dialect\.time\.colum: .*Did you mean column\?/,
    );
    expect(source('{ state_columns: [] }').join()).toContain('Move the words to states');
    expect(source('{ event_text: [Note] }').join()).toContain('List under leave_out');
    expect(source('{ preamble: -1 }').join()).toContain('sources[0].dialect.preamble: -1 is out of bounds');
    expect(source('{ decimal: dot }').join()).toContain('sources[0].dialect.decimal: "dot" is not auto or point');
    expect(source('Not A Name').join()).toContain('sources[0].dialect:');
  });

  test('say which kinds there are', () => {
    expect(faultOf(`${HEAD}sources: [{ id: a, kind: logs }]`)).toContain('Did you mean log?');
    expect(faultOf(`${HEAD}sources: [{ id: a }]`)).toContain('sources[0].kind: is missing');
  });

  test('refuse a second source on the same port and address (row 42)', () => {
    const source = (id: string, rest: string) => `{ id: ${id}, kind: serial, instrument: lakeshore-336, ${rest} }`;
    const both = (a: string, b: string) => faultsOf(`${HEAD}sources: [${source('a', a)}, ${source('b', b)}]`).join();
    expect(both('port: COM3', 'port: com3')).toContain('sources[1].port: sources[0] reads the same port');
    expect(both('port: COM3, address: 2', 'port: COM3, address: 2')).toContain('reads the same port and address');
    expect(both("port: { usb_serial: 'A5' }", "port: { usb_serial: 'A5' }")).toContain('reads the same port');
    const read = parseSettings(
      `${HEAD}sources: [${source('a', 'port: COM3, address: 1')}, ${source('b', 'port: COM3, address: 2')}]`,
      '/lab/e.yaml',
    );
    expect(read.isValid).toBe(true);
  });

  test('say how a port is written', () => {
    const port = (text: string) =>
      faultsOf(`${HEAD}sources: [{ id: a, kind: serial, instrument: lakeshore-336, port: '${text}' }]`).join();
    expect(port('tcp://10.0.0.7:4001')).toBe('');
    expect(port('/dev/ttyUSB0')).toBe('');
    expect(port('http://10.0.0.7:4001')).toContain('is not tcp://host:port');
    expect(port('tcp://10.0.0.7:99999')).toContain('is not tcp://host:port');
    expect(port('')).toContain('the port is empty');
  });

  test('name the ways of resending', () => {
    expect(faultOf(`${HEAD}service: { resend: always }`)).toContain('3:20 service.resend:');
  });

  test('say where a secret belongs and never repeat it', () => {
    const keys = ['api_key', 'API-KEY', 'apiKey', 'key', 'token', 'password', 'x-api-key', 'secret', 'access token'];
    for (const key of keys) {
      const fault = faultOf(`${HEAD}service: { '${key}': s3cret }`);
      expect(fault).toContain('EPISTREAM_API_KEY');
      expect(fault).not.toContain('s3cret');
    }
  });

  test('name the second of two sources with one name, whatever its case', () => {
    const fault = faultOf(`${HEAD}sources:\n  - { id: Log, kind: log, path: /x }\n  - { id: log, kind: simulator }`);
    expect(fault).toContain('5:11 sources[1].id: "log" is already the name of sources[0]');
  });

  test('name the second of two sources that would send the same files twice', () => {
    const both = (a: string, b: string) =>
      faultsOf(`${HEAD}sources:\n  - { id: a, kind: log, path: /x${a} }\n  - { id: b, kind: log, path: /x${b} }`);
    expect(both('', '/').join()).toContain('sources[1].path: sources[0] reads the same files');
    expect(both('', ", match: '**/*'").join()).toContain('sources[1].path');
    expect(both(', match: a/*', ', match: b/*')).toEqual([]);
  });

  test.each([
    ['service: { url: "C:\\MBE" }', 'single quotes'],
    ['service:\n\turl: x', 'never with tabs'],
    ['version: 1', 'Keep one of the two'],
    ['---\na: 1', 'Remove the line ---'],
    ['sources: [', 'quotes, colons'],
    ['x: !!python/object 1', 'Unresolved tag'],
  ])('of the YAML itself have their line: %j', (rest, hint) => {
    const [fault] = faultsOf(HEAD + rest);
    expect(fault).toMatch(/^[345]:\d+ : /);
    expect(fault).toContain(hint);
  });

  test.each(['', '# nothing\n', 'null', '[]', 'hello', '- 1\n- 2', '42'])('are found in %j', (text) => {
    expect(faultsOf(text)).toHaveLength(1);
  });
});

describe('hostile files', () => {
  test('aliases are refused before they unfold', () => {
    const level = (n: number) => `l${n}: &l${n} [${Array.from({ length: 9 }, () => `*l${n - 1}`).join(', ')}]\n`;
    const bomb = `l0: &l0 [${'x, '.repeat(8)}x]\n${[1, 2, 3, 4, 5, 6, 7, 8, 9].map(level).join('')}`;
    expect(faultsOf(bomb)[0]).toContain('alias *l0 is not possible here');
  });

  test.each(['[', '{a: ', '- '])('100,000 times %j is one fault, not a crash', (deep) => {
    expect(faultOf(deep.repeat(100_000)).length).toBeLessThan(300);
  });

  test('__proto__ is an unknown key and changes nothing', () => {
    expect(faultOf(`${HEAD}__proto__: { isAdmin: true }`)).toContain('"__proto__" is not known here');
    expect(faultOf(`${HEAD}service: { constructor: 1 }`)).toContain('"constructor" is not known here');
    expect(({} as Record<string, unknown>).isAdmin).toBeUndefined();
  });

  test('no text makes it throw, and every fault has a place', () => {
    const word = fc.constantFrom(
      ...[
        'version',
        'service',
        'tool',
        'sources',
        'id',
        'kind',
        'log',
        'path',
        'dialect',
        ': ',
        '\n',
        '\n  ',
        '- ',
        '{',
        '}',
      ],
      ...['[', ']', '"', "'", '&a', '*a', '!t', '|', '#', '1', 'null', '~', ', ', '? '],
      ...['\t', '\u0000', '\u{1f600}', '%'],
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(word, { maxLength: 30 }).map((words) => words.join('')),
        ),
        (text) => {
          const parsed = parseSettings(text, 'e.yaml');
          if (parsed.isValid) return;
          expect(parsed.faults.length).toBeGreaterThan(0);
          for (const { line, column, hint } of parsed.faults)
            expect(line >= 1 && column >= 1 && hint !== '').toBe(true);
        },
      ),
      walks(300),
    );
  });
});

test.each([
  ['system', 'system'],
  ['none', 'none'],
  ['http://proxy.lab:3128', 'http://proxy.lab:3128'],
  ['http://proxy.lab:3128/', 'http://proxy.lab:3128'],
])('takes %s as the way to the service', (written, read) => {
  const text = `version: 1\nservice: { proxy: '${written}' }\ntool: { name: M }\nsources: []\n`;
  expect(settingsOf(text).service.proxy).toBe(read);
});

test.each([
  ['https://proxy.lab:3128', 'this is no proxy'],
  ['proxy.lab:3128', 'this is no proxy'],
  ['http://lab:secret@proxy.lab:3128', 'carries a name or a password'],
  ['http://proxy.lab:3128/path', 'carries a path'],
])('refuses %s as a proxy, without repeating a password', (written, why) => {
  const fault = faultOf(`version: 1\nservice: { proxy: '${written}' }\ntool: { name: M }\nsources: []\n`);
  expect(fault).toContain(why);
  expect(fault).not.toContain('secret');
});

const NO_UPDATES = ['http://updates.example.org/', 'embedded', 'file:///mnt/updates', 'https://name:word@host/'];
test.each(NO_UPDATES)('takes no updates from %s', (url) =>
  expect(faultOf(`${HEAD}updates: { url: '${url}' }`)).toContain('updates.url'),
);
