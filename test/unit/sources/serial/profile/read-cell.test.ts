// A reply with text around its number: what a profile must catch, and what it is told when it does not.
import { expect, test } from 'vitest';
import { type ChannelRule, Instrument } from '../../../../../src-main/model/instrument.ts';
import { readCell } from '../../../../../src-main/sources/serial/profile/read-cell.ts';
import { type Fields, makeCutter } from '../../../../../src-main/sources/serial/profile/reply-fields.ts';

/** Read a reply as a profile with this way to cut it would. */
function read(reply: object, field: string | number | null, text: string) {
  const channels = [{ name: 'pressure', field, states: { 'ERR SENSOR': 'no sensor' } }];
  const { questions } = Instrument.parse({
    ...{ name: 'gauge', title: 'Gauge', family: 'line-ascii' },
    questions: [{ id: 'pressure', ask: 'PR?', reply, channels }],
  });
  const [question] = questions;
  const fields = makeCutter('gauge', (question as (typeof questions)[number]).reply).cut(text) as Fields;
  return readCell(question?.channels[0] as ChannelRule, fields, null, '');
}

test('one group that catches value and error text gives both', () => {
  const reply = { pattern: String.raw`(?:P=)?(?P<value>\d\.\d{2}E[+-]\d{1,2}|ERR SENSOR)(?: mbar)?` };
  expect(read(reply, null, 'P=1.53E-06 mbar')).toMatchObject({ kind: 'value', value: 1.53e-6 });
  expect(read(reply, null, 'ERR SENSOR')).toMatchObject({ kind: 'state', reason: 'no sensor' });
});

test('a pattern that leaves the field out is named with the field, and fields that are too few are not blamed on it', () => {
  const reply = { pattern: String.raw`P=(?P<value>\d\.\d{2}E[+-]\d{1,2}) mbar|ERR SENSOR` };
  const leftOut = (name: string) => ({
    ...{ kind: 'state', text: 'ERR SENSOR', reason: `the reply has no field ${name}: its pattern left it out` },
  });
  expect(read(reply, null, 'ERR SENSOR')).toEqual(leftOut('value'));
  expect(read(reply, 1, 'ERR SENSOR')).toEqual(leftOut('1'));
  expect(read({ split: ',' }, 2, '0')).toEqual({ kind: 'state', text: '0', reason: 'the reply has no field 2' });
});
