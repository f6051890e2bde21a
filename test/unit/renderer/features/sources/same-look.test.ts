import { expect, test } from 'vitest';
import { forLook, isSameLook } from '../../../../../src-renderer/features/sources/same-look.ts';

const entry = { id: 'gauge', kind: 'serial', port: 'COM3' } as const;

test('a look holds for the same entry under another name, and for no other', () => {
  expect(isSameLook(forLook({ ...entry, id: '' }), entry)).toBe(true);
  expect(isSameLook({ ...entry, port: 'COM4' }, entry)).toBe(false);
  expect(isSameLook(undefined, entry)).toBe(false);
});

test('an entry without a name gets one to be looked at, another keeps its own', () => {
  expect(forLook({ ...entry, id: '' }).id).not.toBe('');
  expect(forLook(entry)).toEqual(entry);
});
