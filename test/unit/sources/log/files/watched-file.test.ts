import { expect, test } from 'vitest';
import { forgetLook } from '../../../../../src-main/sources/log/files/file-changes.ts';
import {
  newFile,
  positionOf,
  restoreFile,
  StoredFile,
} from '../../../../../src-main/sources/log/files/watched-file.ts';

test('what a look found is not believed after a restart either', () => {
  const file = newFile('log.csv@1', 'log.csv');
  const again = () => restoreFile(file.key, StoredFile.parse(JSON.parse(positionOf(file).value)));
  expect(again().isInDoubt).toBe(false);
  forgetLook(file);
  expect(again().isInDoubt).toBe(true);
});
