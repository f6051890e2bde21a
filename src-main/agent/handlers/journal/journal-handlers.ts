// What the screen asks of the journal.
import type { Handlers } from '../../../contract/table.ts';
import type { Pipeline } from '../../pipeline/pipeline.ts';
import { writeShiftNote } from './shift-note.ts';

/** The calls for the journal. `running` throws while nothing runs. */
export function journalHandlers(running: () => Pipeline, nowMs: () => number): Handlers['journal'] {
  return {
    list: async ({ source, ...question }) => {
      const entries = await running().store.findEvents({ ...question, about: source });
      return { entries, next: entries.length === question.limit ? (entries.at(-1)?.id ?? null) : null };
    },
    listSources: async () => running().panels.map(({ view }) => view.id),
    writeShiftNote: async ({ hours }) => {
      const pipeline = running();
      return { text: await writeShiftNote(pipeline, nowMs(), hours) };
    },
  };
}
