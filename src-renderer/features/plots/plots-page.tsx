import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { Snapshot } from '../../../src-main/contract/snapshot.ts';
import { formatExact, formatZoned } from '../../format/time.ts';
import { useExports } from '../../state/exports.ts';
import { CHANNELS_MAX, type PlotChannel, type Span, usePlotChannels } from '../../state/plot.ts';
import { isLive, spanOf, useGrowthsIn, useOlderEntries, useOlderLines, useReading } from '../../state/plots.ts';
import { faultOf } from '../../state/query-fault.ts';
import { ExportPanel } from '../../ui/export-panel.tsx';
import layout from '../../ui/layout.module.css';
import { Panel } from '../../ui/panel.tsx';
import { ChannelPicker } from '../../ui/plot/channel-picker.tsx';
import { channelKey, pickFirst } from '../../ui/plot/line-key.ts';
import { MarkFilter, useMarkChoice } from '../../ui/plot/mark-filter.tsx';
import { QueryFault } from '../../ui/query-fault.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import { ShareLink } from '../../ui/share-link.tsx';
import { FREEZE } from '../../ui/shortcut-keys.ts';
import { BesidePanels } from './beside-panels.tsx';
import { growthMarks } from './growth-marks.ts';
import { mergeLines } from './merge-lines.ts';
import { OlderNotice } from './older-notice.tsx';
import { keepState, type PlotState, readKept, readState, SPAN_MAX_MS, SPAN_MIN_MS, writeState } from './plot-view.ts';
import classes from './plots.module.css';
import { nearestWindow, SpanControls } from './span-controls.tsx';
import { UnitPlots } from './unit-plots.tsx';
import { words } from './words.ts';

const PATH = '/plots/';
/** While a person turns the wheel nothing is read; this long after the last step it is, milliseconds. */
const SETTLE_MS = 400;

/** Any channels together over any span of time, live or standing still. */
export function PlotsPage({ snapshot }: { snapshot: Snapshot }) {
  const [state, change] = usePlotState();
  const settled = useSettled(state.view);
  const channels = usePlotChannels();
  const known = channels.data ?? [];
  const keys = new Set(state.chosen ?? pickFirst(known));
  const shown = known.filter((channel) => keys.has(channelKey(channel))).slice(0, CHANNELS_MAX);
  const reading = useReading(shown, settled);
  const growths = useGrowthsIn(settled, snapshot.growth?.id ?? null);
  const olderEntries = useOlderEntries(shown, settled);
  const entries = olderEntries.data ?? [];
  const [wantsOlder, setWantsOlder] = useState(false);
  const older = useOlderLines(entries, shown, wantsOlder);
  // A plot that moves on shows what was read; one that stands still follows the hand at once.
  const span = isLive(state.view) ? (reading.data ?? spanOf(state.view)) : state.view;
  // Before the lines of event logs: of those there may be more than are drawn.
  const marks = [...growthMarks(growths.data?.growths ?? [], span), ...(reading.data?.marks ?? [])];
  const choice = useMarkChoice(marks);
  const hasMoreMarks = (reading.data?.hasMoreMarks ?? false) || (growths.data?.isCut ?? false);
  const fault = faultOf(channels, reading, olderEntries, growths);
  useFreeze(() =>
    change({ ...state, view: isLive(state.view) ? span : { lastMs: nearestWindow(span.toMs - span.fromMs) } }),
  );
  const setSpan = (wanted: Span) => change({ ...state, view: bounded(wanted) });
  const lines = mergeLines(reading.data?.lines ?? [], older.lines);
  const cutMs = Math.max(...lines.map(({ readFromMs }) => readFromMs ?? Number.NEGATIVE_INFINITY));
  return (
    <div className={layout.column}>
      <Panel
        title="Plots"
        aside={
          <div className={classes.aside}>
            <Button variant="default" component={Link} href="/compare">
              {words.compare}
            </Button>
            <ShareLink />
            <ChannelPicker
              channels={known}
              most={CHANNELS_MAX}
              chosen={keys}
              onChange={(chosen) => change({ ...state, chosen: [...chosen] })}
            />
          </div>
        }
      >
        <div className={layout.closeStack} data-testid="plots">
          <SpanControls
            state={state}
            span={span}
            onSpan={setSpan}
            onLast={(lastMs) => change({ ...state, view: { lastMs } })}
            onScale={(scale) => change({ ...state, scale })}
          />
          <QueryFault fault={fault} />
          {entries.length > 0 && (
            <OlderNotice entries={entries} reading={older} isWanted={wantsOlder} onWant={setWantsOlder} />
          )}
          {Number.isFinite(cutMs) && (
            <Quiet>
              Before {formatExact(cutMs)} not every point was looked through. Show a shorter time to see all.
            </Quiet>
          )}
          {channels.isPending && <Quiet>Asking for the channels.</Quiet>}
          {channels.data && known.length === 0 && (
            <Quiet>
              {snapshot.sources.length > 0
                ? 'Channels appear here with the first readings.'
                : 'There is nothing to plot yet: set up a source first.'}
            </Quiet>
          )}
          {known.length > 0 && shown.length === 0 && <Quiet>No channel is chosen. Choose some with "Channels".</Quiet>}
          {shown.length > 0 && !reading.data && !fault && <Quiet>Reading the points.</Quiet>}
          {shown.length > 0 && reading.data && <MarkFilter choice={choice} isMore={hasMoreMarks} />}
          {shown.length > 0 && reading.data && (
            <UnitPlots
              shown={shown}
              lines={lines}
              reading={reading.data}
              marks={choice.shown}
              span={span}
              scale={state.scale}
              ranges={state.ranges}
              onRanges={(ranges) => change({ ...state, ranges })}
              onSpan={setSpan}
            />
          )}
        </div>
      </Panel>
      {reading.data && shown.length > 0 && <BesidePanels reading={{ ...reading.data, marks, hasMoreMarks }} />}
      {shown.length > 0 && !isLive(state.view) && <PlotExport shown={shown} span={state.view} />}
      {shown.length > 0 && isLive(state.view) && <Quiet>To export what is shown, stop at a time: zoom or move.</Quiet>}
    </div>
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

/** The state of the page: from the address where it holds one, else what this browser kept. A change goes to both. */
function usePlotState(): readonly [PlotState, (state: PlotState) => void] {
  const [location, navigate] = useLocation();
  const word = location.startsWith(PATH) ? location.slice(PATH.length) : '';
  const [state, setState] = useState(() => readState(word) ?? readKept());
  const [written, setWritten] = useState(word);
  // Somebody opened another address, or went back.
  if (word !== written && word !== '') {
    setWritten(word);
    const read = readState(word);
    if (read && word !== writeState(state)) setState(read);
  }
  useEffect(() => {
    const timer = setTimeout(() => {
      const next = writeState(state);
      keepState(state);
      setWritten(next);
      navigate(PATH + next, { replace: true });
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [state]);
  return [state, setState];
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
