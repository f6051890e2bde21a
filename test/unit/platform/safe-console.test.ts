import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { makeConsoleSafe } from '../../../src-main/platform/safe-console.ts';

function printing() {
  const lines: string[] = [];
  const keep = (...values: unknown[]) => void lines.push(String(values.at(-1)));
  const to = { log: keep, error: keep };
  makeConsoleSafe(to, []);
  return { to, lines };
}

test('removes control sequences of a terminal from all that is printed', () => {
  const { to, lines } = printing();
  to.log('log \u001b]0;owned\u0007 \u001b[2J \u009b2J \u0008\u0008 \r over \u202etxt.exe \u2028');
  to.error('said %s', '\u001b[31mred', new Error('\u001b[2J'));
  expect(lines[0]).toBe(
    'log \\u001b]0;owned\\u0007 \\u001b[2J \\u009b2J \\u0008\\u0008 \\u000d over \\u202etxt.exe \\u2028',
  );
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  expect(lines.join('')).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
});

test('lines, columns, accents and emoji stay as they are, and JSON stays the same JSON', () => {
  const { to, lines } = printing();
  const plain = 'T\tSubstrat °C µ 漢字 👩‍🔬 100 %s\n  second line';
  to.log(plain);
  expect(lines).toEqual([plain]);
  const value = { name: 'a\u202eb\u009bc\u00add\ne' };
  to.log(JSON.stringify(value, null, 2));
  expect(JSON.parse(lines[1] ?? '')).toEqual(value);
});

test('a reader that is gone ends nothing; any other fault of the output is thrown', () => {
  const stream = new EventEmitter();
  makeConsoleSafe({ log: () => undefined, error: () => undefined }, [stream]);
  const fault = (code: string) => Object.assign(new Error(`write ${code}`), { code });
  expect(() => stream.emit('error', fault('EPIPE'))).not.toThrow();
  expect(() => stream.emit('error', fault('EIO'))).toThrow('write EIO');
});
