// The figures of a frame counter as channels. `frame number` and the stamp of its reading belong together: the frame was there
// at that time, right to within `frame time uncertainty` either way.
import type { ChannelDeclaration } from '../../model/channel.ts';
import type { Figures } from './count/frame-tally.ts';

interface Row {
  readonly name: string;
  readonly quantity: string;
  readonly unit: string;
  readonly value: (figures: Figures) => number | null;
}

/** What says most at a glance comes first: the screen shows the first ones. */
const ROWS: readonly Row[] = [
  { name: 'frame rate', quantity: 'frequency', unit: '1/s', value: ({ perSecond }) => perSecond },
  { name: 'frames lost per mille', quantity: 'ratio', unit: '‰', value: ({ lostPerMille }) => lostPerMille },
  { name: 'frame number', quantity: 'count', unit: '', value: ({ number }) => number },
  { name: 'frames counted', quantity: 'count', unit: '', value: ({ counted }) => counted },
  { name: 'frames expected', quantity: 'count', unit: '', value: ({ expected }) => expected },
  { name: 'frames lost', quantity: 'count', unit: '', value: ({ lost }) => lost },
  { name: 'frame time uncertainty', quantity: 'time', unit: 'ms', value: ({ uncertaintyMs }) => uncertaintyMs },
  { name: 'frame clock offset', quantity: 'time', unit: 'ms', value: ({ ownOffsetMs }) => ownOffsetMs },
  { name: 'stalls', quantity: 'count', unit: '', value: ({ stalls }) => stalls },
  { name: 'restarts', quantity: 'count', unit: '', value: ({ restarts }) => restarts },
  { name: 'rollovers', quantity: 'count', unit: '', value: ({ rollovers }) => rollovers },
];

export const FIGURE_NAMES: readonly string[] = ROWS.map(({ name }) => name);

/** The channels of a counter. */
export function declareFigures(origin: string, expectedIntervalMs: number): ChannelDeclaration[] {
  return ROWS.map(({ name, quantity, unit }) => ({ name, quantity, unit, origin, expectedIntervalMs }));
}

/** A row of values in the order of FIGURE_NAMES; NaN where a figure is not known. */
export function figureValues(figures: Figures): number[] {
  return ROWS.map(({ value }) => value(figures) ?? Number.NaN);
}
