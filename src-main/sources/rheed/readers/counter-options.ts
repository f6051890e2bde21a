// The kinds of counters as the settings describe them, and the reader of each.
import { AgentError } from '../../../model/agent-error.ts';
import type { CounterReader } from '../count/sighting.ts';
import { CounterFileReader } from './counter-file-reader.ts';
import { readCounterText } from './counter-text.ts';
import { ImageReader } from './image-reader.ts';
import { LineReader } from './line-reader.ts';
import { MovieReader } from './movie-reader.ts';
import { type CounterPort, PortReader } from './port-reader.ts';

/** Where the number stands in a text. */
interface TextPlace {
  /** Text around `{frame}`; null: the first whole number. */
  readonly pattern: string | null;
  /** Field of JSON; null: no JSON. */
  readonly field: string | null;
  readonly lostField: string | null;
  readonly timeField: string | null;
}

export type CounterOptions =
  | {
      readonly type: 'images';
      readonly path: string;
      /** Glob with {frame}, {time} or both. */
      readonly match: string;
      readonly timeFormat: string | null;
    }
  | {
      readonly type: 'movie';
      readonly path: string;
      readonly match: string;
      /** Distance from frame to frame; null: as the file says (kSA, AVI, TIFF). */
      readonly strideBytes: number | null;
      readonly headerBytes: number;
    }
  | ({ readonly type: 'counter-file'; readonly path: string } & TextPlace)
  | ({
      readonly type: 'log';
      readonly path: string;
      readonly match: string;
      readonly lines: 'each-frame' | 'now-and-then';
    } & TextPlace)
  | ({ readonly type: 'serial'; readonly port: string } & TextPlace);

export interface ReaderOptions {
  readonly counter: CounterOptions;
  readonly timeZone: string;
  readonly monotonicMs: () => number;
  /** What the reader's `state` gave before; undefined at the first start. */
  readonly state: unknown;
  /** Opens a serial port; absent where there is nothing to open it with. */
  readonly openPort?: ((port: string) => CounterPort) | undefined;
  /** Breaks a look off that takes too long; absent: it goes to its end. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Make the reader of a counter.
 *
 * @throws `rheed.pattern`, `rheed.match`, `rheed.no-port`, which wait for a person; those of the port.
 */
export function openCounterReader(options: ReaderOptions): CounterReader {
  const { counter, timeZone, monotonicMs, state, openPort, signal } = options;
  switch (counter.type) {
    case 'images': {
      const { path, match, timeFormat } = counter;
      if (!/\{(frame|time)\}/.test(match)) {
        throw new AgentError({
          code: 'rheed.match',
          message: `The pattern "${match}" says neither where the number nor where the time of an image stands.`,
          hint: "Put {frame} or {time} in its place, for example '*_{frame}.bmp'.",
          retry: 'after-human',
        });
      }
      return new ImageReader({ path, match, timeFormat, timeZone, monotonicMs, state, signal });
    }
    case 'movie': {
      const { path, match, strideBytes, headerBytes } = counter;
      const fixed = strideBytes === null ? null : { strideBytes, headerBytes };
      return new MovieReader({ path, match, fixed, monotonicMs, state, signal });
    }
    case 'counter-file':
      return new CounterFileReader({ path: counter.path, text: readCounterText(counter), monotonicMs, state });
    case 'log': {
      const { path, match, lines } = counter;
      const kind = lines === 'each-frame' ? 'each' : 'value';
      return new LineReader({ path, match, text: readCounterText(counter), kind, monotonicMs, state, signal });
    }
    case 'serial': {
      if (!openPort) {
        throw new AgentError({
          code: 'rheed.no-port',
          message: `The counter at ${counter.port} cannot be read: this program opens no ports for counters.`,
          hint: 'Use a counter file, a log, images or a movie.',
          retry: 'after-human',
        });
      }
      return new PortReader({
        port: openPort(counter.port),
        name: counter.port,
        text: readCounterText(counter),
        state,
      });
    }
  }
}
