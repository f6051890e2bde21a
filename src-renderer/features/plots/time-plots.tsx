import { useEffect, useMemo, useRef, useState } from 'react';
import { formatExact, formatZoned } from '../../format/time.ts';
import { useExports } from '../../state/exports.ts';
import { type useGrowthList, useGrowthsSince } from '../../state/growth.ts';
import { usePlottedLimits } from '../../state/limits.ts';
import { useOlderLines } from '../../state/older-lines.ts';
import { isLive, isPast, type PlotChannel, type Span, sourcesOf, spanOf, usePlot } from '../../state/plot.ts';
import { faultOf } from '../../state/query-fault.ts';
import { ExportPanel } from '../../ui/export-panel.tsx';
import { channelKey } from '../../ui/plot/line-key.ts';
import { MarkFilter, useMarkChoice } from '../../ui/plot/mark-filter.tsx';
import type { PlottedMark } from '../../ui/plot/plotted-line.ts';
import { toPlotted } from '../../ui/plot/to-plotted.ts';
import { UnitPlots } from '../../ui/plot/unit-plots.tsx';
import { QueryFault } from '../../ui/query-fault.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import { FREEZE } from '../../ui/shortcut-keys.ts';
import { BesidePanels } from './beside-panels.tsx';
import { growthMarks } from './growth-marks.ts';
import { mergeLines } from './merge-lines.ts';
import { OlderNotice } from './older-notice.tsx';
import { type PlotState, SPAN_MAX_MS, SPAN_MIN_MS } from './plot-view.ts';
import { nearestWindow, SpanControls } from './span-controls.tsx';

/** While a person turns the wheel nothing is read; this long after the last step it is, milliseconds. */
const SETTLE_MS = 400;
/** More marks than this at once would be a wall, not marks. */
const MARKS_MAX = 200;

interface TimePlotsProps {
  list: ReturnType<typeof useGrowthList>;
  state: PlotState;
  shown: readonly PlotChannel[];
  onChange: (state: PlotState) => void;
  /** Puts the plots into the panel of the page. */
  frame: (plots: React.ReactNode) => React.ReactNode;
}

/** Channels together over any span of time, live or standing still, with marks, gaps and cells beside them. */
export function TimePlots({ list, state, shown, onChange, frame }: TimePlotsProps) {
  const settled = useSettled(state.view);
  const { reading, older: olderEntries } = usePlot({ of: 'plots', channels: shown, view: settled });
  const limits = usePlottedLimits();
  const entries = olderEntries.data ?? [];
  const [wantsOlder, setWantsOlder] = useState(false);
  const older = useOlderLines(entries, shown, wantsOlder);
  // A plot that moves on shows what was read; one that stands still follows the hand at once.
  const span = isLive(state.view) ? (reading.data ?? spanOf(state.view, sourcesOf(shown))) : state.view;
  // Before the lines of event logs: of those there may be more than are drawn.
  const marks = [
    ...growthMarks(list.data?.pages.flatMap(({ growths }) => growths) ?? [], span),
    ...(reading.data?.marks ?? []),
  ];
  const choice = useMarkChoice(marks);
  const hasMoreMarks = useGrowthsSince(list, span.fromMs) || (reading.data?.hasMoreMarks ?? false);
  const fault = faultOf(reading, olderEntries, limits);
  useFreeze(() =>
    onChange({ ...state, view: isLive(state.view) ? span : { lastMs: nearestWindow(span.toMs - span.fromMs) } }),
  );
  const setSpan = (wanted: Span) => onChange({ ...state, view: bounded(wanted) });
  const lines = useMemo(() => mergeLines(reading.data?.lines ?? [], older.lines), [reading.data, older.lines]);
  const cutMs = Math.max(...lines.map(({ readFromMs }) => readFromMs ?? Number.NEGATIVE_INFINITY));
  const keys = shown.map(channelKey);
  const plotted = useMemo(() => {
    const gaps = reading.data?.gaps ?? [];
    return lines.map((line) => toPlotted(line, Math.max(0, keys.indexOf(channelKey(line))), gaps, limits.data));
    // The lines come with their gaps.
  }, [lines, keys.join(), limits.data]);
  const events = choice.shown.slice(0, MARKS_MAX).map(({ timeMs, text }): PlottedMark => ({ at: timeMs, text }));
  return (
    <>
      {frame(
        <>
          <SpanControls state={state} span={span} onSpan={setSpan} onChange={onChange} />
          <QueryFault fault={fault} />
          {entries.length > 0 && (
            <OlderNotice entries={entries} reading={older} isWanted={wantsOlder} onWant={setWantsOlder} />
          )}
          {reading.data && isPast(state.view, reading.data) && (
            <Quiet>The newest reading is of {formatExact(reading.data.toMs)}; the plot ends there.</Quiet>
          )}
          {Number.isFinite(cutMs) && (
            <Quiet>
              Before {formatExact(cutMs)} not every point was looked through. Show a shorter time to see all.
            </Quiet>
          )}
          {shown.length > 0 && !reading.data && !fault && <Quiet>Reading the points.</Quiet>}
          {shown.length > 0 && reading.data && (
            <>
              <MarkFilter choice={choice} isMore={hasMoreMarks} />
              <UnitPlots
                lines={plotted}
                marksOf={({ lines: own }) => [
                  ...events,
                  ...reading.data.cells
                    .filter((cell) => own.some(({ key }) => key === channelKey(cell)))
                    .map(({ timeMs, text }) => ({ at: timeMs, text, isNoNumber: true })),
                ]}
                from={span.fromMs}
                to={span.toMs}
                scale={state.scale}
                ranges={state.ranges}
                ownAxes={state.ownAxes}
                onRanges={(ranges) => onChange({ ...state, ranges })}
                onOwnAxes={(ownAxes) => onChange({ ...state, ownAxes })}
                onSpan={({ from, to }) => setSpan({ fromMs: from, toMs: to })}
              />
            </>
          )}
        </>,
      )}
      {reading.data && shown.length > 0 && <BesidePanels reading={{ ...reading.data, marks, hasMoreMarks }} />}
      {shown.length > 0 && !isLive(state.view) && <PlotExport shown={shown} span={state.view} />}
      {shown.length > 0 && isLive(state.view) && <Quiet>To export what is shown, stop at a time: zoom or move.</Quiet>}
    </>
  );
}

/** The shown channels over the shown time as a file. */
function PlotExport({ shown, span: { fromMs, toMs } }: { shown: readonly PlotChannel[]; span: Span }) {
  const exporting = useExports({ fromMs, toMs });
  const name = `plot ${formatZoned(fromMs)}`.replaceAll(':', '');
  return (
    <ExportPanel
      name={name}
      exporting={exporting}
      channels={shown.map(({ sourceId, channel }) => `${sourceId}/${channel}`)}
    />
  );
}

/** The space bar stops a plot that follows the time, and lets it follow again. */
function useFreeze(toggle: () => void): void {
  const latest = useRef(toggle);
  latest.current = toggle;
  useEffect(() => {
    const listen = (event: Event) => {
      event.preventDefault();
      latest.current();
    };
    window.addEventListener(FREEZE, listen);
    return () => window.removeEventListener(FREEZE, listen);
  }, []);
}

/** A view that has stood still for a moment; a live one is taken at once. */
function useSettled(view: PlotState['view']): PlotState['view'] {
  const [settled, setSettled] = useState(view);
  const word = JSON.stringify(view);
  useEffect(() => {
    if (isLive(view)) return setSettled(view);
    const timer = setTimeout(() => setSettled(view), SETTLE_MS);
    return () => clearTimeout(timer);
    // `word` stands for the view.
  }, [word]);
  return settled;
}

/** Not shorter and not longer than a plot can be. */
function bounded({ fromMs, toMs }: Span): Span {
  const middle = (fromMs + toMs) / 2;
  const half = Math.min(Math.max(toMs - fromMs, SPAN_MIN_MS), SPAN_MAX_MS) / 2;
  return { fromMs: middle - half, toMs: middle + half };
}
