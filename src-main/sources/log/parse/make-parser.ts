// The parser that a layout asks for.
import { EventParser } from './event-parser.ts';
import { GroupParser } from './group-parser.ts';
import type { Layout } from './layout.ts';
import type { LineParser } from './parsed-block.ts';
import { RowParser } from './row-parser.ts';

/** Make the parser of the files of one layout. */
export function makeParser(layout: Layout): LineParser {
  if (layout.groups !== undefined) return new GroupParser(layout);
  return layout.eventText === null ? new RowParser(layout) : new EventParser(layout);
}
