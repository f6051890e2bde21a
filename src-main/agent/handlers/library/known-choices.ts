// Projects and samples that catalogue entries name. The interface lists neither, so this is as complete as the entries
// that were looked at.
import type { ServiceClient } from '../../../delivery/client/client.ts';
import { viewEntry } from '../catalogue/entry-view.ts';

/** Entries that are looked at at most, newest first; read in pages, so that no answer holds up the agent. */
const ENTRIES_MAX = 5000;
const PAGE = 1000;

interface Named {
  readonly id: string;
  readonly name: string;
  /** Entries that name it. */
  readonly entries: number;
}

export interface KnownChoices {
  readonly projects: Named[];
  readonly samples: Named[];
  readonly looked: number;
  /** All entries were looked at. */
  readonly isWhole: boolean;
}

/**
 * Look through the newest entries.
 *
 * @throws the ServiceError of the call.
 */
export async function findChoices(
  client: Pick<ServiceClient, 'listDataEntries'>,
  signal: AbortSignal,
): Promise<KnownChoices> {
  const projects = new Map<string, Named>();
  const samples = new Map<string, Named>();
  const count = (of: Map<string, Named>, id: string | null, name: string) => {
    if (id === null || id === '') return;
    const known = of.get(id);
    of.set(id, { id, name: known?.name || name, entries: (known?.entries ?? 0) + 1 });
  };
  let looked = 0;
  let isWhole = false;
  while (looked < ENTRIES_MAX && !isWhole) {
    const page = await client.listDataEntries({ limit: PAGE, offset: looked }, { signal });
    for (const entry of page.map(viewEntry)) {
      count(samples, entry.sampleId, entry.sampleName ?? '');
      for (const { id, name } of entry.projects) count(projects, id, name);
    }
    looked += page.length;
    isWhole = page.length < PAGE;
  }
  return { projects: [...projects.values()], samples: [...samples.values()], looked, isWhole };
}
