import type { Series } from './points.ts';

/**
 * Choose series by the names that a person gave.
 *
 * @param names - `channel`, or `source/channel`; none: all are chosen.
 * @returns says whether a series is chosen; and after all of them were asked about, which names are of none.
 */
export function chooseChannels(names: readonly string[]): {
  wants: (series: Series) => boolean;
  unknown: () => readonly string[];
} {
  const seen = new Set<string>();
  return {
    wants: ({ sourceId, channel }) => {
      const found = [channel, `${sourceId}/${channel}`].filter((name) => names.includes(name));
      for (const name of found) seen.add(name);
      return names.length === 0 || found.length > 0;
    },
    unknown: () => names.filter((name) => !seen.has(name)),
  };
}
