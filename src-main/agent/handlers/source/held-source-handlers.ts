// What the screen asks about log files that stopped, and what a person says about them.
import type { Handlers } from '../../../contract/table.ts';
import { AgentError } from '../../../model/agent-error.ts';
import type { HeldDesk } from '../../../sources/log/follow/held-desk.ts';
import type { Pipeline } from '../../pipeline/pipeline.ts';

/** The calls for files that wait. `running` throws while nothing runs. */
export function heldSourceHandlers(running: () => Pick<Pipeline, 'heldFiles'>): Handlers['heldSource'] {
  return {
    list: async () =>
      [...running().heldFiles.desks].flatMap(([sourceId, desk]) => desk.list().map((file) => ({ sourceId, ...file }))),
    look: async ({ sourceId, file }) => deskOf(running().heldFiles.desks, sourceId).look(file),
    answer: async ({ sourceId, file, choice }) => {
      const { desks, closeStreams } = running().heldFiles;
      // Other columns under the same names are something new; renamed ones are the same as before.
      const isNew = choice.answer === 'accept';
      await deskOf(desks, sourceId).answer(file, choice, async () => {
        if (isNew) await closeStreams(sourceId);
      });
      return null;
    },
  };
}

function deskOf(desks: ReadonlyMap<string, HeldDesk>, sourceId: string): HeldDesk {
  const desk = desks.get(sourceId);
  if (desk !== undefined) return desk;
  throw new AgentError({
    code: 'source.gone',
    message: `There is no log source named ${sourceId} that reads.`,
    hint: 'Look at the list of sources again.',
    retry: 'after-human',
  });
}
