import { inOrderOfInterest } from './channel-order.ts';

interface Named {
  readonly sourceId: string;
  readonly channel: string;
}

/** Make one text of source and channel, unlike that of any other pair. */
export const channelKey = ({ sourceId, channel }: Named): string => JSON.stringify([sourceId, channel]);

/** Most channels in one plot. */
export const CHANNELS_MAX = 20;
/** Channels that a plot shows before anybody chose. */
const FIRST_CHOICE = 6;
const FIRST_UNITS = 3;

/**
 * Choose channels for somebody who has not chosen.
 *
 * @param channels - all channels in their order.
 * @returns the keys of at most six, of the three units that a grower looks at first, at most two of each, so that the first
 *   look shows different things.
 */
export function pickFirst(channels: readonly (Named & { readonly unit: string })[]): ReadonlySet<string> {
  const ordered = inOrderOfInterest(channels);
  const units = [...new Set(ordered.map(({ unit }) => unit))].slice(0, FIRST_UNITS);
  const picked = units.flatMap((unit) =>
    ordered.filter((channel) => channel.unit === unit).slice(0, FIRST_CHOICE / FIRST_UNITS),
  );
  return new Set(picked.map(channelKey));
}
