import type { Settings } from '../settings/settings.ts';
import type { Facts } from './status/facts.ts';

type Known = 'atMs' | 'version' | 'phase' | 'failure' | 'isTrial' | 'journal' | 'updates';

export interface RestingParts extends Pick<Facts, Known> {
  /** Those of the last run; null before the first. */
  readonly settings: Settings | null;
  /** Why the PC may fall asleep; null: it does not, or may. */
  readonly awakeProblem: string | null;
}

/** What the screen is told while nothing runs. */
export function restingFacts({ settings, awakeProblem, ...known }: RestingParts): Facts {
  return {
    ...known,
    toolName: settings?.tool.name ?? null,
    timeZone: settings?.tool.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    awake: { isWanted: settings?.keepAwake ?? true, problem: awakeProblem },
    service: null,
    sources: [],
    tally: null,
    uploads: new Map(),
    former: [],
    alarms: [],
    store: null,
    growth: null,
    ready: null,
  };
}
