import { Button } from '@mantine/core';
import { useState } from 'react';
import { isState } from '../../format/state-line.ts';
import { useCounterIds } from '../../state/contact.ts';
import { type Growth, sourcesOfGrowth } from '../../state/growth.ts';
import {
  LIVE_POINTS_MAX,
  type PlotChannel,
  type PlotGap,
  type PlotLine,
  type PlotMark,
  type Span,
  steadyEnd,
  usePlot,
  usePlotChannels,
} from '../../state/plot.ts';
import { faultOf } from '../../state/query-fault.ts';
import layout from '../../ui/layout.module.css';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { MarkFilter, useMarkChoice } from '../../ui/plot/mark-filter.tsx';
import { NOTES } from '../../ui/plot/mark-sources.ts';
import { SpanButtons } from '../../ui/plot/span-buttons.tsx';
import { findTicks } from '../../ui/plot/time-ticks.ts';
import { QueryFault } from '../../ui/query-fault.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import { GrowthValues } from './growth-values.tsx';
import { MarkList } from './mark-list.tsx';
import classes from './timeline.module.css';
import { Timeline, type TimelineRow } from './timeline.tsx';
import { findOn, gapsOf } from './timeline-rows.ts';

/** Channels without a unit that are read for states: more are no timeline any more. */
const STATES_MAX = 60;
/** Steps of the axis of time. */
const TICKS_MAX = 6;
/** Less than this is not shown, milliseconds. */
const SPAN_MIN_MS = 1_000;

interface TimelinePanelProps {
  growth: Growth;
  nowMs: number;
}

/** A growth over its time: parts, RHEED sessions, states as bars, gaps, marks; and below the values of chosen channels. */
export function TimelinePanel({ growth, nowMs }: TimelinePanelProps) {
  const [chosen, setChosen] = useState<Span | null>(null);
  const whole = { fromMs: growth.startedMs, toMs: endOf(growth, nowMs) };
  const span = chosen ?? whole;
  const sourceIds = sourcesOfGrowth(growth);
  const channels = usePlotChannels();
  // A count of frames is no state.
  const counterIds = useCounterIds();
  const own = (channels.data ?? []).filter(({ sourceId }) => sourceIds.includes(sourceId));
  const without = own.filter(({ unit, sourceId }) => unit === '' && !counterIds.includes(sourceId));
  const { reading, older } = usePlot({
    of: `states of ${growth.id} in ${sourceIds.join()}`,
    channels: without.slice(0, STATES_MAX),
    sourceIds,
    view: span,
    maxPoints: LIVE_POINTS_MAX,
  });
  const { lines = [], gaps = [], marks = [], hasMoreMarks = false } = reading.data ?? {};
  const choice = useMarkChoice(marks);
  const states = lines.filter(isState);
  const show = (wanted: Span) => setChosen(keepInside(wanted, whole));
  const restartsMs = growth.restarts.map(({ atMs }) => atMs).filter((atMs) => atMs >= span.fromMs && atMs <= span.toMs);
  const ticks = findTicks({ from: span.fromMs, to: span.toMs }, TICKS_MAX);
  const rows = rowsOf({ growth, states, gaps, marks: choice.shown, span });
  return (
    <Panel
      title="Timeline"
      aside={
        <div className={classes.controls}>
          <SpanButtons {...span} onSpan={show} />
          <Button variant="default" disabled={chosen === null} onClick={() => setChosen(null)}>
            Whole growth
          </Button>
        </div>
      }
    >
      <div className={layout.closeStack}>
        <QueryFault fault={faultOf(channels, reading, older)} />
        {(older.data?.length ?? 0) > 0 && (
          <Notice
            tone="busy"
            message="Older points are on the service only and not drawn."
            hint="The page Plots and the catalogue entries of the streams show them from the service."
          />
        )}
        <MarkFilter choice={choice} isMore={hasMoreMarks} />
        <Timeline rows={rows} span={span} ticks={ticks} />
        <StateWords isPending={reading.isPending && own.length > 0} states={states.length} looked={without.length} />
        {reading.data && <MarkList reading={reading.data} restartsMs={restartsMs} />}
        <GrowthValues
          key={growth.id}
          id={growth.id}
          channels={own.filter((channel) => !states.some((state) => isSame(state, channel)))}
          marks={choice.shown}
          span={span}
          ticks={ticks}
          onSpan={show}
        />
      </div>
    </Panel>
  );
}

function StateWords({ isPending, states, looked }: { isPending: boolean; states: number; looked: number }) {
  if (isPending) return <Quiet>Reading the states.</Quiet>;
  if (states > 0) return <Quiet>Bars show open shutters.</Quiet>;
  if (looked > 0) return <Quiet>No shutters found (a shutter is a unitless channel with only 0 and 1).</Quiet>;
  return <Quiet>No source of this growth tells a state, so no shutter is drawn.</Quiet>;
}

interface RowParts {
  growth: Growth;
  states: readonly PlotLine[];
  gaps: readonly PlotGap[];
  marks: readonly PlotMark[];
  span: Span;
}

function rowsOf({ growth, states, gaps, marks, span }: RowParts): TimelineRow[] {
  const { parts, restarts } = growth;
  const sessions = parts.flatMap(({ rheed }) => rheed);
  const named = parts.map(({ fromMs, toMs, name }) => ({
    fromMs,
    toMs: toMs ?? span.toMs,
    text: name === '' ? 'not named' : name,
  }));
  const row = (kind: TimelineRow['kind'], label: string, rest: Partial<TimelineRow>): TimelineRow => ({
    key: `${kind} ${label}`,
    label,
    kind,
    stretches: [],
    places: [],
    ...rest,
  });
  return [
    row('part', parts.length > 1 ? 'Parts' : 'Name', { stretches: named }),
    ...[...new Set(sessions.map(({ sourceId }) => sourceId))].map((sourceId) =>
      row('rheed', `RHEED ${sourceId}`, {
        stretches: sessions
          .filter((session) => session.sourceId === sourceId)
          .map(({ startedMs, endedMs, name }) => ({ fromMs: startedMs, toMs: endedMs ?? span.toMs, text: name })),
      }),
    ),
    ...states.map((line) =>
      row('state', line.channel, {
        key: `state ${line.sourceId} ${line.channel}`,
        stretches: findOn(line, gapsOf(gaps, line.sourceId)),
      }),
    ),
    row('gap', 'Gaps', {
      stretches: gaps.map(({ fromMs, toMs, sourceId, cause }) => ({ fromMs, toMs, text: `${sourceId}, ${cause}` })),
    }),
    row('note', 'Notes', { places: marks.filter(({ sourceId }) => sourceId === NOTES) }),
    ...[...Map.groupBy(marks, ({ sourceId }) => sourceId)]
      .filter(([sourceId]) => sourceId !== NOTES)
      .map(([sourceId, places]) => row('mark', `Marks of ${sourceId}`, { places })),
    ...(restarts.length > 0
      ? [row('restart', 'Restarts', { places: restarts.map(({ atMs }) => ({ timeMs: atMs, text: 'restarted' })) })]
      : []),
  ];
}

const isSame = (one: PlotChannel, other: PlotChannel) =>
  one.sourceId === other.sourceId && one.channel === other.channel;

function endOf({ startedMs, endedMs }: Growth, nowMs: number): number {
  return endedMs === null ? steadyEnd(startedMs, nowMs) : Math.max(endedMs, startedMs + SPAN_MIN_MS);
}

/** A span that a person wants, inside of the growth; null: the whole of it. */
function keepInside({ fromMs, toMs }: Span, whole: Span): Span | null {
  const length = Math.max(SPAN_MIN_MS, toMs - fromMs);
  if (length >= whole.toMs - whole.fromMs) return null;
  const from = Math.min(Math.max(fromMs, whole.fromMs), whole.toMs - length);
  return { fromMs: from, toMs: from + length };
}
