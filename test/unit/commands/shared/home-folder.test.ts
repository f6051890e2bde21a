import { expect, test } from 'vitest';
import { settleHome } from '../../../../src-main/commands/shared/home-folder.ts';

test('a user that the system does not know gets the root folder as home', () => {
  const env = {};
  settleHome(env, () => {
    throw new Error('uv_os_homedir returned ENOENT');
  });
  expect(env).toEqual({ HOME: '/' });
});

test('a home folder that is known stays as it is, also when HOME is not set', () => {
  const env = {};
  settleHome(env, () => '/home/ada');
  expect(env).toEqual({});
});
