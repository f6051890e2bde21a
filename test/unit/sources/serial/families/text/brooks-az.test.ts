import { expect, test } from 'vitest';
import { brooksChecksum } from '../../../../../../src-main/sources/serial/families/text/brooks-az.ts';
import { bindFamily, converse, wire } from '../../../../../support/serial/serial-exchange.ts';

const family = (address: string | null = null) => bindFamily('brooks-az', {}, address);
const RECORDED = 'AZ,16773.01,4,  215239.20,  215239.20,      -0.48,      -0.48,08214,X,X,X,X,X,C8\r\n';
const reply = (text: string) => wire(`AZ${text}${brooksChecksum(text)}\r\n`);

test('reads what an open driver recorded at an instrument', () => {
  const { sent, reply: told } = converse(family('16773'), '.01K', [wire(RECORDED)]);
  expect(sent).toEqual([wire('AZ16773.01K\r')]);
  expect(told).toMatchObject({
    kind: 'text',
    text: expect.stringMatching(/^ {2}215239\.20,.*-0\.48,08214,X,X,X,X,X$/),
  });
  const identity = wire('AZ,06022,4,Brooks Instrument,Model 0254,08,V10.05.13,FE00,9E\r\n');
  expect(converse(family(), 'I', [identity]).reply).toMatchObject({
    text: 'Brooks Instrument,Model 0254,08,V10.05.13,FE00',
  });
});

test('passes over its own question, other ports, other units and what is no answer', () => {
  const lines = ['AZ16773.01K\r\n'].map(wire);
  const others = [',16773.03,4,0,0,1.5,0,', ',00909.01,4,0,0,2.5,0,', ',16773.01,2,0,0,3.5,0,'].map(reply);
  const all = Buffer.concat([...lines, ...others, wire(RECORDED)]);
  expect(converse(family('16773'), '.01K', [all]).reply).toMatchObject({ text: expect.stringContaining('-0.48') });
});

test('refuses a wrong checksum and what is no reply', () => {
  expect(converse(family(), '.01K', [wire(RECORDED.replace('-0.48', '-0.49'))]).reply).toMatchObject({
    reason: 'wrong checksum',
  });
  expect(converse(family(), '.01K', [wire('-0.48\r\n')]).reply).toMatchObject({ kind: 'malformed' });
});
