// The work around the machine of one stream, with the real queue and the real line, a service that a test tells what to
// answer, and a clock that passes when nothing else can happen.
import { onTestFinished } from 'vitest';
import type { Failure } from '../../../src-main/delivery/client/failure.ts';
import { Line } from '../../../src-main/delivery/upload/line.ts';
import type { UploadQueue, UploadService } from '../../../src-main/delivery/upload/ports.ts';
import { PLAIN_ENTRIES } from '../../../src-main/delivery/upload/stream-entry.ts';
import { StreamUpload, type StreamUploadOptions } from '../../../src-main/delivery/upload/stream-upload.ts';
import { AgentError } from '../../../src-main/model/agent-error.ts';
import type { NewChunk } from '../../../src-main/model/queue.ts';
import { VirtualClock } from '../../simulation/virtual-clock.ts';
import { chunkOf, emptyCommit, GA, IN, openSmallQueue, promiseQueue } from './small-queue.ts';

type Body = Parameters<UploadService['ingestChunk']>[0];
/** What becomes of a request: it is taken, it is lost before it arrives, its answer is lost, or it is answered so. */
type Fate = 'taken' | 'request lost' | 'answer lost' | 'one point more' | Answer;
export interface Answer {
  readonly failure: Failure;
  readonly status?: number;
}

export const refused: Answer = { failure: { kind: 'refused', isTooLarge: false }, status: 422 };
export const conflict: Answer = { failure: { kind: 'ambiguous' }, status: 409 };
export const gone: Answer = { failure: { kind: 'held', reason: 'target' }, status: 404 };
export const forbidden: Answer = { failure: { kind: 'held', reason: 'key' }, status: 403 };
export const noKey: Answer = { failure: { kind: 'held', reason: 'key' }, status: 401 };
export const offline: Answer = { failure: { kind: 'not-sent', afterMs: null, cause: 'unreachable' } };

function fault({ failure, status = 0 }: Answer): AgentError {
  const error = new AgentError({ code: `wire.${failure.kind}`, message: `says ${status}`, hint: 'h', retry: 'later' });
  return Object.assign(error, { failure, status });
}
const lost = () => fault({ failure: { kind: 'ambiguous' } });

/** Holds chunks by their place, as a service that replaces a repeated one. */
export class ServiceByHand {
  readonly held = new Map<string, Map<number, { timesMs: number[]; values: number[] }>>();
  /** All requests, as text. */
  readonly asked: string[] = [];
  readonly bodies: Body[] = [];
  /** Of the next chunks; then all is taken. */
  readonly fates: Fate[] = [];
  /** Of the next initializes. */
  readonly entryFates: Answer[] = [];

  readonly initializeStream: UploadService['initializeStream'] = async ({ stream_name }) => {
    this.asked.push(`initialize ${stream_name}`);
    const fate = this.entryFates.shift();
    if (fate) throw fault(fate);
    return { data_id: 'entry', processed_data_id: null };
  };
  readonly ingestChunk: UploadService['ingestChunk'] = async (body) => {
    this.asked.push(`chunk ${body.chunk_index} ${Object.keys(body.channels).join('+')}`);
    this.bodies.push(body);
    const fate = this.fates.shift();
    if (fate === 'request lost') throw lost();
    if (typeof fate === 'object') throw fault(fate);
    for (const [name, { timestamps, values }] of Object.entries(body.channels)) {
      const chunks = this.held.get(name) ?? new Map();
      this.held.set(name, chunks);
      chunks.set(body.chunk_index, { timesMs: Array.from(timestamps, (s) => s * 1000), values: [...values] });
    }
    if (fate === 'answer lost') throw lost();
    const more = fate === 'one point more' ? 1 : 0;
    const { data_id, chunk_index, channels } = body;
    return Object.keys(channels).map((channel_name) => {
      const total_points = this.points(channel_name).length + more;
      return { data_id, channel_name, chunk_index, total_points };
    });
  };
  readonly readTimeSeries: UploadService['readTimeSeries'] = async () => {
    this.asked.push('read');
    const series = [...this.held].map(([name, chunks]) => {
      const unix_timestamp_ms = [...chunks.values()].flatMap(({ timesMs }) => timesMs);
      return [name, { unix_timestamp_ms, values: this.points(name) }] as const;
    });
    return series.length === 0 ? null : { properties: Object.fromEntries(series) };
  };
  readonly listDataEntries: UploadService['listDataEntries'] = async () => {
    this.asked.push('search');
    return [];
  };
  readonly endStream: UploadService['endStream'] = async () => {};

  points(channel: string): number[] {
    return [...(this.held.get(channel) ?? [])].flatMap(([, { values }]) => values);
  }
}

export interface RigOptions
  extends Partial<Pick<StreamUploadOptions, 'entries' | 'streamId' | 'former' | 'isOfBefore'>> {
  readonly resend?: 'verify' | 'repeat';
  /** Chunks that may go out side by side; left out: one. */
  readonly window?: number;
  readonly chunks?: readonly NewChunk[];
  /** The stream takes more readings. */
  readonly isOpen?: boolean;
  /** It has its entry already. */
  readonly hasEntry?: boolean;
  /** Calls of the queue that a test takes into its own hands. */
  readonly calls?: (queue: UploadQueue) => Partial<UploadQueue>;
}

export const HOLD_OFF_MS = 15_000;
export const both = [GA, IN];

export function rig({
  resend = 'verify',
  window = 1,
  chunks,
  isOpen = false,
  hasEntry = false,
  calls,
  ...options
}: RigOptions = {}) {
  const { queue, path } = openSmallQueue(chunks ?? [chunkOf(0, both), chunkOf(1, both)], !isOpen);
  const entry = { dataId: 'entry', processedDataId: '', service: 'here', isToFinalize: false };
  if (hasEntry) queue.setInitialized(1, entry);
  const clock = new VirtualClock();
  const startMs = clock.nowMs();
  const service = new ServiceByHand();
  const line = new Line(
    clock,
    () => 0,
    () => {},
    window,
  );
  const entered: boolean[] = [];
  const enter = line.enter.bind(line);
  line.enter = (signal, isLive) => {
    entered.push(isLive);
    return enter(signal, isLive);
  };
  const failures: string[] = [];
  const states: string[] = [];
  const plain = promiseQueue(queue);
  const upload: StreamUpload = new StreamUpload({
    ...{ streamId: 1, queue: { ...plain, ...calls?.(plain) }, service, serviceAddress: 'here', finalizePath: null },
    ...{ clock, random: () => 0, policy: { resend, holdOffMs: HOLD_OFF_MS }, entries: PLAIN_ENTRIES, line },
    ...{ former: null, isOfBefore: false, window },
    onChange: () => states.push(`${upload.state.kind}${upload.isOnLine ? ' on the line' : ''}`),
    onFailure: ({ code }) => failures.push(code),
    onBlind: ({ code }) => failures.push(code),
    ...options,
  });
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  let end: boolean | 'runs' = 'runs';
  const run = () => void upload.run(stop.signal).then((isDelivered) => (end = isDelivered));
  const tally = () => queue.tally(9).streams[0];
  const afterMs = () => {
    const { state } = upload;
    return state.kind === 'waiting' || state.kind === 'blocked' ? state.untilMs && state.untilMs - startMs : undefined;
  };
  /** Run, and let so much time pass. */
  const pass = (ms = 0) => clock.pass(ms);
  const begin = (ms = 0) => {
    run();
    return pass(ms);
  };
  /** One more chunk is sealed, or the stream ends. */
  const commit = (sequence: number, more: readonly NewChunk[], closedMs: number | null = null) => {
    const points = more.reduce((sum, { rows, channelIds }) => sum + rows * channelIds.length, 0);
    const counts = { rowsRead: 0, points, refused: 0, lastReadingMs: null, pointsPerChunk: null, closedMs };
    queue.commit({ ...emptyCommit, sequence, chunks: more, changes: [{ id: 1, ...counts }] });
  };
  const told = () => ({ end, state: upload.state.kind, failures });
  return {
    queue,
    path,
    clock,
    service,
    line,
    entered,
    upload,
    stop,
    run,
    begin,
    pass,
    commit,
    states,
    tally,
    afterMs,
    told,
  };
}

/** What the service must hold of a channel in the end: the points of these chunks, each once. */
export const pointsOf = (id: number, ...indices: number[]) =>
  indices.flatMap((index) => [...chunkOf(index, [id]).values]);
