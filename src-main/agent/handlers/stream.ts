// What a person asks of single streams.
import type { Handlers } from '../../contract/table.ts';
import type { Pipeline } from '../pipeline.ts';
import { sendAgain, sendAsNew } from '../resend.ts';

/** The calls for streams. `running` throws while nothing runs. */
export function streamHandlers(running: () => Pipeline): Handlers['stream'] {
  return {
    refused: async ({ streamId }) => running().store.refusedChunks(streamId),
    sendAgain: async (which) => sendAgain(which, running().resendParts),
    sendAsNew: async (which) => sendAsNew(which, running().resendParts),
  };
}
