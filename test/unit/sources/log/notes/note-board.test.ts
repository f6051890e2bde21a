// What is said under a code, and when it is taken back.
import { expect, test } from 'vitest';
import { NoteBoard } from '../../../../../src-main/sources/log/notes/note-board.ts';
import type { SourceNote } from '../../../../../src-main/sources/source.ts';

function begin() {
  const said: [string, string][] = [];
  const board = new NoteBoard(({ code, message }: SourceNote) => said.push([code, message]));
  return { board, said };
}

const ask = (board: NoteBoard) =>
  board.add('question', { level: 'warning', hint: '', say: () => 'Shall it be read?' }, 'all');

test('a question that is settled before it was said is not said behind its all-clear', () => {
  const { board, said } = begin();
  ask(board);
  board.replace('question', null);
  board.publish();
  expect(said).toEqual([['question', 'Settled.']]);
});

test('what was said is taken back, and can be asked again', () => {
  const { board, said } = begin();
  ask(board);
  board.publish();
  board.replace('question', null);
  ask(board);
  board.publish();
  expect(said.map(([, message]) => message)).toEqual(['Shall it be read?', 'Settled.', 'Shall it be read?']);
});

test('the last subject that is removed leaves an all-clear', () => {
  const { board, said } = begin();
  board.add('held', { level: 'warning', hint: '', say: (files) => `Held: ${files}.` }, 'a');
  board.publish();
  board.remove('held', 'a');
  board.publish();
  expect(said.map(([, message]) => message)).toEqual(['Held: a.', 'Settled.']);
});
