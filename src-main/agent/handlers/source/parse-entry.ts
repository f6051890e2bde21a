// Reads a source's entry before it is saved, as it would stand in the settings.
import { AgentError } from '../../../model/agent-error.ts';
import { parseSettings } from '../../../settings/parse-settings.ts';
import type { SourceSettings } from '../../../settings/settings.ts';

type Kind = SourceSettings['kind'];
type Of<K extends Kind> = Extract<SourceSettings, { kind: K }>;

/** What an entry of another kind is told. */
export interface OtherKind {
  /** Follows the name of the field. */
  readonly message: string;
  readonly hint: string;
}

/**
 * Fill in what an entry leaves open. Takes the entry as the screen has it, the settings file that its paths count from, the
 * kind that it must be.
 *
 * @throws `source.invalid` with the first field that does not fit; nothing was opened or written.
 */
export function parseEntry<K extends Kind>(entry: unknown, settingsFile: string, kind: K, other: OtherKind): Of<K> {
  const file = { version: 1, tool: { name: 'look' }, sources: [entry] };
  const parsed = parseSettings(JSON.stringify(file), settingsFile);
  const settings = parsed.isValid ? parsed.settings.sources[0] : undefined;
  if (settings?.kind === kind) return settings as Of<K>;
  const fault = parsed.isValid ? null : parsed.faults[0];
  const field = fault?.path.replace(/^sources\[0\]\.?/, '') || 'kind';
  throw new AgentError({
    code: 'source.invalid',
    message: `${field}: ${fault?.message ?? other.message}.`,
    hint: fault?.hint ?? other.hint,
    retry: 'after-human',
  });
}
