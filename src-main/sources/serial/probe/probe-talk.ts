// A board that nobody ships and that talks by itself: its lines are heard before anything is asked.
//
// Bounds: 5 s at each rate; other rates only where bytes came that are no text; 100 lines. Nothing is sent.
import { type InstrumentInput, LineSettings } from '../../../model/instrument.ts';
import type { Clock } from '../../../platform/clock.ts';
import { Line } from '../line/line.ts';
import type { Transport } from '../line/transport.ts';
import { lineOf, lookAtShown, showBytes } from '../protocol/bytes.ts';
import type { Frame } from '../protocol/exchange.ts';
import { anyLine } from '../protocol/framer.ts';
import { HeardValues, type ProbeReading } from './probe-listen.ts';
import { writeTalkProfile } from './talk-profile.ts';

const LISTEN_MS = 5000;
/** Lines after which nothing new is expected. */
const LINES_MAX = 100;
/** Lines that are shown. */
const LINES_SHOWN = 5;
/** Rates at which boards talk, the most usual first. */
const BAUDS = [9600, 115_200, 57_600, 19_200, 38_400];

/** What is said on a port without being asked. */
export interface Talk {
  readonly line: LineSettings;
  /** The last lines, as they came. */
  readonly lines: readonly string[];
  /** What reads them; null: there is no number in them twice. */
  readonly profile: InstrumentInput | null;
  readonly readings: readonly ProbeReading[];
}

export interface HearTalkOptions {
  /** Rates that are tried; empty: the usual ones. */
  readonly bauds: readonly number[];
  /** The other side sets the rate. */
  readonly isTcp: boolean;
  readonly transportOf: (line: LineSettings) => Transport;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onTry: (line: LineSettings) => void;
}

/**
 * Hear what is said on a port.
 *
 * @returns lines of text with the settings at which they came; null where none came.
 * @throws those of the transport.
 */
export async function hearTalk(options: HearTalkOptions): Promise<Talk | null> {
  const { bauds, isTcp, transportOf, clock, signal, onTry } = options;
  const tried = bauds.length > 0 ? bauds : BAUDS;
  for (const baud of isTcp ? tried.slice(0, 1) : tried) {
    if (signal.aborted) return null;
    const line = LineSettings.parse({ baud, hang_up: false });
    onTry(line);
    const { frames, bytes } = await listen(transportOf(line), clock, signal);
    if (frames.length > 1 && frames.every(isText)) return talkOf(frames, line, isTcp);
    // Where nothing comes at one rate, nothing comes at any.
    if (bytes === 0) return null;
  }
  return null;
}

const isText = ({ bytes }: Frame) => lookAtShown(showBytes(bytes)).isText;

async function listen(transport: Transport, clock: Clock, signal: AbortSignal) {
  const frames: Frame[] = [];
  const enough = new AbortController();
  let bytes = 0;
  const onFrame = (frame: Frame) => {
    bytes += frame.bytes.length;
    frames.push(frame);
    if (frames.length >= LINES_MAX) enough.abort();
  };
  const onUnreadable = (_: Uint8Array, count: number) => {
    bytes += count;
  };
  const line = await Line.open(transport, clock, 0, { framer: anyLine(), onFrame, onUnreadable });
  try {
    await clock.sleep(LISTEN_MS, AbortSignal.any([signal, enough.signal, line.ended]));
    bytes += line.counts.partialBytes + line.counts.strayBytes;
  } finally {
    await line.close();
  }
  return { frames, bytes };
}

function talkOf(frames: readonly Frame[], line: LineSettings, isTcp: boolean): Talk {
  const said = frames.map(({ bytes, atMs }) => ({ text: lineOf(bytes).replace(/^[\0\s]+|[\0\s]+$/g, ''), atMs }));
  const lines = said.slice(-LINES_SHOWN).map(({ text }) => text);
  const written = writeTalkProfile(said, isTcp ? null : line.baud);
  if (written === null) return { line, lines, profile: null, readings: [] };
  const heard = new HeardValues(written.driver, '');
  for (const frame of frames) heard.take(frame);
  return { line, lines, profile: written.profile, readings: heard.readings };
}
