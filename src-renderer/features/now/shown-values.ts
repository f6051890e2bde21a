import type { Snapshot, SourceView } from '../../../src-main/contract/snapshot.ts';
import { LEVELS } from '../../format/levels.ts';
import { formatMeasured } from '../../format/number.ts';
import { useChosenValues } from '../../state/chosen-values.ts';
import { type PlotChannel, type PlotLine, useNewest, usePlotChannels } from '../../state/plot.ts';
import { faultOf, type QueryFault } from '../../state/query-fault.ts';
import { addBehind, inOrderOfInterest } from '../../ui/plot/channel-order.ts';
import { channelKey } from '../../ui/plot/line-key.ts';

/** Values that stand first before anybody chose. */
const FIRST_VALUES = 8;

/** A value with where it comes from, its newest minutes, and whether it is old. */
export interface ShownValue {
  readonly key: string;
  /** Of its channel, with the source where another one has the same. */
  readonly name: string;
  readonly channel: PlotChannel;
  readonly line: PlotLine;
  /** The newest one with its unit, how old it is, and whether it is no longer the value of now. */
  readonly text: string;
  readonly ageMs: number;
  readonly isOld: boolean;
}

export interface ShownValues {
  /** All channels there are. */
  readonly known: readonly PlotChannel[];
  readonly values: readonly ShownValue[];
  /** Why they are old, or not there; null: they are of this moment. */
  readonly fault: QueryFault | null;
}

/**
 * Follow the values that stand first: those that a person chose, in their order, or those that growers look at first.
 *
 * @param sources - as the snapshot has them.
 */
export function useShownValues(sources: readonly SourceView[], nowMs: number): ShownValues {
  const channels = usePlotChannels();
  const known = channels.data ?? [];
  const chosen = useChosenValues();
  const byKey = new Map(known.map((channel) => [channelKey(channel), channel]));
  const shown = (chosen ?? keepFirst(inOrderOfInterest(known).map(channelKey))).flatMap((key) => byKey.get(key) ?? []);
  const newest = useNewest(shown);
  const lines = new Map((newest.data?.lines ?? []).map((line) => [channelKey(line), line]));
  const sourceOf = new Map(sources.map((source) => [source.id, source]));
  const values = shown.map((channel): ShownValue => {
    const key = channelKey(channel);
    const source = sourceOf.get(channel.sourceId);
    // A source that is not there any more reads nothing.
    const line = lines.get(key) ?? { ...channel, timesMs: [], values: [], readFromMs: null, statistics: null };
    const last = line.values.at(-1);
    const ageMs = nowMs - (line.timesMs.at(-1) ?? nowMs);
    const isAlone = shown.every((other) => other === channel || other.channel !== channel.channel);
    return {
      key,
      name: isAlone ? channel.channel : `${channel.channel} (${channel.sourceId})`,
      channel,
      line,
      text: last === undefined ? '–' : formatMeasured(last, channel.unit),
      ageMs,
      isOld: last !== undefined && (source?.health !== 'giving' || ageMs > source.lateAfterMs),
    };
  });
  return { known, values, fault: faultOf(channels, newest) };
}

/** Keys of the values that were shown before anybody chose: new channels never move them. */
let first: readonly string[] = [];

function keepFirst(keys: readonly string[]): readonly string[] {
  first = addBehind(first, keys, FIRST_VALUES);
  return first;
}

/** The level that channels have reached, by their keys; those that are within their limits are not there. */
export function alarmWords({ alarms }: Pick<Snapshot, 'alarms'>): ReadonlyMap<string, string> {
  return new Map(alarms.map((alarm) => [channelKey(alarm), LEVELS[alarm.level]]));
}
