// What a person does about limits of channels.
import type { Handlers } from '../../../contract/table.ts';
import { readSettings } from '../../../settings/read-settings.ts';
import type { SettingsInput } from '../../../settings/schema.ts';
import type { Pipeline } from '../../pipeline/pipeline.ts';
import type { HandlerParts } from '../handler-parts.ts';
import { expectReal } from '../settings/settings-handlers.ts';

type Where = { readonly sourceId: string; readonly channel: string };
type Entries = NonNullable<SettingsInput['limits']>;

/** The calls for limits. `running` throws while nothing runs. */
export function limitHandlers(parts: HandlerParts, running: () => Pipeline): Handlers['limit'] {
  const change = async (which: Where, entry: Entries, caller: string | undefined) => {
    expectReal(parts);
    const isOther = ({ source, channel }: Entries[number]) => source !== which.sourceId || channel !== which.channel;
    await parts.change((current) => {
      const before = current ?? { version: 1 as const, tool: { name: '' } };
      return { ...before, limits: [...(before.limits ?? []).filter(isOther), ...entry] };
    }, caller);
    return null;
  };
  return {
    list: async () => {
      expectReal(parts);
      const { limits } = await readSettings(parts.settingsFile);
      return limits.map(({ onDelayMs, offDelayMs, ...rest }) => {
        return { ...rest, onDelayS: onDelayMs / 1000, offDelayS: offDelayMs / 1000 };
      });
    },
    save: async ({ sourceId, channel, onDelayS, offDelayS, isAlways, ...rest }, caller) => {
      const delays = { on_delay: `${onDelayS}s`, off_delay: `${offDelayS}s` };
      const entry = { source: sourceId, channel, ...rest, ...delays, while: isAlways ? 'always' : 'growth' } as const;
      return change({ sourceId, channel }, [entry], caller);
    },
    remove: async (which, caller) => change(which, [], caller),
    acknowledge: async (which, caller = 'the window') => {
      running().limits.acknowledge(which, caller);
      return null;
    },
  };
}
