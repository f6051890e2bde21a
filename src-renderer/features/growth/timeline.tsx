import { formatDuration } from '../../format/duration.ts';
import { formatCounted } from '../../format/number.ts';
import { formatClock, formatExact } from '../../format/time.ts';
import type { Span } from '../../state/plot.ts';
import { tickTexts } from '../../ui/plot/time-ticks.ts';
import classes from './timeline.module.css';
import { lengthWithin, type Stretch } from './timeline-rows.ts';

/** One row of the timeline: stretches as bars, or places as marks. */
export interface TimelineRow {
  readonly key: string;
  readonly label: string;
  readonly kind: 'part' | 'rheed' | 'state' | 'gap' | 'note' | 'mark' | 'restart';
  readonly stretches: readonly Stretch[];
  readonly places: readonly { readonly timeMs: number; readonly text: string }[];
}

/** Marks that are drawn in a row: more stand closer than a pixel. */
const PLACES_MAX = 500;

interface TimelineProps {
  rows: readonly TimelineRow[];
  span: Span;
  /** Where the axis has its ticks, Unix milliseconds. */
  ticks: readonly number[];
}

/** Rows over one axis of time. Each row says as text what it shows. */
export function Timeline({ rows, span, ticks }: TimelineProps) {
  const texts = tickTexts(ticks, { from: span.fromMs, to: span.toMs });
  return (
    <div className={classes.timeline} data-testid="timeline">
      <ul className={classes.rows}>
        {rows.map((row) => (
          <li key={row.key} className={classes.row}>
            <bdi className={classes.label} title={row.label}>
              {row.label}
            </bdi>
            <div className={classes.track} role="img" aria-label={rowWords(row, span)}>
              {ticks.map((tick) => (
                <span key={tick} className={classes.grid} style={{ left: percent(tick, span) }} />
              ))}
              {row.stretches.filter(isWithin(span)).map((stretch) => (
                <span
                  key={`${stretch.fromMs} ${stretch.toMs} ${stretch.text}`}
                  className={classes.bar}
                  data-kind={row.kind}
                  title={titleOf(stretch)}
                  style={{ left: percent(stretch.fromMs, span), width: widthOf(stretch, span) }}
                >
                  {row.kind === 'part' && <bdi>{stretch.text}</bdi>}
                </span>
              ))}
              {row.places
                .filter(({ timeMs }) => timeMs >= span.fromMs && timeMs <= span.toMs)
                .slice(0, PLACES_MAX)
                .map(({ timeMs, text }) => (
                  <span
                    key={`${timeMs} ${text}`}
                    className={classes.place}
                    data-kind={row.kind}
                    title={`${formatExact(timeMs)}: ${text}`}
                    style={{ left: percent(timeMs, span) }}
                  />
                ))}
            </div>
          </li>
        ))}
      </ul>
      <div className={classes.axis} aria-hidden="true">
        {ticks.map((tick, at) => (
          <span key={tick} style={{ left: percent(tick, span) }}>
            {texts[at]}
          </span>
        ))}
      </div>
      <p className={classes.zone}>
        {formatClock(span.fromMs)} to {formatClock(span.toMs)}, {formatDuration(span.toMs - span.fromMs)}
      </p>
    </div>
  );
}

const isWithin =
  ({ fromMs, toMs }: Span) =>
  (stretch: Stretch) =>
    stretch.toMs >= fromMs && stretch.fromMs <= toMs;

function percent(timeMs: number, { fromMs, toMs }: Span): string {
  const part = (timeMs - fromMs) / (toMs - fromMs);
  return `${(100 * Math.min(1, Math.max(0, part))).toFixed(3)}%`;
}

function widthOf(stretch: Stretch, span: Span): string {
  return `${((100 * lengthWithin([stretch], span)) / (span.toMs - span.fromMs)).toFixed(3)}%`;
}

const titleOf = ({ fromMs, toMs, text }: Stretch) =>
  `${text === '' ? '' : `${text}: `}${formatExact(fromMs)} to ${formatExact(toMs)} (${formatDuration(toMs - fromMs)})`;

/** What a row shows, for those who do not see it. */
function rowWords({ label, kind, stretches, places }: TimelineRow, span: Span): string {
  const seen = stretches.filter(isWithin(span));
  const length = formatDuration(lengthWithin(seen, span));
  switch (kind) {
    case 'state':
      return seen.length === 0
        ? `${label}: 0 all the time`
        : `${label}: 1 in ${formatCounted(seen.length, 'stretch', 'stretches')}, ${length} in all`;
    case 'gap':
      return `${label}: ${formatCounted(seen.length, 'gap')}, ${length} in all`;
    case 'part':
      return `${label}: ${formatCounted(seen.length, 'part')}`;
    case 'rheed':
      return `${label}: ${formatCounted(seen.length, 'session')}, ${length} in all`;
    default:
      return `${label}: ${formatCounted(places.length, 'mark')}`;
  }
}
