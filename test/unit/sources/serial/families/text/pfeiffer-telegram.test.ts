import { expect, test } from 'vitest';
import { pfeifferChecksum } from '../../../../../../src-main/sources/serial/families/text/pfeiffer-telegram.ts';
import { bindFamily, converse, wire } from '../../../../../support/serial/serial-exchange.ts';

const family = (address = 1) => bindFamily('pfeiffer-telegram', {}, address);
const speed = { parameter: 309, as: 'u_integer' };
const reply = (text: string) => wire(`${text}${pfeifferChecksum(text)}\r`);
const read = (as: string, data: string) => {
  const length = String(data.length).padStart(2, '0');
  return converse(family(), { parameter: 309, as }, [reply(`00110309${length}${data}`)]).reply;
};

test('asks as the TC 400 manual does, and reads its example', () => {
  const { sent, reply: told } = converse(family(123), speed, [wire('1231030906000633037\r')]);
  expect(sent).toEqual([wire('1230030902=?112\r')]);
  expect(told).toMatchObject({ kind: 'fields', fields: { value: 633 } });
});

test.each([
  ['u_expo_new', '100023', 1000],
  ['u_expo_new', '423415', 4.234e-5],
  ['u_expo_new', '123423', 1234],
  ['u_real', '001571', 15.71],
  ['u_integer', '000000', 0],
  ['u_short_int', '017', 17],
  ['boolean_old', '111111', 1],
  ['boolean_new', '0', 0],
])('reads %s %s', (as, data, value) => {
  expect(read(as, data)).toMatchObject({ kind: 'fields', fields: { value } });
});

test.each([
  ['boolean_old', '110111'],
  ['u_integer', '633'],
  ['u_expo_new', '1.0E03'],
])('takes no %s from %s', (as, data) => {
  expect(read(as, data)).toMatchObject({ kind: 'malformed' });
});

test('tells a refusal, and passes over other units, other parameters and its own question', () => {
  expect(read('u_integer', 'NO_DEF')).toMatchObject({ kind: 'refused', reason: 'it has no such parameter' });
  const foreign = [reply('0021030906000001'), reply('0011031006000002'), wire('0010030902=?107\r')];
  const all = Buffer.concat([...foreign, reply('0011030906000633')]);
  expect(converse(family(), speed, [all]).reply).toMatchObject({ fields: { value: 633 } });
});

test('refuses a wrong checksum and a length that is not that of the data', () => {
  expect(converse(family(), speed, [wire('0011030906000633033\r')]).reply).toMatchObject({ reason: 'wrong checksum' });
  expect(converse(family(), speed, [reply('0011030907000633')]).reply).toMatchObject({ kind: 'malformed' });
});

test('ends what was left in the input of a unit before it is asked again', () => {
  expect(family().neutral).toEqual(wire('\r'));
  expect(family().mayWrite(wire('\r'))).toBe(true);
});
