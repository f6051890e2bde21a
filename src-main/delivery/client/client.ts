// The typed client: one function per row of the table.
//
// Bounds and invariants
//  1. One call is one request: nothing is retried, no redirect is followed (exchange.ts); but where the settings name other
//     paths, the next is asked after a 404 or 410 (other-paths.ts). Each ServiceError says whether the request may have arrived.
//  2. The key is added by question.ts and nowhere else, asked for at each request, and goes to one origin.
//  3. An answer is checked against the table before it is given; one that does not fit is ambiguous, never half an answer.
//  4. An answer is read up to the bound of its row (table.ts), nested up to 64 deep, and with as many objects and values as
//     such an answer can have; what passes a bound is ambiguous and says so. Of an answer that is no success 64 KiB are read.
//     What is longer than a block (64 KiB) is parsed and checked on a thread of its own (answer-thread.ts).
//  5. Every wait has an end (connection.ts): by default 10 s to connect, 30 s for the answer to begin, 15 s of silence within
//     it, 60 s for all; 30 min for a series that is told as it comes in, 6 h for a file.

import {
  type Endpoint,
  type EndpointName,
  endpointNames,
  type Request,
  type Response,
  table,
} from '../../interface/table.ts';
import { AgentError } from '../../model/agent-error.ts';
import { giveBack } from '../../model/spent-memory.ts';
import { checkBaseUrl } from './base-url.ts';
import { type ChunkRequest, ChunkWriter, plainChunk } from './chunk-body.ts';
import { defaultTimeouts, type Timeouts } from './connection.ts';
import { download } from './download.ts';
import { endStream } from './end-stream.ts';
import { exchange, openServiceConnections, readStart } from './exchange.ts';
import { answerError } from './faults.ts';
import type { FileOptions, IncomingFile } from './incoming-file.ts';
import { type OtherPaths, PathChoice } from './other-paths.ts';
import type { FindProxy } from './proxy.ts';
import { addressOf, type CallOptions, checkRequest, headersOf, type Line, questionFor, targetOf } from './question.ts';
import { readBody } from './read-body.ts';
import { type SeriesEnd, type SeriesListener, scanSeries } from './scan-series.ts';

export interface ServiceClientOptions {
  baseUrl: string;
  /** Asked at every request; null: not known, nothing is sent. */
  apiKey: () => string | null;
  /** Certificates (PEM) of a lab's own authority. */
  caPem?: string | undefined;
  timeouts?: Partial<Timeouts> | undefined;
  /** The way through a proxy; left out: there is none. */
  findProxy?: FindProxy | undefined;
  /** Paths of 4.1 and 4.3; left out: those of the interface. */
  paths?: Partial<OtherPaths> | undefined;
  /** Told that another of these paths is used from now on. */
  onPathMoved?: ((note: AgentError) => void) | undefined;
}

export type ServiceClient = {
  readonly [N in EndpointName]: (request: Request<N>, options?: CallOptions) => Promise<Response<N>>;
} & {
  /** 4.1 takes columns in the memory in which they were read, too. */
  ingestChunk(request: ChunkRequest, options?: ChunkOptions): Promise<Response<'ingestChunk'>>;
  /**
   * Read a time series of any length as it comes in, without holding it in memory and without holding up the agent (4.3;
   * use `readTimeSeries` for what is known to be short). Takes as `readTimeSeries`, and a listener for its numbers; that
   * runs at once and should be quick.
   *
   * @returns the end of the series, or null when there is none and null was asked for.
   * @throws ServiceError as every call; what was told before stands.
   */
  scanTimeSeries(
    request: Request<'readTimeSeries'>,
    listener: SeriesListener,
    options?: CallOptions,
  ): Promise<SeriesEnd | null>;
  /**
   * Fetch the raw file of an entry, as it comes in (4.9 with return_as=bytes).
   *
   * @param request - the entry, and the name to use when the service tells none.
   * @param read - takes the file; the connection ends with it.
   * @returns what `read` gave.
   * @throws ServiceError as every call, `service.file-too-large`, and those of `read`.
   */
  downloadRawData<T>(
    request: { data_id: string; file_name?: string },
    options: FileOptions,
    read: (file: IncomingFile) => Promise<T>,
  ): Promise<T>;
  /**
   * Say that a stream has ended, at a path that is not of the interface. Takes the path template, which holds `{data_id}`,
   * and the entry.
   *
   * @throws ServiceError as every call.
   */
  endStream(request: { path: string; data_id: string }, options?: CallOptions): Promise<void>;
  /** The address in use, without trailing slash. */
  readonly baseUrl: string;
  /** End all connections; requests under way fail. */
  close(): Promise<void>;
};

async function call(
  line: Line,
  name: EndpointName,
  request: Record<string, unknown>,
  options: CallOptions,
  written: Uint8Array | null = null,
): Promise<unknown> {
  return line.paths.follow(name, (row) => {
    const question = questionFor(line, row, request, options, written);
    const { target } = question;
    return exchange(line.agent, question, async (data, abort) => {
      if (data.statusCode !== row.success) throw answerError(await readStart(data), target, Date.now());
      return readBody(name, data, target, row.answerMaxBytes(request), abort);
    });
  });
}

/** `isHandedOver`: nobody else reads the columns any more, and their memory is given back once the body is written. */
type ChunkOptions = CallOptions & { readonly isHandedOver?: boolean };

function* columnsOf({ channels }: ChunkRequest): Generator<Float64Array> {
  for (const { timestamps, values } of Object.values(channels)) {
    if (timestamps instanceof Float64Array) yield timestamps;
    if (values instanceof Float64Array) yield values;
  }
}

/** Send chunks: written by hand, or the long way where that does not know them. */
function chunkSender(line: Line) {
  const writer = new ChunkWriter();
  return async (request: ChunkRequest, { isHandedOver = false, ...options }: ChunkOptions = {}) => {
    const written = writer.write(request);
    if (written && isHandedOver) giveBack(columnsOf(request));
    // What is written already is not looked at again; how many channels it has says how long the answer may be.
    const plain = written ? { channels: request.channels } : plainChunk(request);
    return (await call(line, 'ingestChunk', plain, options, written)) as Response<'ingestChunk'>;
  };
}

/**
 * Prepare to talk to a service: address, key, connections.
 *
 * @returns what the client and the downloads share.
 * @throws AgentError `service.address-refused` when the key must not go to this address.
 */
function openLine(options: ServiceClientOptions): Line {
  const { baseUrl, apiKey, caPem, timeouts, findProxy, paths = {}, onPathMoved = () => undefined } = options;
  const checked = checkBaseUrl(baseUrl);
  if (!checked.isValid) {
    const { message, hint } = checked;
    throw new AgentError({ code: 'service.address-refused', message, hint, retry: 'after-human' });
  }
  const all = { ...defaultTimeouts, ...timeouts };
  return {
    baseUrl: checked.url,
    agent: openServiceConnections(all, caPem, findProxy),
    timeouts: all,
    apiKey,
    paths: new PathChoice(paths, onPathMoved),
  };
}

/**
 * Make a client of the service.
 *
 * @param options - the address, where to ask for the key, and optionally certificates and deadlines.
 * @returns one function per row of the table; parameters of path, query and body go in one object under the interface's own
 *   names, the answer comes back checked. `readTimeSeries` may give null.
 * @throws AgentError `service.address-refused` at once; each function rejects with a ServiceError.
 */
export function createServiceClient(options: ServiceClientOptions): ServiceClient {
  const line = openLine(options);
  const functions = endpointNames.map((name) => [
    name,
    (request: Record<string, unknown>, options: CallOptions = {}) => call(line, name, request, options),
  ]);
  return {
    ...(Object.fromEntries(functions) as { [N in EndpointName]: ServiceClient[N] }),
    ingestChunk: chunkSender(line),
    scanTimeSeries: (request, listener, options = {}) => scanSeries(line, request, listener, options),
    downloadRawData: async ({ data_id, file_name }, options, read) => {
      const row: Endpoint = table.readRawData;
      const target = targetOf(line, row);
      const request = { data_id, return_as: 'bytes' };
      checkRequest(row, request, target);
      const headers = { ...headersOf(line, false, target), Accept: '*/*' };
      const url = addressOf(line.baseUrl, row, request);
      return download(line.agent, { url, headers, target, fileName: file_name ?? data_id }, options, read);
    },
    endStream: (request, options = {}) => endStream(line, request, options),
    baseUrl: line.baseUrl,
    close: () => line.agent.destroy(),
  };
}
