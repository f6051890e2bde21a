// What a counter shows now, for `check` and for a person who connects one: what is there, where it stands, whether it counts,
// and how fast.

import { join } from 'node:path';
import { AgentError, toAgentError } from '../../model/agent-error.ts';
import { formatCount } from '../../model/format.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Rate } from './count/frame-rate.ts';
import { FrameTally } from './count/frame-tally.ts';
import type { CounterEvent, Sighting } from './count/sighting.ts';
import { look } from './files/walk.ts';
import { type CounterOptions, openCounterReader } from './readers/counter-options.ts';
import { type MovieFormat, MovieState, readMovieFormat } from './readers/movie-reader.ts';
import type { CounterPort } from './readers/port-reader.ts';

export { type ProposedNames, proposeFor } from './files/propose-names.ts';

/** Time between two looks, and how many there are behind the first; more while frames come and their rate is not known. */
const BETWEEN_MS = 200;
const LOOKS = 15;
const LOOKS_MAX = 30;
/** As a source takes it: without a frame for so long the counter is stalled, milliseconds. */
const STALL_AFTER_MS = 2000;
/** Somebody waits for the answer: a folder that takes longer is told so, milliseconds. */
const LIMIT_MS = 12_000;

export interface CounterPreview {
  /** What is there and where it stands, a sentence each. */
  readonly seen: readonly string[];
  /** Frames that came while it was looked at. */
  readonly frames: number;
  /** How many came a second; null: too few came to tell. */
  readonly rate: Rate | null;
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
      const sightings = [...first];
      const tally = new FrameTally({ setRate: null, rollsOverAt: null, stallAfterMs: STALL_AFTER_MS });
      tally.take(first);
      const isRateOpen = () => tally.rate === null && tally.figures().counted > 0;
      for (let looks = 0; looks < LOOKS || (isRateOpen() && looks < LOOKS_MAX); looks++) {
        await clock.sleep(BETWEEN_MS);
        const found = await reader.look(clock.nowMs());
        tally.take(found, clock.nowMs());
        sightings.push(...found);
      }
      const events = reader.takeEvents();
      seen.push(...describeRuns(counter, sightings), ...events.map(({ text }: CounterEvent) => text));
      return { seen, frames: tally.figures().counted, rate: tally.rate, problem: '', hint: '' };
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
  if (format === 'unknown') return 'no kSA movie, AVI or TIFF; give stride_bytes';
  if (format.kind === 'avi' || format.kind === 'tiff') {
    return `${format.kind.toUpperCase()}, ${formatCount(sizeBytes)} bytes`;
  }
  const [headerBytes, strideBytes] =
    format.kind === 'ksa' ? [0, format.header.strideBytes] : [format.headerBytes, format.strideBytes];
  const frames = Math.max(0, Math.floor((sizeBytes - headerBytes) / strideBytes));
  const over = sizeBytes - headerBytes - frames * strideBytes;
  const counted = `${formatCount(frames)} ${frames === 1 ? 'frame' : 'frames'} of ${formatCount(strideBytes)} bytes, ${formatCount(over)} bytes over`;
  if (format.kind === 'fixed') return counted;
  const { signature, width, height, headerBytes: head } = format.header;
  return `kSA (${signature}), ${width} x ${height} pixels of 16 bit, header ${head} bytes; ${counted}`;
}
