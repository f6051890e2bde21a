// Where the common zero of growths lies. Pure.
import { isState, risingEdges } from '../../format/state-line.ts';
import type { ComparedGrowth } from '../../state/compare.ts';
import type { PlotLine } from '../../state/plot.ts';
import { channelKey } from '../../ui/plot/line-key.ts';

/** What is put at zero: the start, a note by its words, or the first opening of a shutter by the key of its channel. */
export type Alignment =
  | { readonly at: 'start' }
  | { readonly at: 'note'; readonly text: string }
  | { readonly at: 'opening'; readonly key: string };

/**
 * Find the zero of a growth.
 *
 * @returns Unix milliseconds; null: this growth has no such note or opening.
 */
export function zeroOf({ growth, lines }: ComparedGrowth, alignment: Alignment): number | null {
  if (alignment.at === 'start') return growth.startedMs;
  if (alignment.at === 'note') return growth.notes.find(({ text }) => text === alignment.text)?.timeMs ?? null;
  const line = lines.find((one) => channelKey(one) === alignment.key);
  return line ? (risingEdges(line)[0] ?? null) : null;
}

/** Names of what all growths have: notes with the same words, and shutters that open. */
export function alignmentsOf(growths: readonly ComparedGrowth[]): Alignment[] {
  const [first] = growths;
  if (!first) return [{ at: 'start' }];
  const inAll = (alignment: Alignment) => growths.every((growth) => zeroOf(growth, alignment) !== null);
  const notes = [...new Set(first.growth.notes.map(({ text }) => text))];
  const shutters = first.lines.filter((line: PlotLine) => isState(line)).map(channelKey);
  return [
    { at: 'start' } as const,
    ...notes.map((text): Alignment => ({ at: 'note', text })),
    ...shutters.map((key): Alignment => ({ at: 'opening', key })),
  ].filter(inAll);
}
