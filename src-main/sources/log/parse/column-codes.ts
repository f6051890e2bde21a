// What the parser of rows does with each kind of column, as numbers: a row is read by comparing them.

import { PLAIN_NUMBER } from '../cells/plain-cells.ts';
import type { ColumnKind } from './layout.ts';

export const KIND = { skip: 0, number: PLAIN_NUMBER, time: 2, open: 3, text: 4, state: 5, mask: 6, status: 7 } as const;
export const CODE: Readonly<Record<ColumnKind, number>> = {
  ignored: KIND.skip,
  number: KIND.number,
  time: KIND.time,
  open: KIND.open,
  text: KIND.text,
  state: KIND.state,
  mask: KIND.mask,
  affixed: KIND.state,
  bit: KIND.skip,
  status: KIND.status,
};
