// What a counter shows now, for `check` and for a person who connects one: what is there, where it stands, whether it counts,
// and how fast.

import { join } from 'node:path';
import { AgentError, toAgentError } from '../../model/agent-error.ts';
import { formatCount } from '../../model/format.ts';
import type { Clock } from '../../platform/clock.ts';
import type { CounterEvent, Sighting } from './count/sighting.ts';
import { look } from './files/walk.ts';
import { type CounterOptions, openCounterReader } from './readers/counter-options.ts';
import { type MovieFormat, MovieState, readMovieFormat } from './readers/movie-reader.ts';
import type { CounterPort } from './readers/port-reader.ts';

export { type ProposedNames, proposeFor } from './files/propose-names.ts';

/** Time between two looks, and how many there are behind the first: a rate needs some seconds. */
const BETWEEN_MS = 200;
const LOOKS = 15;
/** Somebody waits for the answer: a folder that takes longer is told so, milliseconds. */
const LIMIT_MS = 12_000;

/** Two times of files together are so far off: systems round them, and a frame is not written in no time. */
const OWN_TIME_MS = 40;

export interface CounterPreview {
  /** What is there and where it stands, a sentence each. */
  readonly seen: readonly string[];
  /** Frames that came while it was looked at. */
  readonly frames: number;
  /** How many came a second, and how far off that may be either way; null: too few came to tell. */
  readonly rate: { readonly perSecond: number; readonly uncertainty: number } | null;
  /** Why it cannot be read; empty when it can. */
  readonly problem: string;
  readonly hint: string;
}

export interface PreviewOptions {
  readonly counter: CounterOptions;
  readonly timeZone: string;
  readonly clock: Clock;
  readonly openPort?: ((port: string) => CounterPort) | undefined;
  /** The whole may take so long, milliseconds; absent: LIMIT_MS. */
  readonly limitMs?: number;
}

/**
 * Look at a counter for some seconds, as its source would.
 *
 * @param options - its settings.
 * @returns what is seen; what stands in the way is its `problem` and `hint`, so nothing is thrown. Nothing is written. A folder
 *   with so many names that it takes too long is a problem, too.
 */
export async function previewCounter(options: PreviewOptions): Promise<CounterPreview> {
  const { counter, timeZone, clock, openPort, limitMs = LIMIT_MS } = options;
  const seen: string[] = [];
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(tooLong(counter, limitMs)), limitMs);
  try {
    const monotonicMs = () => clock.monotonicMs();
    const { signal } = limit;
    const reader = openCounterReader({ counter, timeZone, monotonicMs, state: undefined, openPort, signal });
    try {
      const first = await reader.look(clock.nowMs());
      if (counter.type === 'movie') seen.push(...(await describeMovie(counter, reader.state())));
      const later: Sighting[] = [];
      for (let looks = 0; looks < LOOKS; looks++) {
        await clock.sleep(BETWEEN_MS);
        later.push(...(await reader.look(clock.nowMs())));
      }
      const events = reader.takeEvents();
      seen.push(...describeRuns(counter, [...first, ...later]), ...events.map(({ text }: CounterEvent) => text));
      const moments = countNew(first, later);
      return { seen, frames: moments.at(-1)?.counted ?? 0, rate: rateOf(moments), problem: '', hint: '' };
    } finally {
      reader.close();
    }
  } catch (thrown) {
    const { message, hint } = toAgentError(thrown);
    return { seen, frames: 0, rate: null, problem: message, hint };
  } finally {
    clearTimeout(timer);
  }
}

function tooLong(counter: CounterOptions, limitMs: number): AgentError {
  const where = 'path' in counter ? counter.path : counter.port;
  return new AgentError({
    code: 'rheed.preview-limit',
    message: `Looking at ${where} takes longer than ${limitMs / 1000} s: it holds very many files, or is slow.`,
    hint: 'Name the folder of one run, or a narrower match. The recording itself has no such limit.',
    retry: 'after-human',
  });
}

function describeRuns({ type }: CounterOptions, sightings: readonly Sighting[]): string[] {
  const newest = new Map(sightings.map((sighting) => [sighting.run, sighting]));
  return [...newest.values()].slice(-4).map(({ run, number: value }) => {
    // Runs of files carry the number of the file as well, which says nothing to a person.
    const name = type === 'movie' || type === 'log' ? run.replace(/ \d+$/, '') : run;
    return value === null ? `${name} is there` : `${name} stands at ${formatCount(value)}`;
  });
}

/** So many frames had come when one of them was there. */
interface Moment {
  readonly counted: number;
  readonly atMs: number;
  readonly uncertaintyMs: number;
  readonly ownMs: number | null;
}

function countNew(first: readonly Sighting[], later: readonly Sighting[]): Moment[] {
  const moments: Moment[] = [];
  const stood = new Map(first.map(({ run, number: value }) => [run, value ?? 0]));
  let counted = 0;
  for (const { run, kind, number: value, isBaseline, atMs, uncertaintyMs, ownMs } of later) {
    const before = counted;
    if (kind === 'each') counted += 1;
    else if (!isBaseline || stood.has(run)) counted += Math.max(0, (value ?? 0) - (stood.get(run) ?? 0));
    stood.set(run, value ?? 0);
    if (counted > before) moments.push({ counted, atMs, uncertaintyMs, ownMs });
  }
  return moments;
}

/** Shorter than this says nothing of a rate, milliseconds. */
const RATE_MIN_MS = 900;

/**
 * From the first frame that came to the last: by the frames' own times, which a busy PC does not delay, where they tell more
 * than whole seconds; else by when they were seen.
 */
function rateOf(moments: readonly Moment[]): CounterPreview['rate'] {
  const [first, last] = [moments[0], moments.at(-1)];
  if (!first || !last) return null;
  const hasOwn = moments.every(({ ownMs }) => ownMs !== null) && moments.some(({ ownMs }) => (ownMs ?? 0) % 1000 !== 0);
  const times = moments.map(({ atMs, ownMs }) => (hasOwn ? (ownMs as number) : atMs)).sort((a, b) => a - b);
  const overMs = (times.at(-1) as number) - (times[0] as number);
  if (overMs < RATE_MIN_MS) return null;
  const perSecond = ((last.counted - first.counted) * 1000) / overMs;
  const offMs = hasOwn ? OWN_TIME_MS : first.uncertaintyMs + last.uncertaintyMs;
  return { perSecond, uncertainty: (perSecond * offMs) / overMs };
}

type MovieCounter = Extract<CounterOptions, { type: 'movie' }>;

/** The newest movie, by its header. Its reader reports what it has skipped. */
async function describeMovie(
  { path, match, strideBytes, headerBytes }: MovieCounter,
  state: unknown,
): Promise<string[]> {
  const newest = MovieState.parse(state).movies[0]?.path;
  const facts = newest === undefined ? null : await look(join(path, newest));
  if (newest === undefined || facts === null) return [`no movie in ${path} matches ${match}`];
  const fixed = strideBytes === null ? null : { strideBytes, headerBytes };
  const format = await readMovieFormat(join(path, newest), fixed);
  return [`${newest}: ${describeFormat(format, facts.sizeBytes)}`];
}

function describeFormat(format: MovieFormat | 'unknown' | null, sizeBytes: number): string {
  if (format === null) return 'too short to tell what it is';
  if (format === 'unknown') return 'neither kSA nor AVI; give stride_bytes';
  if (format.kind === 'avi') return `AVI, ${formatCount(sizeBytes)} bytes`;
  const [headerBytes, strideBytes] =
    format.kind === 'ksa' ? [0, format.header.strideBytes] : [format.headerBytes, format.strideBytes];
  const frames = Math.max(0, Math.floor((sizeBytes - headerBytes) / strideBytes));
  const over = sizeBytes - headerBytes - frames * strideBytes;
  const counted = `${formatCount(frames)} ${frames === 1 ? 'frame' : 'frames'} of ${formatCount(strideBytes)} bytes, ${formatCount(over)} bytes over`;
  if (format.kind === 'fixed') return counted;
  const { signature, width, height, headerBytes: head } = format.header;
  return `kSA (${signature}), ${width} x ${height} pixels of 16 bit, header ${head} bytes; ${counted}`;
}
