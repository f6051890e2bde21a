import { expect, test } from 'vitest';
import { mksChecksum } from '../../../../../../src-main/sources/serial/families/text/mks-mfc.ts';
import { bindFamily, converse, wire } from '../../../../../support/serial/serial-exchange.ts';

const family = (protocol = {}) => bindFamily('mks-mfc', protocol, 1);
const checked = (text: string) => `${text}${mksChecksum(text)}`;

test('reckons the checksums that open drivers print', () => {
  expect(mksChecksum('@001UT!TEST;')).toBe('16');
  expect(mksChecksum('@@@000ACK;')).toBe('5A');
  expect(mksChecksum('@000ACK9600;')).toBe('A9');
});

test('asks with three @, of which the last one counts', () => {
  expect(converse(family(), 'FX', []).sent).toEqual([wire(`@@${checked('@001FX?;')}`)]);
});

test.each([
  ['from the last @ on', `@@${checked('@000ACK12.5;')}`],
  ['from the first @ on', checked('@@@000ACK12.5;')],
  ['behind noise, with one @ left', `\x00\xff${checked('@000ACK12.5;')}`],
  ['behind its own question', `@@${checked('@001FX?;')}@@${checked('@000ACK12.5;')}`],
])('reads a reply that is checked %s', (_, answer) => {
  expect(converse(family(), 'FX', [wire(answer)]).reply).toMatchObject({ kind: 'text', text: '12.5' });
});

test('tells a refusal, and refuses a wrong checksum unless that is switched off', () => {
  const no = wire(`@@${checked('@000NAK17;')}`);
  expect(converse(family(), 'FX', [no]).reply).toMatchObject({
    kind: 'refused',
    reason: 'it does not know this question',
  });
  const unchecked = wire('@@@000ACK90.00;FF');
  expect(converse(family(), 'FX', [unchecked]).reply).toMatchObject({ kind: 'malformed', reason: 'wrong checksum' });
  const told = converse(family({ check_replies: false }), 'FX', [unchecked]).reply;
  expect(told).toMatchObject({ kind: 'text', text: '90.00' });
});
