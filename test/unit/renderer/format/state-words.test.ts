import { expect, test } from 'vitest';
import { nextTryText, sourceWord, streamWord } from '../../../../src-renderer/format/state-words.ts';
import { streamView } from '../../../support/page/page-snapshot.ts';

test('says delivered only when the agent does', () => {
  expect(streamWord(streamView(0, { pointsAcknowledged: 12_412 })).word).toBe('Open');
  expect(streamWord(streamView(0, { state: 'closed' })).word).toBe('Finishing');
  expect(streamWord(streamView(0, { state: 'delivered' })).word).toBe('Delivered');
});

test('asks for attention when a stream is blocked or points were refused, whatever else it is', () => {
  expect(streamWord(streamView(0, { state: 'delivered', pointsRefused: 3 })).tone).toBe('attention');
  expect(streamWord(streamView(0, { upload: 'blocked' })).tone).toBe('attention');
  const resent = { state: 'delivered', pointsRefused: 3 } as const;
  expect(streamWord(streamView(0, { ...resent, pointsResent: 2 })).tone).toBe('attention');
  expect(streamWord(streamView(0, { ...resent, pointsResent: 3 })).word).toBe('Delivered');
});

test('says that points are kept here while the service is away', () => {
  expect(streamWord(streamView(0, { upload: 'waiting' })).word).toBe('Kept here');
});

test('counts down to the next try', () => {
  expect(nextTryText(null, 0)).toBe('');
  expect(nextTryText(12_000, 400)).toBe('next try in 12 s');
  expect(nextTryText(12_000, 11_800)).toBe('trying now');
});

test('a source is called by the data that it gives, whatever is opened meanwhile', () => {
  const word = (state: 'starting' | 'running' | 'waiting', health: 'idle' | 'giving' | 'gone') =>
    sourceWord({ id: 'a', state, health }, []).word;
  expect([word('starting', 'gone'), word('running', 'gone'), word('waiting', 'gone')]).toEqual(
    Array(3).fill('Not recorded'),
  );
  expect([word('starting', 'idle'), word('running', 'idle'), word('running', 'giving')]).toEqual([
    'Starting',
    'No live data',
    'Reading',
  ]);
  expect(sourceWord({ id: 'a', state: 'waiting', health: 'gone' }, []).tone).toBe('attention');
  const silent = { id: 'a', state: 'running', health: 'silent' } as const;
  const tones = [[], ['silent b'], ['silent a', 'silent b']].map((keys) => sourceWord(silent, [{ keys }]).tone);
  expect(tones).toEqual(['busy', 'busy', 'attention']);
});
