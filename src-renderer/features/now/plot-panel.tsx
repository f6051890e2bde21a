import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useMemo, useRef, useState } from 'react';
import 'uplot/dist/uPlot.min.css';
import type { GapView } from '../../../src-main/contract/snapshot.ts';
import { breakAtGaps } from '../../format/line-gaps.ts';
import { formatMeasured, isPressureUnit } from '../../format/number.ts';
import { formatClock, formatZone } from '../../format/time.ts';
import type { PlotLine } from '../../state/plot.ts';
import classes from './now.module.css';
import { openPlot, type PlotHandle } from './open-plot.ts';

interface PlotPanelProps {
  unit: string;
  /** The lines of this unit with their place in the row of colours. */
  lines: readonly (PlotLine & { colour: number })[];
  /** Gaps of any source. */
  gaps: readonly GapView[];
  fromMs: number;
  toMs: number;
}

/** The lines of one unit over time, with their newest values, or those under the cursor, as text beside them. */
export function PlotPanel({ unit, lines, gaps, fromMs, toMs }: PlotPanelProps) {
  const scheme = useComputedColorScheme('light');
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<PlotHandle | null>(null);
  const [cursorMs, setCursorMs] = useState<number | null>(null);
  const isLog = isPressureUnit(unit) && spansDecades(lines);
  const shape = JSON.stringify(lines.map(({ sourceId, channel, colour }) => [sourceId, channel, colour]));
  const { drawn, bands } = useMemo(() => {
    const shown = gaps.filter((gap) => gap.toMs >= fromMs && gap.fromMs <= toMs);
    const gapsOf = (sourceId: string) => shown.filter((gap) => gap.sourceId === sourceId);
    return {
      drawn: lines.map(({ sourceId, timesMs, values }) => breakAtGaps(timesMs, values, gapsOf(sourceId))),
      bands: shown.filter((gap) => lines.some(({ sourceId }) => sourceId === gap.sourceId)),
    };
  }, [lines, gaps, fromMs, toMs]);

  // A new canvas for other lines or another colour scheme; new data alone only moves what is there.
  // `shape` and `scheme` stand for what the canvas is made of.
  useEffect(() => {
    if (place.current === null) return undefined;
    const opened = openPlot(place.current, {
      unit,
      isLog,
      colours: lines.map(({ colour }) => colour),
      onCursor: setCursorMs,
    });
    plot.current = opened;
    return () => {
      opened.close();
      plot.current = null;
    };
  }, [shape, scheme, unit, isLog]);
  // A new canvas needs the data again, so its makings are named here too.
  useEffect(
    () => plot.current?.draw(drawn, bands, fromMs, toMs),
    [drawn, bands, fromMs, toMs, shape, scheme, unit, isLog],
  );

  const hasPoints = lines.some(({ timesMs }) => timesMs.length > 0);
  return (
    <figure className={classes.plot}>
      <figcaption className={classes.legend}>
        {lines.map((line) => (
          <span key={`${line.sourceId} ${line.channel}`} className={classes.legendItem} title={line.sourceId}>
            <LineSwatch colour={line.colour} />
            <bdi>{line.channel}</bdi>
            <strong>{valueAt(line, cursorMs)}</strong>
          </span>
        ))}
        {bands.length > 0 && <span className={classes.legendTime}>grey: a gap</span>}
        {cursorMs !== null && (
          <span className={classes.legendTime}>
            at {formatClock(cursorMs)} {formatZone(cursorMs)}
          </span>
        )}
      </figcaption>
      <div
        ref={place}
        className={classes.canvas}
        role="img"
        aria-label={`${lines.map(({ channel }) => channel).join(', ')} over time, in ${unit || 'numbers'}`}
      />
      {!hasPoints && <p className={classes.noPoints}>No reading in this time.</p>}
    </figure>
  );
}

function LineSwatch({ colour }: { colour: number }) {
  return (
    <svg width={22} height={10} aria-hidden="true" style={{ color: `var(--line-${colour % 10})` }}>
      <path d="M0 5H22" stroke="currentColor" strokeWidth={3} strokeDasharray={colour < 10 ? undefined : '5 3'} />
    </svg>
  );
}

/** The newest value, or the one nearest before the cursor. */
function valueAt({ timesMs, values, unit }: PlotLine, cursorMs: number | null): string {
  const index = cursorMs === null ? timesMs.length - 1 : timesMs.findLastIndex((timeMs) => timeMs <= cursorMs);
  const value = values[index];
  return value === undefined ? '–' : formatMeasured(value, unit);
}

/** More than two decades between the smallest and the largest value, all above zero. */
function spansDecades(lines: readonly PlotLine[]): boolean {
  let min = Number.POSITIVE_INFINITY;
  let max = 0;
  for (const { values } of lines) {
    for (const value of values) {
      min = Math.min(min, value);
      max = Math.max(max, value);
    }
  }
  return min > 0 && max > 100 * min;
}
