import { expect, test } from 'vitest';
import { kindOf, parseRunFile, readRunFile } from '../../../src-main/growth/run-file.ts';

const UUID = '5e0c4a0e-7a43-4f0e-9d7e-0d2f3a4b5c6d';

test('a run file is known by the end of its name', () => {
  expect(kindOf('A1.run-start.json')).toBe('start');
  expect(kindOf('A1.RUN-END.JSON')).toBe('end');
  for (const name of ['run-start.json', 'A1.run-start.json.tmp', 'A1.json', 'A1.run-stop.json'])
    expect(kindOf(name)).toBeNull();
});

test('a sample is an id or a name, whichever it looks like; a byte-order mark and other fields do no harm', () => {
  expect(parseRunFile('start', `\uFEFF{"name":" A1 ","sample":"${UUID}","project":"${UUID}","x":1}`)).toEqual({
    ...{ kind: 'start', name: 'A1', choice: { name: 'A1', sampleId: UUID, projectId: UUID } },
  });
  expect(parseRunFile('start', '{"name":"A1","sample":"G3"}')).toMatchObject({ choice: { newSampleName: 'G3' } });
  expect(parseRunFile('start', '{"name":"A1","sample":null}')).toMatchObject({ choice: { newSampleName: null } });
  expect(parseRunFile('end', '{}')).toEqual({ kind: 'end', name: null });
});

test('UTF-8 and, by its mark, UTF-16 are read; in other bytes no name is guessed', () => {
  const text = '{\r\n "name": "Gr\u00F6\u00DFe" }\r\n';
  const read = { kind: 'start', name: 'Gr\u00F6\u00DFe' };
  expect(readRunFile('start', Buffer.from(text))).toMatchObject(read);
  expect(readRunFile('start', Buffer.from(`\uFEFF${text}`))).toMatchObject(read);
  expect(readRunFile('start', Buffer.from(`\uFEFF${text}`, 'utf16le'))).toMatchObject(read);
  const malformed = { kind: 'malformed', field: '', why: 'is no text in UTF-8' };
  expect(readRunFile('start', Buffer.from(text, 'latin1'))).toEqual(malformed);
});

test.each([
  ['start', '', '', /^is no JSON/],
  ['start', '[]', '', /^holds no object/],
  ['end', '"A1"', '', /^holds no object/],
  ['start', '{}', 'name', /^is missing$/],
  ['start', '{"name":null}', 'name', /^must be a text$/],
  ['start', '{"name":"  "}', 'name', /^is empty$/],
  ['start', '{"name":"a\\nb"}', 'name', /control character/],
  ['start', '{"name":"A1","sample":5}', 'sample', /^must be a text$/],
  ['start', '{"name":"A1","project":"ours"}', 'project', /no UUID/],
  ['end', '{"name":1}', 'name', /^must be a text$/],
] as const)('%s %s: field "%s" %s', (kind, text, field, why) => {
  expect(parseRunFile(kind, text)).toEqual({ kind: 'malformed', field, why: expect.stringMatching(why) });
});
