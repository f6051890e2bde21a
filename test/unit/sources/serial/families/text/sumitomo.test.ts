// Frames of real compressors, as public code quotes them.
import { expect, test } from 'vitest';
import { sumitomoCheck } from '../../../../../../src-main/sources/serial/families/text/sumitomo.ts';
import { bindFamily, converse, wire } from '../../../../../support/serial/serial-exchange.ts';

const family = bindFamily('sumitomo');
/** What comes of a question, when this answers. */
const replyTo = (ask: string, answer: string) => converse(family, ask, [wire(answer)]).reply;

test.each([
  ['$TEA', 'A4B9'],
  ['$PRA', '95F7'],
  ['$STA', '3504'],
  ['$ID1', 'D629'],
  ['$TEA,021,015,015,000,', '6F37'],
  ['$TEA,027,028,025,000,', 'D79C'],
  ['$PRA,238,000,', 'C429'],
  ['$???,', '3278'],
])('%s has the check %s', (text, check) => expect(sumitomoCheck(text)).toBe(check));

test('a reply with a wrong digit is not believed, and one to another question is passed over', () => {
  expect(replyTo('TEA', '$TEA,021,015,015,000,6F37\r')).toMatchObject({ text: '021,015,015,000' });
  expect(replyTo('TEA', '$TEA,027,015,015,000,6F37\r')).toMatchObject({ kind: 'malformed' });
  expect(replyTo('TEA', '$PRA,238,000,C429\r$TEA,021,015,015,000,6F37\r')).toMatchObject({
    text: '021,015,015,000',
  });
  expect(replyTo('TEA', '$???,3278\r')).toMatchObject({ kind: 'refused', reason: 'it does not know TEA' });
});

test.each(['ON1', 'OFF', 'RS1', 'CHR', 'CHP', 'POF', 'tea', 'TE5'])('%s is refused', (word) => {
  expect(() => family.compile('test', word, () => true)).toThrow(/is not known to only read/);
});

test.each(['$ON177CF\r', '$OFF9188\r', '$RS12156\r', '$TEAA4B8\r', '$TEAA4B9', '$TEAA4B9\r$ON177CF\r'])(
  '%j is never written',
  (text) => expect(family.mayWrite(wire(text))).toBe(false),
);
