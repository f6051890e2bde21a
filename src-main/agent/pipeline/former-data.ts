// What the uploader asks before it begins the entry of a stream whose readings may have been sent before: of the catalogue,
// and of the recorder, which ends such a stream.

import type { ServiceClient } from '../../delivery/client/client.ts';
import type { FormerData } from '../../delivery/upload/ports.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Store } from '../../queue/store/store.ts';
import type { Settings } from '../../settings/settings.ts';
import { FormerEntries } from '../old-data/former-entries.ts';
import type { Journal } from './journal.ts';
import { makeNonce } from './nonce.ts';
import type { RunEvents } from './run-events.ts';

export interface FormerParts {
  readonly store: Store;
  readonly service: ServiceClient;
  readonly serviceAddress: string;
  readonly tool: Settings['tool'];
  readonly clock: Clock;
  readonly holdOffMs: number;
  readonly events: Pick<RunEvents, 'cut'>;
  readonly journal: Journal;
  /** There is a new stream to be sent. */
  readonly onStream: (streamId: number) => void;
}

/** Make what the uploader asks. */
export function formerDataOf(parts: FormerParts): FormerData {
  const { store, service, serviceAddress, tool, clock, holdOffMs, events, journal, onStream } = parts;
  const { name: toolName, timeZone } = tool;
  const asked = { store, service, serviceAddress, toolName, timeZone, holdOffMs };
  const cut = (streamId: number, rest: { channels: number } | null) =>
    new Promise((done: Parameters<typeof events.cut.tell>[0]['done']) => events.cut.tell({ streamId, rest, done }));
  return {
    former: new FormerEntries({ ...asked, monotonicMs: clock.monotonicMs }),
    cutter: {
      close: async (streamId) => void (await cut(streamId, null)),
      begin: async (streamId) => {
        const { size: channels } = await store.listChannelNames(streamId);
        const ids = await cut(streamId, { channels });
        if (ids === null) throw new RangeError(`no ids for the rest of stream ${streamId}`);
        return { ids, nonce: makeNonce() };
      },
      begun: onStream,
    },
    onLeftOut: (streamId, points, entries) => {
      const where = entries.map((entry) => `"${entry}"`).join(', ');
      const message = `${points} points of stream ${streamId} are at the service already, in ${where}. They are not sent again.`;
      const hint =
        'The queue was lost, moved or put back older, it seems: readings were read again. The receipt names them.';
      journal.record({ level: 'info', code: 'upload.held-already', message, hint }, `stream ${streamId}`);
    },
  };
}
