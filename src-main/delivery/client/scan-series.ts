// 4.3 for series of any length: the answer is told as it comes in and never stands in memory, not even a property of it.
//
// Bounds: 8,192 numbers are held and told at once, a token of json-scanner.ts besides, and the names of the properties that
// were told; 30 min for all. A property has as many times as values, each of them once, or the whole is a fault.

import { Buffer } from 'node:buffer';
import type { Request } from '../../interface/table.ts';
import { exchange, readStart } from './exchange.ts';
import { ambiguousError, answerError, looksLikePage, pageError } from './faults.ts';
import type { NumberSink } from './json/json-numbers.ts';
import { createJsonScanner, JsonFault } from './json/json-scanner.ts';
import { type CallOptions, type Line, questionFor } from './question.ts';

/** A long series may take its time, milliseconds; silence within it may not (see `Timeouts.bodyMs`). */
const SCAN_TOTAL_MS = 30 * 60_000;

/** What is reported about a series, in the order in which it stands in the answer. */
export interface SeriesListener {
  /**
   * Some numbers of one array of a property, from this index on: Unix times in milliseconds, or values, where NaN stands
   * for a null. Good only during the call: the array is used again. Times and values come in either order, each whole.
   */
  onNumbers(property: string, array: 'times' | 'values', from: number, numbers: Float64Array): void;
  /** A property is complete: it has so many times, and as many values. */
  onProperty(property: string, points: number, units: string | null): void;
}

export interface SeriesEnd {
  /** Seconds since the start of the measurement; null when the service does not say. */
  readonly seriesMaxTime: number | null;
}

/** The answer is JSON, but not a series. */
class SeriesFault extends Error {}

/** Numbers that are told at once. */
const TOLD_AT_ONCE = 8192;
/** The byte-order mark of UTF-8. */
const MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const ARRAYS = new Map([
  ['unix_timestamp_ms', 'times'],
  ['values', 'values'],
] as const);

/**
 * Make a reader of a series.
 *
 * @param listener - who is told.
 * @returns `push` for each piece of text, `end` after the last: null when the answer was null. Memory does not grow with the
 *   series.
 * @throws JsonFault, SeriesFault; what was told before stands.
 */
export function createSeriesScanner(listener: SeriesListener) {
  // Names that lead to where the scanner stands; '' for the place within an array. The path of a value in an array of a
  // property is: properties, <name>, <array>, ''.
  const path: string[] = [];
  let name = '';
  /** Numbers of each array of this property so far. */
  let lengths: { times?: number; values?: number } = {};
  const held = new Float64Array(TOLD_AT_ONCE);
  const told = new Set<string>();
  let units: string | null = null;
  let seriesMaxTime: number | null = null;
  let isNull = false;
  let hasProperties = false;

  /** The numbers of the array in which the scanner stands: these are told, those of all other arrays are skipped. */
  const wanted: NumberSink = {
    held,
    count: 0,
    flush: () => {
      const array = arrayHere();
      if (array) tell(path[2] ?? '', array);
    },
  };
  const unwanted: NumberSink = {
    held: new Float64Array(TOLD_AT_ONCE),
    count: 0,
    flush: () => {
      unwanted.count = 0;
    },
  };
  const tell = (property: string, array: 'times' | 'values') => {
    const { count } = wanted;
    const before = lengths[array] ?? 0;
    if (count > 0) listener.onNumbers(property, array, before, held.subarray(0, count));
    lengths[array] = before + count;
    wanted.count = 0;
  };
  const begin = (property: string, array: 'times' | 'values') => {
    if (lengths[array] !== undefined || told.has(property)) {
      throw new SeriesFault(`the property ${JSON.stringify(property)} has ${array} twice`);
    }
    lengths[array] = 0;
  };
  const finish = (property: string) => {
    const { times, values } = lengths;
    if (times === undefined || values === undefined) {
      throw new SeriesFault(`the property ${JSON.stringify(property)} has no times or no values`);
    }
    if (times !== values) {
      throw new SeriesFault(`the property ${JSON.stringify(property)} has ${times} times and ${values} values`);
    }
    told.add(property);
    listener.onProperty(property, times, units);
  };
  const isOfProperty = (depth: number) => path.length === depth && path[1] === 'properties';
  const arrayNamed = (given = '') => (ARRAYS as ReadonlyMap<string, 'times' | 'values'>).get(given);
  /** The array of a property in which the scanner stands. */
  const arrayHere = () => (isOfProperty(4) ? arrayNamed(path[3]) : undefined);

  const scanner = createJsonScanner({
    sinkHere: () => (arrayHere() ? wanted : unwanted),
    onName: (given) => {
      name = given;
    },
    onOpen: (kind) => {
      if (path.length === 0 && kind !== 'object') throw new SeriesFault('the answer is no object');
      if (path.length === 1 && name === 'properties') {
        if (kind !== 'object') throw new SeriesFault('properties is no object');
        hasProperties = true;
      }
      if (isOfProperty(2)) {
        lengths = {};
        units = null;
      }
      const array = isOfProperty(3) ? arrayNamed(name) : undefined;
      if (array && kind !== 'array') throw new SeriesFault(`${JSON.stringify(name)} is no array`);
      if (array) begin(path[2] ?? '', array);
      path.push(path.length === 0 ? '' : name);
      name = '';
    },
    onClose: () => {
      const array = arrayHere();
      if (array) tell(path[2] ?? '', array);
      const closed = path.pop() ?? '';
      if (isOfProperty(2)) finish(closed);
    },
    onValue: (value) => {
      if (path.length === 0) {
        if (value !== null) throw new SeriesFault('the answer is no object');
        isNull = true;
      } else if (path.length === 1 && name === 'series_max_time') {
        seriesMaxTime = typeof value === 'number' ? value : null;
      } else if (isOfProperty(3) && name === 'units') {
        units = typeof value === 'string' ? value : null;
      } else {
        const array = arrayHere();
        if (!array) return;
        if (value !== null) throw new SeriesFault(`${JSON.stringify(value)} is no number`);
        held[wanted.count++] = Number.NaN;
        if (wanted.count === TOLD_AT_ONCE) wanted.flush();
      }
    },
  });
  return {
    push: scanner.push,
    end(): SeriesEnd | null {
      scanner.end();
      if (isNull) return null;
      if (!hasProperties) throw new SeriesFault('the answer has no properties');
      return { seriesMaxTime };
    },
  };
}

/** What comes in without the byte-order mark that may stand before it. */
async function* withoutMark(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let start: Buffer | null = Buffer.alloc(0);
  for await (const part of body) {
    const next: Buffer = start === null ? part : Buffer.concat([start, part]);
    if (start !== null && next.length < MARK.length && next.equals(MARK.subarray(0, next.length))) {
      start = next;
      continue;
    }
    yield start !== null && next.subarray(0, MARK.length).equals(MARK) ? next.subarray(MARK.length) : next;
    start = null;
  }
  if (start !== null && start.length > 0) yield start;
}

/** Whether a fault is one of the answer's content. */
function isContentFault(fault: unknown): fault is Error {
  return fault instanceof JsonFault || fault instanceof SeriesFault;
}

/**
 * Ask for a series and read it as it comes in; see `ServiceClient.scanTimeSeries`.
 *
 * @throws ServiceError as every call; an answer that is no such series is `ambiguous`, and what was told before stands.
 */
export async function scanSeries(
  line: Line,
  request: Request<'readTimeSeries'>,
  listener: SeriesListener,
  options: CallOptions,
): Promise<SeriesEnd | null> {
  return line.paths.follow('readTimeSeries', (row) => {
    const question = questionFor(line, row, request, { totalMs: SCAN_TOTAL_MS, ...options });
    const { target } = question;
    return exchange(line.agent, question, async (data) => {
      const { statusCode: status, headers: answerHeaders } = data;
      if (status !== row.success) {
        throw answerError(await readStart(data), target, Date.now());
      }
      const head = { status, headers: answerHeaders, text: '' };
      if (looksLikePage(head)) throw pageError(target, head);
      const scanner = createSeriesScanner(listener);
      try {
        for await (const part of withoutMark(data.body)) scanner.push(part);
        return scanner.end();
      } catch (fault) {
        if (!isContentFault(fault)) throw fault;
        throw ambiguousError(`the answer cannot be read: ${fault.message}`, target, head, fault);
      }
    });
  });
}
