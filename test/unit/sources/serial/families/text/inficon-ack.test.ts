import { expect, test } from 'vitest';
import { bindFamily, converse, wire } from '../../../../../support/serial/serial-exchange.ts';

const family = (commands = 'xtm2') => bindFamily('inficon-ack', { commands });
const ask = (answer: string) => converse(family(), 'S 1', [wire(answer)]).reply;

test('ends a question and a reply with ACK', () => {
  const { sent, reply } = converse(family(), 'S 1', [wire('hex 31 2e 33 37 20 06')]);
  expect(sent).toEqual([wire('hex 53 20 31 06')]);
  expect(reply).toMatchObject({ kind: 'text', text: '1.37' });
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
  expect(ask(answer)).toMatchObject({ kind: 'refused', reason: `it refuses S 1: ${reason}` });
});

test('joins a sign to its number', () => {
  expect(ask('-   0.02\x06')).toMatchObject({ text: '-0.02' });
  expect(ask('  1.00 -   0.5 0:00 12\x06')).toMatchObject({ text: '1.00 -0.5 0:00 12' });
});

test('does not believe text with other bytes in it', () => {
  expect(ask('1.\x8537 \x06')).toMatchObject({ kind: 'malformed' });
  expect(ask('1.37\x00 \x06')).toMatchObject({ kind: 'malformed' });
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

const summed = bindFamily('inficon-ack', { commands: 'xtm2', checksum: true });

test('with checksums: frames of length, sign, text and sum', () => {
  const { sent, reply } = converse(summed, 'S 1', [wire('hex 02 00 05 06 31 2e 33 37 cf')]);
  expect(sent).toEqual([wire('hex 02 00 03 53 20 31 a4')]);
  expect(reply).toMatchObject({ kind: 'text', text: '1.37' });
  expect(converse(summed, 'S 1', [wire('hex 02 00 02 15 41 56')]).reply).toMatchObject({
    kind: 'refused',
    reason: 'it refuses S 1: illegal command',
  });
});

test('with checksums: a changed byte is no value, whichever it is', () => {
  const good = wire('hex 02 00 05 06 31 2e 33 37 cf');
  for (let at = 0; at < good.length; at++) {
    const changed = Uint8Array.from(good);
    changed[at] = (changed[at] as number) ^ 1;
    expect(converse(summed, 'S 1', [changed]).reply?.kind ?? 'none', `byte ${at}`).toMatch(/none|malformed/);
  }
});

test('with checksums: nothing but a whole question with its sum is ever written', () => {
  expect(summed.mayWrite(wire('hex 02 00 03 53 20 31 a4'))).toBe(true);
  // R 4 zeroes the thickness; its sum is right.
  expect(summed.mayWrite(wire('hex 02 00 03 52 20 34 a6'))).toBe(false);
  expect(summed.mayWrite(wire('hex 02 00 03 53 20 31 a4 02 00 03 52 20 34 a6'))).toBe(false);
  expect(summed.mayWrite(wire('S 1\x06'))).toBe(false);
  expect(summed.neutral).toHaveLength(0);
});

test('a digit that became a line end is not cut off as a blank', () => {
  expect(ask('\r.313 \x06')).toMatchObject({ text: '\r.313' });
});
