import { expect, test } from 'vitest';
import { bindFamily, converse, wire } from '../../../../../support/serial/serial-exchange.ts';

const family = (protocol = {}) => bindFamily('ack-enq', protocol);
const ACK = wire('\x06\r\n');
const DATA = wire('0,7.7700E-05\r\n');

test('asks with the mnemonic and a bare enquiry', () => {
  const { sent, reply } = converse(family(), 'PR1', [ACK, DATA]);
  expect(sent).toEqual([wire('hex 50 52 31 0d 0a'), wire('hex 05')]);
  expect(reply).toMatchObject({ kind: 'text', text: '0,7.7700E-05' });
});

test('asks in lines where that is set', () => {
  const { sent } = converse(family({ send_end: 'cr', enquiry: 'line' }), 'PRX', [ACK, DATA]);
  expect(sent).toEqual([wire('PRX\r'), wire('\x05\r\n')]);
});

test.each([
  ['a whole reading', '0,1.0000E-09,0,9.9900E+02\r\n\x06\r\n'],
  ['several readings', '0,1.0000E-09\r\n0,1.1000E-09\r\n\x06\r\n'],
  ['a reading that our question interrupted', '0,1.00\x06\r\n'],
])('passes over what it sends after power-up: %s', (_, before) => {
  expect(converse(family(), 'PR1', [wire(before), DATA]).reply).toMatchObject({ kind: 'text', text: '0,7.7700E-05' });
});

test('never takes a reading that comes before the acknowledgement', () => {
  const { sent, reply } = converse(family(), 'PR1', [wire('0,1.0000E-09\r\n')]);
  expect(sent).toHaveLength(1);
  expect(reply).toBeNull();
});

test.each([
  ['0001', 'it refuses PR1: a mnemonic that it does not know'],
  ['0100', 'it refuses PR1: hardware that is not there'],
  ['0001,0000', 'it refuses PR1: error 0001,0000'],
])('tells the error word %s', (word, reason) => {
  expect(converse(family(), 'PR1', [wire('\x15\r\n'), wire(`${word}\r\n`)]).reply).toMatchObject({
    kind: 'refused',
    reason,
  });
});

test.each(['\x06\r\n', '\x15\r\n'])('is out of step when %j comes in the place of data', (line) => {
  expect(converse(family(), 'PR1', [ACK, wire(line)]).reply).toMatchObject({ kind: 'malformed' });
});

test('waits while the line end is missing', () => {
  expect(converse(family(), 'PR1', [ACK, wire('0,7.7700E-05')]).reply).toBeNull();
  expect(converse(family(), 'PR1', [wire('\x06'), DATA]).reply).toBeNull();
});

test('skips an empty line in place of data', () => {
  expect(converse(family(), 'PR1', [ACK, wire('\r\n')]).reply).toBeNull();
});

test.each([
  ['CR', '\x06\r', '0,1.2345E-05\r'],
  ['LF', '\x06\n', '0,1.2345E-05\n'],
])('reads a simulator whose lines end with %s alone', (_, sign, data) => {
  expect(converse(family(), 'PR1', [wire(sign), wire(data)]).reply).toMatchObject({
    kind: 'text',
    text: '0,1.2345E-05',
  });
});
