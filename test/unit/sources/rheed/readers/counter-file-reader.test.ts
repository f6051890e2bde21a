// A counter file that its writer empties and fills again: what each look meets is played here, one content after the other.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CounterFileReader } from '../../../../../src-main/sources/rheed/readers/counter-file-reader.ts';
import { readCounterText } from '../../../../../src-main/sources/rheed/readers/counter-text.ts';
import { tempFolder } from '../../../../support/temp-folder.ts';

/**
 * @param contents - what stands in the file at each reading of it, the last for ever.
 */
function play(contents: readonly string[]) {
  const path = join(tempFolder('counter-file'), 'c.txt');
  const text = readCounterText({ pattern: null, field: null });
  let reads = 0;
  const put = () => writeFileSync(path, contents[Math.min(reads, contents.length - 1)] as string);
  put();
  const next = (content: string) => {
    const words = text.read(content);
    reads += 1;
    put();
    return words;
  };
  const reader = new CounterFileReader({ path, text: { read: next }, monotonicMs: () => 0, state: { number: 346 } });
  return async () => (await reader.look(Date.now())).map(({ number }) => number);
}

test('ignores half numbers, also two in a row', async () => {
  expect(await play(['3', '4', '351', '352'])()).toEqual([352]);
  expect(await play(['3', '', '351'])()).toEqual([]);
});

test('accepts a counter that restarts', async () => {
  expect(await play(['0', '1', '1', '2'])()).toEqual([2]);
});

test('reads each value of a running counter once', async () => {
  expect(await play(['347', '3'])()).toEqual([347]);
});
