import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodingOf } from '../../../../../src-main/sources/log/cells/encoding.ts';
import { frameLines, LINE_BYTES_MAX } from '../../../../../src-main/sources/log/cells/framer.ts';

const utf8 = encodingOf('utf-8');

describe('the framer', () => {
  test('takes whole lines and leaves the half one', () => {
    const frame = frameLines(Buffer.from('a\r\nbc\nhalf'), 100, utf8);
    expect(Buffer.from(frame.bytes).toString()).toBe('a\r\nbc\n');
    expect(frame).toMatchObject({ takenBytes: 6, fileByte: 100, droppedBytes: 0, isDropping: false });
    expect(frame.fileByteOf(3)).toBe(103);
  });

  test('gives the same lines however the bytes are cut, in every encoding', () => {
    const line = fc.string({ unit: fc.constantFrom('a', '1', ',', 'µ', 'Å', '€', '\r'), maxLength: 12 });
    const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;
    fc.assert(
      fc.property(fc.array(line), fc.constantFrom(...encodings), fc.array(fc.nat(40)), (lines, name, cuts) => {
        const encoding = encodingOf(name);
        const text = lines.map((one) => `${one}\n`).join('');
        const file = encode(text, name);
        let position = 0;
        let read = '';
        const ends = [...cuts.map((cut) => Math.min(cut * 3, file.length)).sort((a, b) => a - b), file.length];
        for (const end of ends) {
          if (end < position) continue;
          const frame = frameLines(file.subarray(position, end), position, encoding);
          const own =
            name === 'windows-1252' ? decode(Buffer.from(frame.bytes), name) : Buffer.from(frame.bytes).toString();
          read += own;
          position += frame.takenBytes;
        }
        expect(read).toBe(text);
        expect(position).toBe(file.length);
      }),
    );
  });

  test('counts bytes of the file, not of the text, in UTF-16', () => {
    const frame = frameLines(Buffer.from('µ1\nb\n', 'utf16le'), 2, encodingOf('utf-16le'));
    expect(Buffer.from(frame.bytes).toString()).toBe('µ1\nb\n');
    expect(frame.takenBytes).toBe(10);
    // "b" is the fourth character: six bytes of UTF-16 after the beginning, four of UTF-8.
    expect(frame.fileByteOf(Buffer.from('µ1\n').length)).toBe(2 + 6);
  });

  test('passes over a line without end, whatever its length, and holds none of it', () => {
    const junk = Buffer.alloc(LINE_BYTES_MAX, 'x');
    const first = frameLines(junk, 0, utf8);
    expect(first).toMatchObject({ takenBytes: LINE_BYTES_MAX, droppedBytes: LINE_BYTES_MAX, isDropping: true });
    expect(first.bytes.length).toBe(0);
    const second = frameLines(junk, LINE_BYTES_MAX, utf8, true);
    expect(second).toMatchObject({ droppedBytes: LINE_BYTES_MAX, isDropping: true });
    const last = frameLines(Buffer.from('xx\n1,2\n'), 2 * LINE_BYTES_MAX, utf8, true);
    expect(Buffer.from(last.bytes).toString()).toBe('1,2\n');
    expect(last).toMatchObject({ takenBytes: 7, droppedBytes: 3, isDropping: false, fileByte: 2 * LINE_BYTES_MAX + 3 });
  });
});

function encode(text: string, name: string): Buffer {
  if (name === 'utf-16be') return Buffer.from(text, 'utf16le').swap16();
  if (name === 'windows-1252') return Buffer.from(text.replaceAll('€', '\x80'), 'latin1');
  return Buffer.from(text, name === 'utf-8' ? 'utf8' : 'utf16le');
}

function decode(bytes: Buffer, _name: string): string {
  return bytes.toString('latin1').replaceAll('\x80', '€');
}
