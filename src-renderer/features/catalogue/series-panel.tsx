import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import { formatCount, formatCounted } from '../../format/number.ts';
import { type EntrySeries, useEntrySeries } from '../../state/catalogue.ts';
import layout from '../../ui/layout.module.css';
import { Panel } from '../../ui/panel.tsx';
import { ChannelPicker } from '../../ui/plot/channel-picker.tsx';
import { CHANNELS_MAX, channelKey, pickFirst } from '../../ui/plot/line-key.ts';
import { Quiet } from '../../ui/quiet.tsx';
import classes from './catalogue.module.css';
import { Curves, type Drawn, nameCurves } from './curves.tsx';
import { EntryAnswers } from './entry-answers.tsx';

type Line = EntrySeries['lines'][number];

const ELAPSED = { kind: 'elapsed' } as const;

/** The time series of an entry over its time; of two entries over the time from the first point of each. */
export function SeriesPanel({ entries }: { entries: readonly Drawn[] }) {
  const asked = useEntrySeries(entries.map(({ dataId }) => dataId));
  const [picked, setPicked] = useState<ReadonlySet<string> | null>(null);
  const all = asked.map(({ data }) => data?.lines ?? []);
  const channels = all.map((lines, at) => lines.map((line) => channelOf(line, entries, at)));
  const keys = picked ?? new Set(channels.flatMap((own) => [...pickFirst(own)]));
  const data = asked.map((one) => one.data);
  const lines = useMemo(
    () =>
      nameCurves(
        all.flatMap((own, entry) => {
          const zeroMs = entries.length > 1 ? Math.min(...own.flatMap(({ timesMs }) => timesMs[0] ?? [])) : 0;
          return own
            .filter((line) => keys.has(channelKey(channelOf(line, entries, entry))))
            .map(({ name, unit, points, timesMs, values }) => ({
              ...{ entry, name, unit, values, title: formatCounted(points, 'point') },
              xs: zeroMs === 0 ? timesMs : timesMs.map((timeMs) => timeMs - zeroMs),
              ...(zeroMs === 0 ? {} : { zeroMs }),
            }));
        }),
        entries,
      ),
    [...data, entries, [...keys].join()],
  );
  const flat = all.flat();
  const points = flat.reduce((sum, line) => sum + line.points, 0);
  const isThinned = flat.some((line) => line.points > line.timesMs.length);
  const left = data.reduce((sum, one) => sum + (one?.left ?? 0), 0);
  return (
    <Panel
      title="Time series"
      aside={
        flat.length > 0 && (
          <div className={classes.actions}>
            {flat.length > 1 && (
              <ChannelPicker channels={channels.flat()} most={CHANNELS_MAX} chosen={keys} onChange={setPicked} />
            )}
            <Button
              variant="default"
              loading={asked.some(({ isFetching }) => isFetching)}
              onClick={() => asked.forEach(({ refetch }) => void refetch())}
            >
              Read again
            </Button>
          </div>
        )
      }
    >
      <EntryAnswers
        entries={entries}
        asked={asked}
        what="time series"
        isEmpty={(series) => (series?.lines.length ?? 0) === 0}
      >
        <div className={layout.stack} data-testid="series">
          {lines.length === 0 && <Quiet>No line is chosen.</Quiet>}
          <Curves
            key={entries.length}
            lines={lines.slice(0, CHANNELS_MAX)}
            {...(entries.length > 1 ? { axis: ELAPSED } : {})}
            whole="Whole time"
          />
          <Quiet>
            {formatCounted(points, 'point')} at the service
            {isThinned && '; long lines are thinned here, with their extremes kept'}
            {left > 0 && `; ${formatCount(left)} more lines are not shown`}. Drag over a plot to look closer.
          </Quiet>
        </div>
      </EntryAnswers>
    </Panel>
  );
}

/** A line as the picker offers it, under the name of its entry where there are two. */
function channelOf({ name, unit }: Line, entries: readonly Drawn[], at: number) {
  const sourceId = entries.length > 1 ? `${at + 1}. ${entries[at]?.name}` : 'Lines of this entry';
  return { sourceId, channel: name, unit };
}
