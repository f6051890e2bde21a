import { expect, test } from 'vitest';
import { bindFamily, converse, wire } from '../../../../../support/serial/serial-exchange.ts';

const family = (address = 128) => bindFamily('propar', {}, address);
const measure = { process: 1, parameter: 0, as: 'measure16' };
const flow = { process: 33, parameter: 0, as: 'float32' };

test('asks for the measured value as two open drivers do', () => {
  expect(converse(family(), measure, []).sent).toEqual([wire(':06800401210120\r\n')]);
  expect(converse(family(3), measure, []).sent).toEqual([wire(':06030401210120\r\n')]);
});

test.each([
  [measure, ':06800201213E80\r\n', 16_000],
  [measure, ':068002012100FF\r\n', 255],
  [measure, ':0680020121A3D6\r\n', 41_942],
  [measure, ':0680020121A3D7\r\n', -23_593],
  [measure, ':0680020121FF38\r\n', -200],
  [flow, ':088002214141480000\r\n', 12.5],
  [flow, ':0880022141BEC00000\r\n', -0.375],
])('reads %j from %j', (ask, line, value) => {
  expect(converse(family(), ask, [wire(line)]).reply).toMatchObject({ kind: 'fields', fields: { value } });
});

test('reads a text of a given length, and one that ends by itself', () => {
  const unit = { process: 1, parameter: 31, as: 'text', length: 7 };
  const told = converse(family(), unit, [wire(':0C80020160076D6C6E2F6D696E\r\n')]);
  expect(told.sent).toEqual([wire(':0780040160017F07\r\n')]);
  expect(told.reply).toMatchObject({ kind: 'text', text: 'mln/min' });
  const serial = { process: 113, parameter: 3, as: 'text' };
  expect(converse(family(), serial, [wire(':0A80027164004131323300\r\n')]).reply).toMatchObject({
    kind: 'text',
    text: 'A123',
  });
});

test('passes over its own question, other marks and other nodes', () => {
  const lines = [':06030401210120', ':06030201223E80', ':06040201213E80', ':06030201211F40'];
  const all = Buffer.concat(lines.map((line) => wire(`${line}\r\n`)));
  expect(converse(family(3), measure, [all]).reply).toMatchObject({ fields: { value: 8000 } });
  // 80 addresses any instrument on the line, which replies under its own number.
  expect(converse(family(), measure, [wire(':06030201211F40\r\n')]).reply).toMatchObject({ fields: { value: 8000 } });
});

test('tells a refusal, and takes nothing of a line that is broken', () => {
  expect(converse(family(), flow, [wire(':0480000404\r\n')]).reply).toMatchObject({
    kind: 'refused',
    reason: 'it has no such parameter',
  });
  expect(converse(family(), flow, [wire(':0105\r\n')]).reply).toMatchObject({ kind: 'refused' });
  expect(converse(family(), measure, [wire(':06800201213E8\r\n')]).reply).toMatchObject({ kind: 'malformed' });
  expect(converse(family(), measure, [wire(':07800201213E80\r\n')]).reply).toMatchObject({ kind: 'malformed' });
});
