import { Button, SegmentedControl } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { formatDuration } from '../../format/duration.ts';
import { formatClock, formatDay } from '../../format/time.ts';
import { isLive, type Span } from '../../state/plot.ts';
import layout from '../../ui/layout.module.css';
import type { Scale } from '../../ui/plot/plotted-line.ts';
import { SpanButtons } from '../../ui/plot/span-buttons.tsx';
import { Quiet } from '../../ui/quiet.tsx';
import { type PlotState, windows } from './plot-view.ts';
import classes from './plots.module.css';

const DEFAULT_LAST_MS = 600_000;
const scales = [
  { value: 'auto', label: 'Auto' },
  { value: 'linear', label: 'Linear' },
  { value: 'log', label: 'Log' },
];

interface ControlsProps {
  state: PlotState;
  onChange: (state: PlotState) => void;
}

interface SpanControlsProps extends ControlsProps {
  span: Span;
  onSpan: (span: Span) => void;
}

/** Which time is shown, and how to move in it; each way with a button of its own, for keyboards and gloves. */
export function SpanControls({ state, span, onSpan, onChange }: SpanControlsProps) {
  const onLast = (lastMs: number) => onChange({ ...state, view: { lastMs } });
  const live = isLive(state.view);
  const current = isLive(state.view) ? String(state.view.lastMs) : '';
  const { fromMs, toMs } = span;
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
          <SpanButtons {...span} onSpan={onSpan} />
          <Button
            variant={live ? 'filled' : 'default'}
            aria-pressed={live}
            leftSection={<IconPlayerPlay size="1.125rem" aria-hidden="true" />}
            onClick={() => onLast(isLive(state.view) ? state.view.lastMs : nearestWindow(toMs - fromMs))}
          >
            Live
          </Button>
        </div>
        <ScaleSwitch state={state} onChange={onChange} />
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
export function ScaleSwitch({ state, onChange }: ControlsProps) {
  return (
    <SegmentedControl
      aria-label="Scale"
      data={scales}
      value={state.scale}
      onChange={(scale) => onChange({ ...state, scale: scale as Scale })}
    />
  );
}

/** The offered window that is nearest to a span. */
export function nearestWindow(lengthMs: number): number {
  const by = (value: number) => Math.abs(Math.log(value / lengthMs));
  return [...windows].sort((a, b) => by(a.value) - by(b.value))[0]?.value ?? DEFAULT_LAST_MS;
}
