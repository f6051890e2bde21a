import { ActionIcon, Button, SegmentedControl } from '@mantine/core';
import { IconArrowLeft, IconArrowRight, IconPlayerPlay, IconZoomIn, IconZoomOut } from '@tabler/icons-react';
import { formatDuration } from '../../format/duration.ts';
import { formatClock, formatDay } from '../../format/time.ts';
import { isLive, type Span } from '../../state/plot.ts';
import layout from '../../ui/layout.module.css';
import { moved, zoomed } from '../../ui/plot/move-span.ts';
import type { Scale } from '../../ui/plot/plotted-line.ts';
import { Quiet } from '../../ui/quiet.tsx';
import { type PlotState, windows } from './plot-view.ts';
import classes from './plots.module.css';

const SIZE_PX = 44;
const DEFAULT_LAST_MS = 600_000;
const scales = [
  { value: 'auto', label: 'Auto' },
  { value: 'linear', label: 'Linear' },
  { value: 'log', label: 'Log' },
];

interface SpanControlsProps {
  state: PlotState;
  span: Span;
  onSpan: (span: Span) => void;
  onLast: (lastMs: number) => void;
  onScale: (scale: Scale) => void;
}

/** Which time is shown, and how to move in it; each way with a button of its own, for keyboards and gloves. */
export function SpanControls({ state, span, onSpan, onLast, onScale }: SpanControlsProps) {
  const live = isLive(state.view);
  const current = isLive(state.view) ? String(state.view.lastMs) : '';
  const { fromMs, toMs } = span;
  const go = (next: { from: number; to: number }) => onSpan({ fromMs: next.from, toMs: next.to });
  const here = { from: fromMs, to: toMs };
  const moves = [
    { label: 'Earlier', icon: IconArrowLeft, to: () => go(moved(here, -0.5)) },
    { label: 'Later', icon: IconArrowRight, to: () => go(moved(here, 0.5)) },
    { label: 'Zoom in', icon: IconZoomIn, to: () => go(zoomed(here, 0.5)) },
    { label: 'Zoom out', icon: IconZoomOut, to: () => go(zoomed(here, 2)) },
  ];
  const day = formatDay(fromMs) === formatDay(toMs) ? '' : `${formatDay(toMs)}, `;
  return (
    <div className={layout.closeStack}>
      <div className={classes.controls}>
        <SegmentedControl
          aria-label="Newest time shown"
          data={windows.map(({ value, label }) => ({ value: String(value), label }))}
          value={current}
          onChange={(value) => onLast(Number(value))}
        />
        <div className={classes.moves}>
          {moves.map(({ label, icon: Icon, to }) => (
            <ActionIcon key={label} variant="default" size={SIZE_PX} aria-label={label} title={label} onClick={to}>
              <Icon size="1.25rem" aria-hidden="true" />
            </ActionIcon>
          ))}
          <Button
            variant={live ? 'filled' : 'default'}
            aria-pressed={live}
            leftSection={<IconPlayerPlay size="1.125rem" aria-hidden="true" />}
            onClick={() => onLast(isLive(state.view) ? state.view.lastMs : nearestWindow(toMs - fromMs))}
          >
            Live
          </Button>
        </div>
        <ScaleSwitch scale={state.scale} onScale={onScale} />
      </div>
      <Quiet>
        {formatDay(fromMs)}, {formatClock(fromMs)} to {day}
        {formatClock(toMs)} ({formatDuration(toMs - fromMs)}){live ? ', live' : ''}. Drag to zoom, Shift and drag to
        move, Ctrl and wheel to zoom.
      </Quiet>
    </div>
  );
}

/** Whether values are drawn over decades. */
export function ScaleSwitch({ scale, onScale }: { scale: Scale; onScale: (scale: Scale) => void }) {
  return (
    <SegmentedControl aria-label="Scale" data={scales} value={scale} onChange={(value) => onScale(value as Scale)} />
  );
}

/** The offered window that is nearest to a span. */
export function nearestWindow(lengthMs: number): number {
  const by = (value: number) => Math.abs(Math.log(value / lengthMs));
  return [...windows].sort((a, b) => by(a.value) - by(b.value))[0]?.value ?? DEFAULT_LAST_MS;
}
