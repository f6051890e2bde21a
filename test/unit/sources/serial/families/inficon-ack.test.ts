import { expect, test } from 'vitest';
import { bindFamily, converse, wire } from '../../../../support/serial-exchange.ts';

const family = (commands = 'xtm2') => bindFamily('inficon-ack', { commands });
const ask = (answer: string) => converse(family(), 'S 1', [wire(answer)]).reply;

test('ends a question and a reply with ACK', () => {
  const { sent, reply } = converse(family(), 'S 1', [wire('hex 31 2e 33 37 20 06')]);
  expect(sent).toEqual([wire('hex 53 20 31 06')]);
  expect(reply).toMatchObject({ is: 'text', text: '1.37' });
});

test('waits for ACK or NAK, however long the text is', () => {
  expect(ask('1.37 ')).toBeNull();
  expect(ask('')).toBeNull();
});

test.each([
  ['A \x15', 'illegal command'],
  ['B\x15', 'illegal value'],
  ['F\x15', 'not possible now'],
  ['Z\x15', 'error Z'],
])('tells what %j refuses', (answer, reason) => {
  expect(ask(answer)).toMatchObject({ is: 'refused', reason: `it refuses S 1: ${reason}` });
});

test('joins a sign to its number', () => {
  expect(ask('-   0.02\x06')).toMatchObject({ text: '-0.02' });
  expect(ask('  1.00 -   0.5 0:00 12\x06')).toMatchObject({ text: '1.00 -0.5 0:00 12' });
});

test('does not believe text with other bytes in it', () => {
  expect(ask('1.\x8537 \x06')).toMatchObject({ is: 'malformed' });
  expect(ask('1.37\x00 \x06')).toMatchObject({ is: 'malformed' });
});

test('ends a command that was cut with a lone ACK', () => {
  expect(family().neutral).toEqual(wire('\x06'));
});

test('asks an IC/5 by layer', () => {
  expect(converse(family('ic5'), 'SL 1 2', [wire('   2.313 \x06')])).toMatchObject({
    sent: [wire('SL 1 2\x06')],
    reply: { text: '2.313' },
  });
});
