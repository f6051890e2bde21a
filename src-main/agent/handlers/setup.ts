// The calls by which a person sets the agent up and looks after it: settings, sources, journal, help.
import type { Handlers } from '../../contract/table.ts';
import type { Desk } from '../desk.ts';
import type { JournalEvent } from '../journal.ts';
import type { Pipeline } from '../pipeline.ts';
import { heldSourceHandlers } from './held-source.ts';
import { journalHandlers } from './journal.ts';
import { settingsHandlers } from './settings.ts';
import { sourceHandlers } from './source.ts';
import { supportHandlers } from './support.ts';

/** The calls of five nouns. `running` throws while nothing runs; `tell` writes into the journal. */
export function setupHandlers(
  desk: Desk,
  running: () => Pipeline,
  tell: (event: JournalEvent, about: string) => void,
): Pick<Handlers, 'settings' | 'source' | 'heldSource' | 'journal' | 'support'> {
  return {
    settings: settingsHandlers(desk),
    source: sourceHandlers(desk),
    heldSource: heldSourceHandlers(running),
    journal: journalHandlers(running, () => desk.clock.nowMs()),
    support: supportHandlers(desk, running, tell),
  };
}
