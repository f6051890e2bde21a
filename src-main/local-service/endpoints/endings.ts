// Outside the interface: the end of a stream and of a RHEED session, told by a request without a body; and the end that a
// stream comes to by falling quiet. A finalized stream takes no more data; a quiet one does.

import type { AlsoServed } from '../../interface/openapi.ts';
import type { Caller } from '../storage/identity.ts';
import type { ServiceParts } from './service-parts.ts';

export const endingPaths = {
  '/tool-state/stream/{data_id}/finalize': 'stream',
  '/rheed/stream/{data_id}/end': 'rheed',
} as const;

/** What is published of them. */
export const endingsServed: readonly AlsoServed[] = Object.entries(endingPaths).map(([path, kind]) => ({
  name: kind === 'stream' ? 'finalizeStream' : 'endRheedStream',
  method: 'POST',
  path,
  summary: kind === 'stream' ? 'End a tool-state stream: it takes no more data' : 'End a RHEED session',
  answer: 'application/json',
}));

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
