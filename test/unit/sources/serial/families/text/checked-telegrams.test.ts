// Families whose telegrams carry a checksum, by telegrams of manuals and open drivers: queries, replies, and what is
// refused or skipped. The whole instruments are played from `fixtures/instruments`.
import { expect, test } from 'vitest';
import { bindFamily, converse, wire } from '../../../../../support/serial/serial-exchange.ts';

interface Bound {
  readonly family: string;
  readonly address?: number | string;
  readonly protocol?: object;
  readonly ask: unknown;
}
const brooks: Bound = { family: 'brooks-az', ask: '.01K' };
const brooks16773: Bound = { ...brooks, address: '16773' };
const gamma: Bound = { family: 'gamma-vacuum', address: 1, ask: { command: '0B', supply: '01' } };
const graphix: Bound = { family: 'leybold-graphix', ask: '1;29' };
const mks: Bound = { family: 'mks-mfc', address: 1, ask: 'FX' };
const pfeiffer: Bound = { family: 'pfeiffer-telegram', address: 1, ask: { parameter: 309, as: 'u_integer' } };
const pfeifferAs = (as: string): Bound => ({ ...pfeiffer, ask: { parameter: 309, as } });
const sumitomo: Bound = { family: 'sumitomo', ask: 'TEA' };

const bind = ({ family, protocol = {}, address }: Bound) => bindFamily(family, protocol, address);
const exchange = (bound: Bound, ...answers: string[]) => converse(bind(bound), bound.ask, answers.map(wire));

test.each<[Bound, string]>([
  [brooks16773, 'AZ16773.01K\r'],
  [{ ...gamma, ask: { command: '01' } }, '~ 01 01 22\r'],
  [{ ...gamma, ask: { command: '0A', supply: '01' } }, '~ 01 0A 01 B3\r'],
  [gamma, '~ 01 0B 01 B4\r'],
  // Its address in hexadecimal digits.
  [{ ...gamma, address: 26, ask: { command: '01' } }, '~ 1A 01 33\r'],
  // 0f+31+3b+32+39+20 = 106 hex; 255 - 06 = f9.
  [graphix, 'hex 0f 31 3b 32 39 20 f9 04'],
  // Three @, of which the last one counts.
  [mks, '@@@001FX?;E9'],
  [{ ...pfeiffer, address: 123 }, '1230030902=?112\r'],
  [sumitomo, '$TEAA4B9\r'],
  [{ ...sumitomo, ask: 'PRA' }, '$PRA95F7\r'],
  [{ ...sumitomo, ask: 'STA' }, '$STA3504\r'],
  [{ ...sumitomo, ask: 'ID1' }, '$ID1D629\r'],
])('%j asks %j', (bound, question) => {
  expect(exchange(bound).sent).toEqual([wire(question)]);
});

const BROOKS = 'AZ,16773.01,4,  215239.20,  215239.20,      -0.48,      -0.48,08214,X,X,X,X,X,C8\r\n';
const BROOKS_TEXT = '  215239.20,  215239.20,      -0.48,      -0.48,08214,X,X,X,X,X';

test.each<[Bound, string, string | number]>([
  [brooks16773, BROOKS, BROOKS_TEXT],
  [
    { ...brooks, ask: 'I' },
    'AZ,06022,4,Brooks Instrument,Model 0254,08,V10.05.13,FE00,9E\r\n',
    'Brooks Instrument,Model 0254,08,V10.05.13,FE00',
  ],
  // Its own question, two other ports, and what is no answer.
  [
    brooks16773,
    `AZ16773.01K\r\nAZ,16773.03,4,0,0,1.5,0,DB\r\nAZ,00909.01,4,0,0,2.5,0,E2\r\nAZ,16773.01,2,0,0,3.5,0,DD\r\n${BROOKS}`,
    BROOKS_TEXT,
  ],
  [{ ...gamma, ask: { command: '01' } }, '01 OK 00 DIGITEL SPCe 48\r', 'DIGITEL SPCe'],
  [{ ...gamma, ask: { command: '0A', supply: '01' } }, '01 OK 00 1.33E-11 AMPS C5\r', '1.33E-11 AMPS'],
  [gamma, '~ 01 0B 01 B4\r02 OK 00 3.0E-09 TORR AF\r01 OK 00 1.0E-11 TORR A5\r', '1.0E-11 TORR'],
  [graphix, '\x061.00E-03e\x04', '1.00E-03'],
  // A check byte is no control character: 32 stays, 31 becomes 63.
  [graphix, '\x061.00E-03E \x04', '1.00E-03E'],
  [graphix, '\x061.00E-03F?\x04', '1.00E-03F'],
  [graphix, 'E-05\x061.00E-03e\x04', '1.00E-03'],
  [{ ...graphix, protocol: { check_replies: false } }, '\x061.00E-03!\x04', '1.00E-03'],
  [mks, '@@@000ACK9600;A9', '9600'],
  [mks, '@@@000ACK12.5;20', '12.5'],
  [mks, '\x00\xff@000ACK12.5;A0', '12.5'],
  [mks, '@@@001FX?;E9@@@000ACK12.5;A0', '12.5'],
  [{ ...mks, protocol: { check_replies: false } }, '@@@000ACK90.00;FF', '90.00'],
  [{ ...pfeiffer, address: 123 }, '1231030906000633037\r', 633],
  [pfeifferAs('u_expo_new'), '0011030906100023026\r', 1000],
  [pfeifferAs('u_expo_new'), '0011030906423415039\r', 4.234e-5],
  [pfeifferAs('u_real'), '0011030906001571034\r', 15.71],
  [pfeifferAs('u_integer'), '0011030906000000020\r', 0],
  [pfeifferAs('u_short_int'), '0011030903017137\r', 17],
  [pfeifferAs('boolean_old'), '0011030906111111026\r', 1],
  [pfeifferAs('boolean_new'), '00110309010031\r', 0],
  // Another unit, another parameter, its own question.
  [pfeiffer, '0021030906000001022\r0011031006000002014\r0010030902=?107\r0011030906000633032\r', 633],
  [sumitomo, '$TEA,021,015,015,000,6F37\r', '021,015,015,000'],
  [sumitomo, '$PRA,238,000,C429\r$TEA,027,028,025,000,D79C\r', '027,028,025,000'],
])('%j reads %j', (bound, answer, value) => {
  const told = typeof value === 'number' ? { kind: 'fields', fields: { value } } : { kind: 'text', text: value };
  expect(exchange(bound, answer).reply).toMatchObject(told);
});

test.each<[Bound, string, object | null]>([
  [brooks, BROOKS.replace('-0.48', '-0.49'), { kind: 'malformed', reason: 'wrong checksum' }],
  [brooks, '-0.48\r\n', { kind: 'malformed' }],
  [gamma, '01 ER 08 C0\r', { kind: 'refused', reason: 'it has no such supply' }],
  [gamma, '01 OK 00 1.0E-11 TORR A6\r', { kind: 'malformed' }],
  [gamma, '1.0E-11 TORR\r', { kind: 'malformed' }],
  [graphix, '\x061.00E-03!\x04', { kind: 'malformed', reason: 'wrong check byte' }],
  [graphix, '\x1512\x87\x04', { kind: 'refused', reason: 'it refuses 1;29: error 12' }],
  [graphix, '\x061.00E-03e', null],
  [mks, '@@@000NAK17;4D', { kind: 'refused', reason: 'it does not know this question' }],
  [mks, '@@@000ACK90.00;FF', { kind: 'malformed', reason: 'wrong checksum' }],
  [pfeifferAs('boolean_old'), '0011030906110111025\r', { kind: 'malformed' }],
  [pfeifferAs('u_integer'), '0011030903633141\r', { kind: 'malformed' }],
  [pfeifferAs('u_expo_new'), '00110309061.0E03043\r', { kind: 'malformed' }],
  [pfeiffer, '0011030906NO_DEF191\r', { kind: 'refused', reason: 'it has no such parameter' }],
  [pfeiffer, '0011030906000633033\r', { kind: 'malformed', reason: 'wrong checksum' }],
  [pfeiffer, '0011030907000633033\r', { kind: 'malformed' }],
  [sumitomo, '$TEA,027,015,015,000,6F37\r', { kind: 'malformed' }],
  [sumitomo, '$???,3278\r', { kind: 'refused', reason: 'it does not know TEA' }],
])('%j takes no value from %j', (bound, answer, told) => {
  const { reply } = exchange(bound, answer);
  if (told) expect(reply).toMatchObject(told);
  else expect(reply).toBeNull();
});

test('queries a Pfeiffer unit again only after the rest of its input has ended', () => {
  expect(bind(pfeiffer).neutral).toEqual(wire('\r'));
  expect(bind(pfeiffer).mayWrite(wire('\r'))).toBe(true);
});

test.each(['ON1', 'OFF', 'RS1', 'CHR', 'CHP', 'POF', 'tea', 'TE5'])('a compressor is never asked %s', (word) => {
  expect(() => bind(sumitomo).compile('test', word, () => true)).toThrow(/is not known to only read/);
});

test.each(['$ON177CF\r', '$OFF9188\r', '$RS12156\r', '$TEAA4B8\r', '$TEAA4B9', '$TEAA4B9\r$ON177CF\r'])(
  '%j is never written to a compressor',
  (text) => expect(bind(sumitomo).mayWrite(wire(text))).toBe(false),
);
