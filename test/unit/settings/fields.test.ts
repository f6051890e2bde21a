import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import {
  backfillField,
  durationField,
  isWholePath,
  lineField,
  mailAddressField,
  mailHostField,
  matchField,
  parseServiceAddress,
  pathField,
  pathTemplateField,
  servicePathField,
  timeZoneField,
  webhookField,
} from '../../../src-main/settings/fields.ts';

/** What a field makes of a text, or its refusal as one sentence with the hint. */
function take(field: z.ZodType, text: unknown): unknown {
  const result = field.safeParse(text);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  return `REFUSED ${issue?.message}. ${issue?.code === 'custom' ? issue.params?.hint : ''}`;
}

describe('where alarms go', () => {
  test.each(['https://hooks.example.org/a/b/', 'https://hooks.example.org/a?b=c&d=%20', 'http://127.0.0.1:8080/hook'])(
    'takes the webhook %s as it is written',
    (text) => {
      expect(take(webhookField(), text)).toBe(text);
    },
  );

  test.each([
    ...['embedded', 'http://hooks.example.org/a', 'ftp://hooks.example.org/a', 'https://u:p@hooks.example.org/a'],
    ...['https://hooks.example.org/a#b', 'https://hooks.example.org/a?b?c', 'https://hooks.example.org/a?b c', ''],
  ])('refuses the webhook %j', (text) => {
    expect(take(webhookField(), text)).toMatch(/^REFUSED/);
  });

  test('takes the address of a mailbox alone, and the name of a mail server alone', () => {
    expect(take(mailAddressField(), 'mbe-1+alarm@lab.example.org')).toBe('mbe-1+alarm@lab.example.org');
    for (const text of ['', 'mbe', 'A <a@b.c>', 'a@b.c, d@e.f', 'a@b.c\r\nBcc: d@e.f', 'a b@c.d', 'a@b@c'])
      expect(take(mailAddressField(), text)).toMatch(/^REFUSED/);
    expect(take(mailHostField(), 'SMTP.example.org')).toBe('smtp.example.org');
    for (const text of ['', 'smtp.example.org:25', 'smtp://host', 'a b', '-x'])
      expect(take(mailHostField(), text)).toMatch(/^REFUSED/);
  });
});

describe('address of the service', () => {
  test.each([
    ['embedded', 'embedded'],
    ['https://api.example.org', 'https://api.example.org'],
    ['https://API.example.org:8443/base/', 'https://api.example.org:8443/base'],
    ['https://host:443', 'https://host'],
    ['https://10.0.0.7/x', 'https://10.0.0.7/x'],
    ['http://127.0.0.1:4311/', 'http://127.0.0.1:4311'],
    ['http://127.8.9.10', 'http://127.8.9.10'],
    ['http://localhost:4311', 'http://localhost:4311'],
    ['http://[::1]:4311', 'http://[::1]:4311'],
  ])('takes %s', (text, url) => {
    expect(parseServiceAddress(text)).toEqual({ isValid: true, value: url });
  });

  test.each([
    'http://10.0.0.7',
    'http://lab.example.org',
    'http://127.1',
    'http://0x7f000001',
    'http://2130706433',
    'http://0177.0.0.1',
    'https://0x7f000001',
    'http://localhost.evil.com',
    'http://localhost.',
    'http://127.0.0.1.evil.com',
    'http://127.0.0.1@evil.com',
    'https://user:pw@host',
    'https://host/@x',
    'http://[::ffff:127.0.0.1]',
    'http://[0:0:0:0:0:0:0:1]',
    'http://0.0.0.0',
    'http://[::]',
    'https:\\\\host',
    'https:/host',
    'https:host',
    'https://ho\tst',
    ' https://host',
    'https://host/?api_key=1',
    'https://host/#x',
    'https://bücher.example',
    'https://аpi.example.org', // Cyrillic а
    'ftp://host',
    'file:///etc',
    'javascript:alert(1)',
    'host',
    'Embedded',
    '',
  ])('refuses %j', (text) => {
    expect(parseServiceAddress(text).isValid).toBe(false);
  });

  test('repeats no password and no key in its refusal', () => {
    for (const text of [
      'https://me:s3cret@host',
      'https://host?api_key=s3cret',
      'host?key=s3cret',
      'http://a?s3cret',
    ]) {
      expect(JSON.stringify(parseServiceAddress(text))).not.toContain('s3cret');
    }
  });
});

describe('paths', () => {
  test.each(['C:\\MBE\\Logs', 'D:/logs', '\\\\server\\share\\x', '/var/log/mbe', 'logs/mbe', '/tmp/a b/ü', 'C:\\new'])(
    'keeps %j as written',
    (text) => {
      expect(take(pathField(), text)).toBe(text);
    },
  );

  test('sees that double quotes turned a Windows path into control characters', () => {
    expect(take(pathField(), 'C:\new\test')).toContain('single quotes');
  });

  test.each(['', '  ', '~', '~/logs', 'https://host/logs', 'a\0b'])('refuses %j', (text) => {
    expect(take(pathField(), text)).toMatch(/^REFUSED/);
  });

  test('knows absolute paths of Windows and POSIX on either system', () => {
    expect(['C:\\x', '/x', '\\\\s\\x', 'C:/x'].every(isWholePath)).toBe(true);
    expect(['x', './x', '../x', 'x/y'].some(isWholePath)).toBe(false);
  });
});

describe('patterns', () => {
  test.each(['**/*.csv', '*.{csv,txt}', 'run [0-9].log', '\\[x\\]*.csv', '!**/*.bak'])('takes %s', (text) => {
    expect(take(matchField(), text)).toBe(text);
  });

  test.each(['', '/etc/*', 'C:/x/*', '../*.csv', 'a/../../b', '**\\*.csv', 'a\\'])('refuses %j', (text) => {
    expect(take(matchField(), text)).toMatch(/^REFUSED/);
  });
});

describe('time zones', () => {
  test.each(['Europe/Berlin', 'UTC', 'America/Argentina/Buenos_Aires', 'Etc/GMT-1'])('takes %s', (text) => {
    expect(take(timeZoneField(), text)).toBe(text);
  });

  test('refuses an offset, since it knows no summer time', () => {
    expect(take(timeZoneField(), '+01:00')).toContain('summer time');
  });

  test('offers the zone that was probably meant', () => {
    expect(take(timeZoneField(), 'Europe/Berln')).toContain('Did you mean Europe/Berlin?');
  });

  test.each(['', 'Berlin', 'Mars/Olympus', 'constructor'])('refuses %j', (text) => {
    expect(take(timeZoneField(), text)).toMatch(/^REFUSED/);
  });
});

describe('start of a backfill', () => {
  test('takes the two words and a day', () => {
    expect(['from-now', 'all', '2026-11-01'].map((text) => take(backfillField(), text))).toEqual([
      'from-now',
      'all',
      { fromDate: '2026-11-01' },
    ]);
  });

  test.each(['2026-02-29', '2026-13-01', '01.11.2026', '2026-11-01T00:00', 'yesterday', ''])('refuses %j', (text) => {
    expect(take(backfillField(), text)).toMatch(/^REFUSED/);
  });
});

test('a duration out of bounds says which are possible', () => {
  const field = durationField(10, 3_600_000, 'a duration from 10ms to 1h');
  expect(take(field, '1h')).toBe(3_600_000);
  expect(take(field, '9ms')).toContain('from 10ms to 1h');
  expect(take(field, 15)).toContain('15 has no unit');
});

test.each(['/x/{data_id}/finalize', '/rheed/stream/{data_id}/end/'])('takes the path template %s', (text) => {
  expect(take(pathTemplateField(), text)).toBe(text);
});

test.each([
  '/x',
  'x/{data_id}',
  '/{data_id}/{data_id}',
  '/../{data_id}',
  '//evil/{data_id}',
  '/{data_id}?x',
  '/a b/{data_id}',
])('refuses the path template %s', (text) => {
  expect(take(pathTemplateField(), text)).toMatch(/^REFUSED/);
});

test('takes a path of the service, and refuses what would lead elsewhere', () => {
  for (const text of ['/tool-state/stream/chunk/multi', '/x/']) expect(take(servicePathField(), text)).toBe(text);
  for (const text of ['', '/', 'x', '//evil/x', '/a/../b', '/x?y', '/x/{data_id}', 'https://evil/x']) {
    expect(take(servicePathField(), text)).toMatch(/^REFUSED/);
  }
});

test('a name is one line of text', () => {
  expect(take(lineField(10), 'MBE "1" ü')).toBe('MBE "1" ü');
  for (const text of ['', ' ', 'a\nb', '12345678901', '\u001b[31m'])
    expect(take(lineField(10), text)).toMatch(/^REFUSED/);
});
