// A look at a source before it is run says what is there, and never that the right thing is when it is not.
import { expect, test } from 'vitest';
import type { OptionValue } from '../../../../../src-main/model/instrument.ts';
import { tryLine } from '../../../../../src-main/sources/serial/probe/try-line.ts';
import { VirtualClock } from '../../../../simulation/virtual-clock.ts';
import { PLAYED_PORT, PlayedPort } from '../../../../support/serial/played-port.ts';
import { dialog } from '../../../../support/serial/serial-samples.ts';

async function look(instrument: string, question: string, answer: string, options: Record<string, OptionValue> = {}) {
  const clock = new VirtualClock();
  const { transport } = new PlayedPort([dialog(question, answer)], clock);
  const source = { port: PLAYED_PORT, instrument, options, line: {}, address: null };
  return clock.passWhile(
    tryLine(source, clock, () => transport),
    60_000,
  );
}

test('the right instrument answers', async () => {
  const found = await look('lakeshore-336', '*IDN?\r\n', 'LSCI,MODEL336,LSA12AB,2.9\r\n');
  expect(found).toMatchObject({ level: 'ok', message: expect.stringContaining('Lake Shore 336') });
});

test('another instrument in its place is named', async () => {
  const found = await look('lakeshore-336', '*IDN?\r\n', 'LSCI,MODEL340,340123,061407\r\n');
  expect(found).toMatchObject({ level: 'warning', message: expect.stringContaining('MODEL340') });
});

test('a refusal is no answer of the right instrument', async () => {
  const found = await look('eurotherm-bisynch', '\x040011PV\x05', '\x04');
  expect(found).toMatchObject({ level: 'warning', message: expect.stringContaining('it has no parameter PV') });
});

test('what came and is no reply is shown, with the way to find out', async () => {
  const found = await look('mks-937b', '@253SN?;FF', '\x80garbage');
  expect(found).toMatchObject({ level: 'warning', message: expect.stringContaining('<80>garbage') });
  expect(found.hint).toContain('`probe /dev/tty');
});
