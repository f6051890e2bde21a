// A layer as a person edits it, and what of it has changed.
import type { Argument } from '../../../src-main/contract/table.ts';
import type { Layer } from '../../state/library.ts';

export interface LayerText {
  readonly composition: string;
  /** As it is typed: `Al 0.3, Ga 0.7, As 1`. */
  readonly elements: string;
  readonly orientation: string;
  readonly spaceGroup: string;
  readonly mpId: string;
}

type Amounts = { element: string; amount: number }[];

/** Write a layer into the fields of the form. */
export function textOfLayer({ composition, elements, orientation, spaceGroup, mpId }: Layer): LayerText {
  const known = elements.filter(({ amount }) => amount !== null);
  const text = known.map(({ element, amount }) => `${element} ${amount}`).join(', ');
  return { composition, elements: text, orientation, spaceGroup, mpId };
}

/**
 * Read amounts of elements.
 *
 * @param text - `Al 0.3, Ga 0.7, As 1`.
 * @returns the pairs; a sentence that says what does not fit. The service takes any name for an element, so this does, too.
 */
export function readAmounts(text: string): { amounts: Amounts } | { fault: string } {
  const amounts: Amounts = [];
  for (const part of text.split(/[,;\n]/).map((piece) => piece.trim())) {
    if (part === '') continue;
    const [, element = '', number = ''] = /^(\S+)\s+(\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)$/.exec(part) ?? [];
    if (element === '') return { fault: `"${part}" is not an element with an amount, such as Ga 0.7.` };
    if (amounts.some((one) => one.element === element)) return { fault: `${element} stands there twice.` };
    amounts.push({ element, amount: Number(number) });
  }
  return { amounts };
}

type Change = Argument<'library', 'changeLayer'>;

/**
 * Find what was changed.
 *
 * @param layer - the layer as it is.
 * @param layerId - which has a position.
 * @param now - the fields as they stand now.
 * @param amounts - the amounts read from them.
 * @returns the call's argument with the changed fields alone, null where one was emptied; null when none was changed.
 */
export function changeOf(layer: Layer, layerId: number, now: LayerText, amounts: Amounts): Change | null {
  const before = textOfLayer(layer);
  const changed = (name: keyof LayerText) => now[name].trim() !== before[name];
  const text = (name: keyof LayerText) => (now[name].trim() === '' ? null : now[name].trim());
  const change: Omit<Change, 'recordId' | 'sampleId' | 'layerId'> = {
    ...(changed('composition') ? { composition: text('composition') } : {}),
    ...(changed('elements') ? { elements: amounts.length === 0 ? null : amounts } : {}),
    ...(changed('orientation') ? { orientation: text('orientation') } : {}),
    ...(changed('spaceGroup') ? { spaceGroup: text('spaceGroup') } : {}),
    ...(changed('mpId') ? { mpId: text('mpId') } : {}),
  };
  if (Object.keys(change).length === 0) return null;
  return { recordId: layer.recordId, sampleId: layer.sampleId, layerId, ...change };
}
