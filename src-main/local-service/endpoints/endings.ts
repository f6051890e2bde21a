// Outside the interface: the end of a stream and of a RHEED session, told by a request without a body; and the end that a
// stream comes to by falling quiet. A finalized stream takes no more data; a quiet one does.

import type { AlsoServed } from '../../interface/openapi.ts';
import type { Caller } from '../storage/identity.ts';
import type { ServiceParts } from './service-parts.ts';

/** What is published of them, with what each ends. */
export const endingsServed = [
  {
    name: 'finalizeStream',
    method: 'POST',
    path: '/tool-state/stream/{data_id}/finalize',
    summary: 'End a tool-state stream: it takes no more data',
    answer: 'application/json',
    kind: 'stream',
  },
  {
    name: 'endRheedStream',
    method: 'POST',
    path: '/rheed/stream/{data_id}/end',
    summary: 'End a RHEED session',
    answer: 'application/json',
    kind: 'rheed',
  },
] as const satisfies readonly (AlsoServed & { kind: 'stream' | 'rheed' })[];

export interface Endings {
  /** End a stream or session. Ending it again changes nothing. */
  end(kind: 'stream' | 'rheed', dataId: string, caller: Caller): Promise<object>;
  /** Call the streams successful that have had no chunk for so long. */
  settleQuiet(quietMs: number): Promise<void>;
}

/** Prepare the endings. */
export function createEndings({ storage: { streams }, nowMs }: ServiceParts): Endings {
  return {
    end: async (kind, dataId, caller) => {
      await streams.end(kind, dataId, caller, nowMs());
      return {};
    },
    settleQuiet: (quietMs) => streams.settle(nowMs() - quietMs),
  };
}
