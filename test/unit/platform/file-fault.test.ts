// One table of what the system's refusals mean: a lost share is the same to every part that meets it.
import { constants } from 'node:os';
import { expect, test } from 'vitest';
import { fileFaultOf } from '../../../src-main/platform/file-fault.ts';
import { storeError } from '../../../src-main/queue/store/database/store-error.ts';

const thrown = (code: string) => Object.assign(new Error(code), { code });

test.each([
  ['gone', 'store.cannot-open', ['ENOENT', 'ENOTDIR', 'ELOOP']],
  ['closed', 'store.cannot-open', ['EACCES', 'EPERM', 'EROFS']],
  ['held', 'store.cannot-open', ['EBUSY']],
  ['unreachable', 'store.disk-fault', ['EIO', 'ESTALE', 'ENOTCONN', 'EHOSTDOWN', 'ETIMEDOUT', 'ENXIO', 'UNKNOWN']],
  ['full', 'store.disk-full', ['ENOSPC', 'EDQUOT']],
  ['too-many-open', 'store.cannot-open', ['EMFILE', 'ENFILE']],
] as const)('%s, told by the store as %s', (fault, storeCode, codes) => {
  for (const code of codes) {
    expect([fileFaultOf(thrown(code)), storeError(thrown(code), 'q').code]).toEqual([fault, storeCode]);
  }
});

test.runIf(process.platform === 'linux')('recognizes an error that Node has no name for by its number', () => {
  const unnamed = (number: number) => Object.assign(thrown(`Unknown system error -${number}`), { errno: -number });
  const { EINVAL, EDQUOT, ESTALE } = constants.errno;
  expect([ESTALE, EDQUOT, EINVAL].map((number) => fileFaultOf(unnamed(number)))).toEqual(['unreachable', 'full', null]);
});

test.each([[thrown('EINVAL')], [new Error('x')], [null], [undefined], ['ENOENT']])('%s is none', (other) => {
  expect(fileFaultOf(other)).toBeNull();
});
