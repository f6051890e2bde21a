import { describe, expect, it } from 'vitest';
import { checkBaseUrl } from '../../../../src-main/delivery/client/base-url.ts';
import { createServiceClient } from '../../../../src-main/delivery/client/client.ts';

describe('checkBaseUrl', () => {
  it.each([
    ['https://api.example.com', 'https://api.example.com'],
    ['https://api.example.com/', 'https://api.example.com'],
    [' https://lab.example:8443/data/v2/ ', 'https://lab.example:8443/data/v2'],
    ['https://192.168.1.7', 'https://192.168.1.7'],
    ['http://127.0.0.1:4301', 'http://127.0.0.1:4301'],
    ['http://localhost:4301', 'http://localhost:4301'],
    ['http://[::1]:4301/', 'http://[::1]:4301'],
    // Other spellings of this PC are this PC once parsed.
    ['http://127.1:80', 'http://127.0.0.1'],
    ['http://0x7f000001', 'http://127.0.0.1'],
  ])('takes %s', (text, url) => {
    expect(checkBaseUrl(text)).toEqual({ isValid: true, url });
  });

  it.each([
    'http://api.example.com',
    'http://localhost.evil.example',
    'http://127.0.0.1.evil.example',
    'http://127.0.0.1@evil.example',
    'https://127.0.0.1@evil.example',
    'https://user:secret@api.example.com',
    'https://@api.example.com',
    'http://[::ffff:127.0.0.1]',
    'http://0.0.0.0',
    'http://0x7f.1.evil.example',
    'http://192.168.1.7',
    'http://１２８.0.0.1',
    'https://api.example.com?key=1',
    'https://api.example.com/#x',
    'https://api.example.com?',
    'ftp://api.example.com',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'api.example.com',
    'https://',
    '',
  ])('refuses %s and says what to do', (text) => {
    const checked = checkBaseUrl(text);
    expect(checked.isValid).toBe(false);
    expect(checked).toMatchObject({ message: expect.stringMatching(/./), hint: expect.stringMatching(/./) });
    expect(() => createServiceClient({ baseUrl: text, apiKey: () => 'k' })).toThrowError(
      expect.objectContaining({ code: 'service.address-refused' }),
    );
  });
});
