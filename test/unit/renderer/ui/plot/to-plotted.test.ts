import { expect, test } from 'vitest';
import { toPlotted } from '../../../../../src-renderer/ui/plot/to-plotted.ts';

test('a line is drawn with the gaps of its own source alone', () => {
  const line = { sourceId: 'log', channel: 'T', unit: 'K', timesMs: [1, 2], values: [300, null] };
  const own = { sourceId: 'log', fromMs: 1, toMs: 2 };
  const plotted = toPlotted(line, 3, [own, { ...own, sourceId: 'other' }]);
  expect(plotted).toMatchObject({ name: 'T', title: 'log', unit: 'K', xs: [1, 2], values: [300, null], colour: 3 });
  expect(plotted.gaps).toEqual([own]);
  expect(plotted.key).not.toBe(toPlotted({ ...line, sourceId: 'other' }, 3, []).key);
});
