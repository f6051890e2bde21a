// What the screen may ask of the settings that are no source.

import type { Argument, Handlers, Value } from '../../../contract/table.ts';
import { AgentError } from '../../../model/agent-error.ts';
import { changeSetting, listSettings } from '../../../settings/list-settings.ts';
import { readParsed } from '../../../settings/read-settings.ts';
import type { SettingsInput } from '../../../settings/schema.ts';
import { testConnection } from '../../check/test-connection.ts';
import { findProxyBy } from '../../service-link/find-proxy.ts';
import type { HandlerParts } from '../handler-parts.ts';

/** The calls for the settings. */
export function settingsHandlers(parts: HandlerParts): Handlers['settings'] {
  return {
    read: async () => readView(parts),
    listAll: async () => {
      expectReal(parts);
      const { document, text } = await readParsed(parts.settingsFile);
      return listSettings(document, text);
    },
    set: async ({ path, value }, caller) => {
      expectReal(parts);
      await parts.change((current) => changeSetting(current as SettingsInput, path, value), caller);
      return null;
    },
    test: async (asked) =>
      testConnection(asked, {
        kept: parts.key,
        store: parts.isTrial() ? null : (parts.pipeline()?.store ?? null),
        monotonicMs: () => parts.clock.monotonicMs(),
        findProxy: findProxyBy(parts.pipeline()?.settings.service.proxy ?? 'system', parts.systemProxy),
      }),
    save: async (form, caller) => {
      expectReal(parts);
      await parts.change((current) => changed(current, form), caller, form.apiKey);
      return null;
    },
  };
}

/**
 * Refuse a change where the agent runs without settings.
 * @throws `settings.none` where there are no settings that could be changed.
 */
export function expectReal(parts: HandlerParts): void {
  if (!parts.isTrial() && parts.snapshot().phase !== 'first-run') return;
  throw new AgentError({
    code: 'settings.none',
    message: parts.isTrial() ? 'The trial has no settings of its own.' : 'There are no settings yet.',
    hint: 'Press "Connect your tool": that makes them.',
    retry: 'after-human',
  });
}

async function readView(parts: HandlerParts): Promise<Value<'settings', 'read'>> {
  expectReal(parts);
  const { settings, input } = await readParsed(parts.settingsFile);
  const { service, tool, streamDefaults } = settings;
  return {
    file: parts.settingsFile,
    dataFolder: parts.dataFolder,
    keyFor: parts.key.origin,
    service: { url: service.url, caFile: service.caFile },
    tool,
    streamDefaults: {
      pointsPerChunk: streamDefaults.pointsPerChunk,
      rollover: streamDefaults.rollover,
      closeAfterQuiet: closeAfterQuiet(input),
    },
  };
}

/** As it is written; `15min` is what stands for nothing. */
function closeAfterQuiet({ stream_defaults: defaults }: SettingsInput): string | null {
  const written = defaults?.close_after_quiet;
  return written === undefined ? '15min' : written;
}

/** What is the default already and does not stand in the file is not written into it. */
function changed(current: SettingsInput | null, form: Argument<'settings', 'save'>): SettingsInput {
  const { service, tool, streamDefaults } = form;
  const put = <T extends object>(former: T | undefined, wanted: T, defaults: Partial<T>): T => {
    const made = { ...former } as T;
    for (const key of Object.keys(wanted) as (keyof T)[]) {
      if (made[key] === undefined && wanted[key] === defaults[key]) continue;
      made[key] = wanted[key];
    }
    return made;
  };
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return {
    ...current,
    version: 1,
    service: put<NonNullable<SettingsInput['service']>>(
      current?.service,
      { url: service.url.trim(), ca_file: service.caFile?.trim() || null },
      { url: 'embedded', ca_file: null },
    ),
    tool: put<SettingsInput['tool']>(
      current?.tool,
      { name: tool.name, time_zone: tool.timeZone, synth_source_id: tool.synthSourceId },
      { time_zone: zone, synth_source_id: null },
    ),
    stream_defaults: put<NonNullable<SettingsInput['stream_defaults']>>(
      current?.stream_defaults,
      {
        points_per_chunk: streamDefaults.pointsPerChunk,
        rollover: streamDefaults.rollover,
        close_after_quiet: streamDefaults.closeAfterQuiet,
      },
      { points_per_chunk: 'auto', rollover: 'daily', close_after_quiet: '15min' },
    ),
  };
}
