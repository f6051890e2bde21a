import { expect, test } from 'vitest';
import { type PlotState, readState, writeState } from '../../../../../src-renderer/features/plots/plot-view.ts';
import { writeWord } from '../../../../../src-renderer/format/state-word.ts';

const state: PlotState = {
  chosen: ['["log","T"]'],
  view: { fromMs: 1000, toMs: 61_000 },
  scale: 'log',
  ranges: { '°C': [0, 700] },
  ownAxes: ['["log","T"]'],
  ids: ['a', 'b'],
  alignment: 'clock',
  span: { from: -10, to: 20 },
};

test('an address keeps all that is shown', () => {
  expect(readState(writeState(state))).toEqual(state);
});

test('parts of an address that do not fit are left out', () => {
  expect(readState('no word')).toBeNull();
  expect(readState(writeWord({ view: { lastMs: 1 } }))).toBeNull();
  const odd = { ...state, ids: ['a', 3], ranges: { t: [1] }, ownAxes: ['t', 3], span: { from: 5, to: 1 }, scale: 'x' };
  expect(readState(writeWord({ ...odd, alignment: { at: 'opening', key: 'x' } }))).toEqual({
    ...state,
    ...{ ids: ['a'], ranges: {}, ownAxes: ['t'], span: null, scale: 'auto', alignment: 'start' },
  });
});

test('a link to compared growths opens the same growths and channels', () => {
  const link = writeWord({ ids: ['a', 'b'], alignment: { at: 'note', text: 'x' }, shiftsMs: { a: 1 }, chosen: ['k'] });
  expect(readState(link)).toMatchObject({ ids: ['a', 'b'], alignment: 'start', chosen: ['k'] });
});
