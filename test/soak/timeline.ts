// What was seen over the time of a soak, and the table of it: a line a tenth.
import { median, percentile, tableLine } from '../bench/parts/rig.ts';
import type { AgentSample } from './soak-agent.ts';

export interface TimedSample extends AgentSample {
  /** Since the soak began. */
  readonly atMs: number;
  /** Troubles made of the service, outages of lines, and requests that failed on order, all since the beginning. */
  readonly troubles: number;
  readonly outages: number;
  readonly hits: number;
}

/** How old the newest row at the service was at a moment. */
export interface Lag {
  readonly atMs: number;
  readonly lagMs: number;
}

/** What was seen in a stretch of the run: the heap is the least of that time, what is left after the collector ran. */
export interface Stretch extends Omit<TimedSample, 'atMs' | 'cpuS' | 'wallS'> {
  readonly toMinute: number;
  readonly waitingPointsMost: number;
  readonly lagP50S: number;
  readonly lagP99S: number;
  readonly cpuPercent: number;
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

/** Fold a stretch of the run, from one time to another; null when nothing was seen in it. */
export function foldStretch(
  samples: readonly TimedSample[],
  lags: readonly Lag[],
  fromMs: number,
  toMs: number,
): Stretch | null {
  const isIn = ({ atMs }: { readonly atMs: number }) => atMs >= fromMs && atMs < toMs;
  const seen = samples.filter(isIn);
  const last = seen.at(-1);
  if (!last) return null;
  const all = (figure: keyof TimedSample) => seen.map((sample) => sample[figure]);
  const lagsS = lags.filter(isIn).map(({ lagMs }) => lagMs / 1000);
  return {
    toMinute: toMs / 60_000,
    rssMb: median(all('rssMb')),
    heapMb: Math.min(...all('heapMb')),
    outsideMb: median(all('outsideMb')),
    handles: median(all('handles')),
    threads: median(all('threads')),
    queueMb: last.queueMb,
    walMb: Math.max(...all('walMb')),
    waitingPoints: last.waitingPoints,
    waitingPointsMost: Math.max(...all('waitingPoints')),
    lagP50S: percentile(lagsS, 50),
    lagP99S: percentile(lagsS, 99),
    cpuPercent: (100 * sum(all('cpuS'))) / sum(all('wallS')),
    loopP99Ms: Math.max(...all('loopP99Ms')),
    troubles: last.troubles,
    outages: last.outages,
    hits: last.hits,
  };
}

/** The head of the table. */
export const timelineHead = (): string[] => {
  const head = [
    ...['to minute', 'RSS MB', 'heap MB, least', 'buffers MB', 'handles', 'threads', 'queue.db MB', 'WAL MB, most'],
    ...['waiting points', 'at most', 'lag p50 s', 'p99 s', 'CPU % of a core', 'loop p99 ms, most'],
    ...['troubles', 'outages of lines', 'failed requests'],
  ];
  return [tableLine(...head), tableLine(...head.map(() => '---:'))];
};

/** A line of the table. */
export function timelineRow(stretch: Stretch): string {
  const { rssMb, heapMb, outsideMb, queueMb, walMb, lagP50S, lagP99S, cpuPercent, loopP99Ms } = stretch;
  return tableLine(
    stretch.toMinute.toFixed(1),
    ...[rssMb, heapMb, outsideMb].map((megabytes) => megabytes.toFixed(1)),
    ...[stretch.handles, stretch.threads],
    ...[queueMb, walMb].map((megabytes) => megabytes.toFixed(2)),
    ...[stretch.waitingPoints, stretch.waitingPointsMost].map((points) => points.toLocaleString('en')),
    ...[lagP50S, lagP99S, cpuPercent, loopP99Ms].map((figure) => figure.toFixed(1)),
    ...[stretch.troubles, stretch.outages, stretch.hits],
  );
}
