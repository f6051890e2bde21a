// Reads a log from its first to its last line as the agent would, by one dialect, without a disk: the layout of its head, all
// rows, and the layout of what follows a change where a person has accepted that.
import type { Dialect, DialectInput } from '../../src-main/model/dialect.ts';
import { diskFiles, type Files } from '../../src-main/platform/files.ts';
import { decodeText, encodingOf } from '../../src-main/sources/log/cells/encoding.ts';
import { frameLines } from '../../src-main/sources/log/cells/framer.ts';
import { newFile, type Problem, type WatchedFile } from '../../src-main/sources/log/files/watched-file.ts';
import type { Folder } from '../../src-main/sources/log/files/with-file.ts';
import { readLayout } from '../../src-main/sources/log/follow/file-reader.ts';
import { addChannels, type Rest, recogniseRest } from '../../src-main/sources/log/follow/rest-of-file.ts';
import { whyStopped } from '../../src-main/sources/log/notes/why-stopped.ts';
import { makeParser } from '../../src-main/sources/log/parse/make-parser.ts';
import { shippedDialects } from '../../src-main/sources/log/recognise/dialect-library.ts';
import { NOW_MS, type WrittenLog, ZONE } from './truth.ts';

export interface ReadChannel {
  readonly name: string;
  readonly unit: string;
  readonly timesMs: number[];
  readonly values: number[];
}

/** What reading waits for. */
export interface Question {
  readonly code: string;
  readonly message: string;
  /** Dialects that are offered to be pasted. */
  readonly answers: readonly DialectInput[];
  /** It stopped on the way, and what follows can be accepted on the page of the source. */
  readonly isOnTheWay: boolean;
}

export interface ReadThrough {
  readonly channels: readonly ReadChannel[];
  /** Cells that were refused, by line and channel (empty: all of the line). */
  readonly refused: readonly { readonly line: number; readonly channel: string }[];
  /** Refusals from this line on are not all listed, so that nothing can be said of what is missing there. */
  readonly listedTo: number;
  /** Nothing is read from this line on, since it waits; Infinity: all is read. */
  readonly readTo: number;
  readonly question: Question | null;
  readonly isEvents: boolean;
  readonly reasons: readonly string[];
}

/** Changes that may be accepted in one file. */
const ACCEPTED_MAX = 20;

/**
 * Read a log.
 *
 * @param accepted - how many changes on the way a person accepts.
 * @throws AgentError for a dialect that cannot be used.
 */
export function readThrough(log: WrittenLog, given: Dialect, accepted = 0): ReadThrough {
  const { bytes, path } = log;
  const folder = { path: '', files: inMemory(log) };
  const found = readLayout(folder, { path, seen: null }, given, ZONE, null, shippedDialects(), NOW_MS);
  if (typeof found === 'string') throw new Error(`${path} is ${found}`);
  const nothing = { channels: [], refused: [], listedTo: Number.POSITIVE_INFINITY, isEvents: false };
  if (!('layout' in found)) {
    const { code, message, answers = [] } = found;
    return { ...nothing, readTo: 0, question: { code, message, answers, isOnTheWay: false }, reasons: [] };
  }
  const channels = new Map<string, ReadChannel>();
  const refused: { line: number; channel: string }[] = [];
  let listedTo = Number.POSITIVE_INFINITY;
  let part: Part = { ...found, line: found.dataLine + 1 };
  let formerMs = Number.NaN;
  for (let changes = 0; ; changes++) {
    const read = readPart(log, part, formerMs);
    for (const { name, unit, timesMs, values } of read.channels) {
      const known = channels.get(`${name}|${unit}`) ?? { name, unit, timesMs: [], values: [] };
      channels.set(`${name}|${unit}`, known);
      for (const [index, timeMs] of timesMs.entries()) {
        known.timesMs.push(timeMs);
        known.values.push(values[index] as number);
      }
    }
    refused.push(...read.refused);
    listedTo = Math.min(listedTo, read.listedTo);
    const whole = {
      ...nothing,
      channels: [...channels.values()],
      refused,
      listedTo,
      isEvents: found.layout.eventText !== null,
      reasons: found.reasons,
    };
    const { stop } = read;
    if (stop === null || changes === ACCEPTED_MAX)
      return { ...whole, readTo: Number.POSITIVE_INFINITY, question: null };
    const isAccepted = accepted > 0 && stop.problem?.code === 'log.columns-changed';
    const next = goOn(stop, folder, given, isAccepted);
    if ('layout' in next) {
      if (isAccepted) accepted -= 1;
      const skipped = countLines(bytes.subarray(stop.byte, next.dataByte), next.layout.encoding);
      part = { ...next, line: (stop.line ?? 0) + 1 + skipped };
      formerMs = read.lastMs;
      continue;
    }
    const question = { code: next.code, message: next.message, answers: [], isOnTheWay: !isAccepted };
    return { ...whole, readTo: (stop.line ?? 0) + 1, question };
  }
}

interface Part extends Pick<Rest, 'layout' | 'kinds' | 'dataByte'> {
  /** Number of its first line. */
  readonly line: number;
}

function readPart({ bytes, path }: WrittenLog, { layout, kinds, dataByte, line }: Part, formerMs: number) {
  const encoding = encodingOf(layout.encoding);
  const frame = frameLines(bytes.subarray(dataByte), dataByte, encoding);
  const parser = makeParser(layout);
  const block = { bytes: frame.bytes, place: path, line, sinceMs: Number.NEGATIVE_INFINITY };
  const parsed = parser.parse({ ...block, fileByteOf: frame.fileByteOf }, kinds, formerMs);
  const { timesMs, values, columns, refusals, refusedCount, stoppedAt, lastMs } = parsed;
  const channels = columns.map((column, out): ReadChannel => {
    const { name, unit } = layout.columns[column] as { name: string; unit: string };
    const read: ReadChannel = { name, unit, timesMs: [], values: [] };
    for (const [row, timeMs] of timesMs.entries()) {
      const value = values[row * columns.length + out] as number;
      if (Number.isNaN(value)) continue;
      read.timesMs.push(timeMs);
      read.values.push(value);
    }
    return read;
  });
  const byte = stoppedAt === null ? dataByte + frame.takenBytes : frame.fileByteOf(stoppedAt);
  const file: WatchedFile = {
    ...newFile(`${path}@1`, path),
    ...{ layout, kinds: parsed.kinds, parser, dataByte, byte, lastMs, line: line - 1 + parsed.lines },
  };
  const text = encoding.unitBytes === 2 ? 'utf-8' : encoding.name;
  const problem = whyStopped(file, parsed, frame.bytes, text, parsed.misfitsAtEnd);
  return {
    channels,
    lastMs,
    refused: refusals.map((refusal) => ({ line: refusal.line ?? 0, channel: refusal.channel })),
    listedTo: refusedCount === refusals.length ? Number.POSITIVE_INFINITY : (refusals.at(-1)?.line ?? 0),
    stop: problem === null ? null : { ...file, problem },
  };
}

/** What follows a change: what the file itself tells, or a person accepts; else why it waits. */
function goOn(file: WatchedFile, folder: Folder, dialect: Dialect, isAccepted: boolean): Rest | Problem {
  const problem = file.problem as Problem;
  if (problem.code === 'log.new-channel') {
    const more = addChannels(file, folder);
    return more === null || typeof more === 'string' ? problem : more;
  }
  if (!isAccepted && problem.code !== 'log.time-again') return problem;
  const found = recogniseRest(file, folder, dialect);
  if (typeof found === 'string') return problem;
  const { rest } = found;
  if (!('layout' in rest)) return isAccepted ? rest : problem;
  if (isAccepted) return rest;
  const told = ({ columns }: Rest['layout']) => JSON.stringify(columns.map(({ header, unit }) => [header, unit]));
  const isSame = file.layout !== null && told(file.layout) === told(rest.layout);
  return rest.startFrom === 'header' && isSame ? rest : problem;
}

function countLines(bytes: Uint8Array, name: string): number {
  const encoding = encodingOf(name);
  const text = decodeText(frameLines(bytes, 0, encoding).bytes, encoding.unitBytes === 2 ? 'utf-8' : encoding.name);
  return text.split('\n').length - 1;
}

/** The one file, as a disk that holds nothing else. */
function inMemory({ bytes, modifiedMs }: WrittenLog): Files {
  const facts = { id: '', kind: 'file', sizeBytes: bytes.length, modifiedMs } as const;
  return {
    ...diskFiles,
    open: () => ({
      facts: () => facts,
      read: (into, offset, length, position) => {
        const part = bytes.subarray(position, position + length);
        into.set(part, offset);
        return { bytesRead: part.length };
      },
      close: () => undefined,
    }),
  };
}
