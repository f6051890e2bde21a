import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { editDocument } from '../../../src-main/settings/edit-document.ts';
import { walks } from '../../support/run/effort.ts';

function edit(text: string, wanted: Record<string, unknown>): string {
  const document = parseDocument(text);
  editDocument(document, wanted);
  return document.toString({ lineWidth: 0 });
}

test('keeps comments, order and quoting of everything that stays', () => {
  const text = `# head
z: 'one' # about z
# before a
a:
  # before inner
  inner: "two"
list:
  - id: x # about x
    v: 1
  - id: y
    v: 2 # about v

# foot
`;
  expect(
    edit(text, {
      z: 'one',
      a: { inner: 'two' },
      list: [
        { id: 'x', v: 1 },
        { id: 'y', v: 3 },
      ],
    }),
  ).toBe(text.replace('v: 2', 'v: 3'));
});

test('finds list entries again by id when one before them goes and one comes', () => {
  const text = '- id: a # first\n- id: b # second\n- id: c # third\n';
  const wanted = { list: [{ id: 'c' }, { id: 'new' }, { id: 'b', v: 1 }] };
  const edited = edit(`list:\n${text}`, wanted);
  expect(edited).toContain('id: b # second');
  expect(edited).toContain('id: c # third');
  expect(edited).not.toContain('first');
  expect(parseDocument(edited).toJS()).toEqual(wanted);
});

test('removes keys that are undefined or gone', () => {
  expect(edit('a: 1\nb: 2\nc: 3\n', { a: 1, b: undefined })).toBe('a: 1\n');
});

test('a new value takes no leftover of how the old one was written', () => {
  expect(edit('a: 0x0F\nb: 1e3\nc: |\n  text\n', { a: 16, b: 7, c: 'x' })).toMatch(/^a: (16|0x10)\nb: 7\n/);
  const wanted = { a: 1.5, b: 'word', c: 'one\ntwo' };
  expect(parseDocument(edit('a: 0x0F\nb: 1e3\nc: "x"\n', wanted)).toJS()).toEqual(wanted);
});

test('whatever the document was, it holds the wanted data afterwards, and its comments where they were', () => {
  const key = fc.constantFrom('a', 'b', 'id', 'version', '1', 'null', 'a b', '#', ':', '- x', '__proto__x');
  const scalar = fc.oneof(
    fc.string(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.constantFrom('yes', '1', '~', 'C:\\x', 'a: b', ' #'),
  );
  const data = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      scalar,
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(key, tie('value'), { maxKeys: 4 }),
    ),
  })).value;
  const map = fc.dictionary(key, data, { maxKeys: 5 });
  fc.assert(
    fc.property(map, map, (before, wanted) => {
      const text = `# first line\n\n${stringify(before)}`;
      const edited = edit(text, wanted);
      expect(parseDocument(edited).toJS()).toEqual(wanted);
      expect(edited).toContain('# first line');
    }),
    walks(300),
  );
});

function stringify(data: Record<string, unknown>): string {
  const document = parseDocument('{}\n');
  document.contents = document.createNode(data) as typeof document.contents;
  return document.toString();
}
