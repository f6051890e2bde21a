// 4.3 property by property, for series of any length: the answer is read as it comes in and never stands in memory whole.
import { exchange, readWhole } from './exchange.ts';
import { ambiguousError, answerError, looksLikePage, pageError } from './faults.ts';
import { createJsonScanner, JsonFault } from './json-scanner.ts';
import { type CallOptions, type Line, questionFor, withoutKey } from './question.ts';
import { type Endpoint, type Request, table } from './table.ts';

/** A long series may take its time, milliseconds; silence within it may not (see `Timeouts.bodyMs`). */
const SCAN_TOTAL_MS = 30 * 60_000;
const FAULT_MAX_BYTES = 64 * 1024;

/** One property of a series. The arrays have the same length; NaN stands where the service gave null. */
export interface SeriesColumns {
  readonly name: string;
  /** Unix times, milliseconds. */
  readonly timesMs: Float64Array;
  readonly values: Float64Array;
  readonly units: string | null;
}

export interface SeriesEnd {
  /** Seconds since the start of the measurement; null when the service does not say. */
  readonly seriesMaxTime: number | null;
}

/** The answer is JSON, but not a series. */
export class SeriesFault extends Error {}

/** Numbers in a typed array that grows. */
class Column {
  #numbers = new Float64Array(1024);
  #length = 0;

  push(value: number): void {
    if (this.#length === this.#numbers.length) {
      const larger = new Float64Array(this.#length * 2);
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers[this.#length] = value;
    this.#length += 1;
  }

  take(): Float64Array {
    return this.#numbers.slice(0, this.#length);
  }
}

/**
 * Make a reader of a series.
 *
 * **Takes**: who is told of each property, once it is complete.
 * **Gives**: `push` for each piece of text, `end` after the last: null when the answer was null.
 * **Errors**: JsonFault, SeriesFault.
 */
export function createSeriesScanner(onProperty: (property: SeriesColumns) => void) {
  // Names that lead to where the scanner stands; '' for the place within an array. The path of a value in an array of a
  // property is: properties, <name>, <array>, ''.
  const path: string[] = [];
  let name = '';
  let columns: Record<string, Column> = {};
  let units: string | null = null;
  let seriesMaxTime: number | null = null;
  let isNull = false;
  let hasProperties = false;

  const finish = (property: string) => {
    const timesMs = columns.unix_timestamp_ms?.take();
    const values = columns.values?.take();
    if (!timesMs || !values)
      throw new SeriesFault(`the property ${JSON.stringify(property)} has no times or no values`);
    if (timesMs.length !== values.length) {
      throw new SeriesFault(
        `the property ${JSON.stringify(property)} has ${timesMs.length} times and ${values.length} values`,
      );
    }
    onProperty({ name: property, timesMs, values, units });
  };

  const scanner = createJsonScanner({
    onName: (given) => {
      name = given;
    },
    onOpen: (kind) => {
      if (path.length === 0 && kind !== 'object') throw new SeriesFault('the answer is no object');
      if (path.length === 1 && name === 'properties') {
        if (kind !== 'object') throw new SeriesFault('properties is no object');
        hasProperties = true;
      }
      if (path.length === 2 && path[1] === 'properties') {
        columns = {};
        units = null;
      }
      if (
        path.length === 3 &&
        path[1] === 'properties' &&
        kind === 'array' &&
        /^(unix_timestamp_ms|values)$/.test(name)
      ) {
        columns[name] = new Column();
      }
      path.push(path.length === 0 ? '' : name);
      name = '';
    },
    onClose: () => {
      const closed = path.pop() ?? '';
      if (path.length === 2 && path[1] === 'properties') finish(closed);
    },
    onValue: (value) => {
      if (path.length === 0) {
        if (value !== null) throw new SeriesFault('the answer is no object');
        isNull = true;
      } else if (path.length === 1 && name === 'series_max_time') {
        seriesMaxTime = typeof value === 'number' ? value : null;
      } else if (path.length === 3 && path[1] === 'properties' && name === 'units') {
        units = typeof value === 'string' ? value : null;
      } else if (path.length === 4 && path[1] === 'properties') {
        const column = columns[path[3] ?? ''];
        if (!column) return;
        if (typeof value !== 'number' && value !== null) throw new SeriesFault(`${JSON.stringify(value)} is no number`);
        column.push(value ?? Number.NaN);
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

/** Whether a fault is one of the answer's content. */
function isContentFault(fault: unknown): fault is Error {
  return fault instanceof JsonFault || fault instanceof SeriesFault;
}

/**
 * Ask for a series and read it as it comes in; see `ServiceClient.scanTimeSeries`.
 */
export async function scanSeries(
  line: Line,
  request: Request<'readTimeSeries'>,
  onProperty: (property: SeriesColumns) => void,
  options: CallOptions,
): Promise<SeriesEnd | null> {
  const row: Endpoint = table.readTimeSeries;
  const question = questionFor(line, row, request, { totalMs: SCAN_TOTAL_MS, ...options });
  const { target } = question;
  return exchange(line.agent, question, async (data) => {
    const { statusCode: status, headers: answerHeaders } = data;
    if (status !== row.success) {
      const answer = await readWhole(data, target, FAULT_MAX_BYTES);
      throw answerError(withoutKey(answer, question), target, Date.now());
    }
    const head = { status, headers: answerHeaders, text: '' };
    if (looksLikePage(head)) throw pageError(target, head);
    const scanner = createSeriesScanner(onProperty);
    const decoder = new TextDecoder('utf-8', { fatal: true });
    try {
      for await (const part of data.body as AsyncIterable<Buffer>) scanner.push(decoder.decode(part, { stream: true }));
      scanner.push(decoder.decode());
      return scanner.end();
    } catch (fault) {
      if (!isContentFault(fault) && !(fault instanceof TypeError)) throw fault;
      throw ambiguousError(`the answer cannot be read: ${fault.message}`, target, head, fault);
    }
  });
}
