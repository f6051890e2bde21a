import { expect, test } from 'vitest';
import { gammaChecksum } from '../../../../../../src-main/sources/serial/families/text/gamma-vacuum.ts';
import { bindFamily, converse, wire } from '../../../../../support/serial/serial-exchange.ts';

const family = (address = 1) => bindFamily('gamma-vacuum', {}, address);
const pressure = { command: '0B', supply: '01' };
const reply = (text: string) => wire(`${text}${gammaChecksum(text)}\r`);

test.each([
  [{ command: '01' }, '~ 01 01 22\r', '01 OK 00 DIGITEL SPCe 48\r', 'DIGITEL SPCe'],
  [{ command: '0A', supply: '01' }, '~ 01 0A 01 B3\r', '01 OK 00 1.33E-11 AMPS C5\r', '1.33E-11 AMPS'],
  [pressure, '~ 01 0B 01 B4\r', '01 OK 00 1.0E-11 TORR A5\r', '1.0E-11 TORR'],
])('speaks the examples of the manuals: %j', (ask, question, answer, text) => {
  const { sent, reply: told } = converse(family(), ask, [wire(answer)]);
  expect(sent).toEqual([wire(question)]);
  expect(told).toMatchObject({ kind: 'text', text });
});

test('writes its address in hexadecimal digits', () => {
  expect(converse(family(26), { command: '01' }, []).sent).toEqual([wire(`~ 1A 01 ${gammaChecksum(' 1A 01 ')}\r`)]);
});

test('tells a refusal, and passes over other units and its own question', () => {
  expect(converse(family(), pressure, [reply('01 ER 08 ')]).reply).toMatchObject({
    kind: 'refused',
    reason: 'it has no such supply',
  });
  const all = Buffer.concat([
    wire('~ 01 0B 01 B4\r'),
    reply('02 OK 00 3.0E-09 TORR '),
    reply('01 OK 00 1.0E-11 TORR '),
  ]);
  expect(converse(family(), pressure, [all]).reply).toMatchObject({ text: '1.0E-11 TORR' });
});

test('refuses a wrong checksum and what is no reply', () => {
  expect(converse(family(), pressure, [wire('01 OK 00 1.0E-11 TORR A6\r')]).reply).toMatchObject({ kind: 'malformed' });
  expect(converse(family(), pressure, [wire('1.0E-11 TORR\r')]).reply).toMatchObject({ kind: 'malformed' });
});
