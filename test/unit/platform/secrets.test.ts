import { expect, test } from 'vitest';
import {
  environmentKeyStore,
  parseKey,
  sessionKeyStore,
  takeMailPassword,
} from '../../../src-main/platform/secrets.ts';

test('takes the key from the environment and leaves it to no other program', () => {
  const environment = { EPISTREAM_API_KEY: ' abc-123\n', PATH: '/bin' };
  expect(environmentKeyStore(environment).read()).toBe('abc-123');
  expect(environment).toEqual({ PATH: '/bin' });
});

test('takes the password of the mail server as it stands and leaves it to no other program', () => {
  const environment = { EPISTREAM_SMTP_PASSWORD: ' a b ', PATH: '/bin' };
  expect(takeMailPassword(environment)).toBe(' a b ');
  expect(environment).toEqual({ PATH: '/bin' });
  expect(takeMailPassword({ EPISTREAM_SMTP_PASSWORD: '' })).toBeNull();
});

test('knows no key where none is given', () => {
  expect(environmentKeyStore({}).read()).toBeNull();
  expect(environmentKeyStore({ EPISTREAM_API_KEY: '' }).read()).toBeNull();
});

test('a key typed in takes the place of the former one', async () => {
  const store = sessionKeyStore('old');
  await store.keep('new ');
  expect(store.read()).toBe('new');
});

test.each(['', ' ', 'a b', 'a\r\nx-evil: 1', 'schlüssel', 'x'.repeat(1001), '\u200babc'])(
  'refuses %j and does not repeat it',
  async (text) => {
    const error = await sessionKeyStore()
      .keep(text)
      .then(
        () => expect.fail('was kept'),
        (thrown) => thrown,
      );
    expect(error.code).toBe('key.malformed');
    if (text.trim() !== '') expect(error.message + error.hint).not.toContain(text);
    expect(() => parseKey(text)).toThrow();
  },
);
