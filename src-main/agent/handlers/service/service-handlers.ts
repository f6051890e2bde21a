// What a person does about the service: its key, and whether anything is sent at all.
import type { Caller, Handlers } from '../../../contract/table.ts';
import type { BoundKey } from '../../../platform/bound-key.ts';
import { parseGivenKey } from '../../../platform/secrets.ts';
import type { Pipeline } from '../../pipeline/pipeline.ts';

export interface ServiceCallParts {
  /** Keep a new key and try it at once. */
  readonly keepKey: (apiKey: string, caller?: Caller) => Promise<void>;
  /** Throws while nothing runs. */
  readonly running: () => Pipeline;
  readonly nowMs: () => number;
  readonly key: Pick<BoundKey, 'rememberFormer'>;
  /** The snapshot has changed. */
  readonly onChange: () => void;
}

/** The calls about the service. */
export function serviceHandlers({ keepKey, running, nowMs, key, onChange }: ServiceCallParts): Handlers['service'] {
  return {
    keepKey: async ({ apiKey }, caller) => {
      await keepKey(apiKey, caller);
      return null;
    },
    pause: async () => {
      running().pause.begin(nowMs());
      onChange();
      return null;
    },
    goOn: async () => {
      const pipeline = running();
      pipeline.pause.end();
      pipeline.release();
      onChange();
      return null;
    },
    chooseFormer: async ({ service, way, apiKey }) => {
      const given = parseGivenKey(apiKey);
      if (given !== '') key.rememberFormer(given, service);
      await running().former.choose(service, way);
      return null;
    },
  };
}
