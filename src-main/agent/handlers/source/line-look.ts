// A look at a serial line while a person sets up a source: the bytes as they pass, and what the source would read. It is
// the source itself that runs, with nobody behind it who stores anything. On a line that is recorded already it joins in,
// as two instruments on one line do.

import type { Value } from '../../../contract/table.ts';
import { toAgentError } from '../../../model/agent-error.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { SerialSourceSettings } from '../../../settings/settings.ts';
import { namePort } from '../../../sources/serial/line/find-port.ts';
import { LineHub } from '../../../sources/serial/line/line-hub.ts';
import { showBytes } from '../../../sources/serial/protocol/bytes.ts';
import { openSerialSource } from '../../../sources/serial/serial-source.ts';
import type { SourceSink } from '../../../sources/source.ts';
import { nameSettings, probe } from '../../check/probe-port.ts';

export type LookView = Value<'source', 'readLook'>;

/** Pieces of bytes that are kept, and how long one may be. */
const PIECES_MAX = 200;
const PIECE_BYTES = 64;
/** Channels that are shown. */
const CHANNELS_MAX = 200;

/** A look under way. */
export interface Look {
  readonly view: () => LookView;
  /** Fulfilled when the line is let go. */
  readonly end: () => Promise<void>;
}

const nothing: LookView = {
  state: 'opening',
  ...{
    message: '',
    hint: '',
    tries: 0,
    trying: '',
    bytes: [],
    bytesIn: 0,
    readings: [],
    notes: [],
    matches: [],
    heard: [],
  },
};

/** Begin to run; to end it is to stop it and wait. `run` does not throw: its view says what went wrong. */
function beginLook(run: () => Promise<void>, view: () => LookView, stop: AbortController): Look {
  const over = run();
  return {
    view,
    end: async () => {
      stop.abort();
      await over;
    },
  };
}

/**
 * Look at a serial source.
 *
 * @param lines - the lines that are recorded already (null: none).
 * @returns the look; what goes wrong is said by its view.
 */
export function lookAtLine(settings: SerialSourceSettings, lines: LineHub | null, clock: Clock): Look {
  const stop = new AbortController();
  const hub = lines ?? new LineHub();
  let view = nothing;
  const set = (change: Partial<LookView>) => {
    view = { ...view, ...change };
  };
  let pieces = 0;
  const untap = hub.tap(settings.port, (way, bytes) => {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      const piece = bytes.subarray(at, at + PIECE_BYTES);
      pieces += 1;
      const hex = Array.from(piece, (byte) => byte.toString(16).padStart(2, '0')).join(' ');
      const shown = { id: pieces, atMs: clock.nowMs(), way, hex, text: showBytes(piece) };
      set({ bytes: [...view.bytes, shown].slice(-PIECES_MAX) });
    }
    if (way === 'in') set({ bytesIn: view.bytesIn + bytes.length });
    if (view.state === 'opening') set({ state: 'looking' });
  });
  const sink: SourceSink = {
    positions: async () => new Map(),
    declare: (channels) => {
      const known = new Map(view.readings.map((reading) => [reading.channel, reading]));
      const readings = channels
        .slice(0, CHANNELS_MAX)
        .map(({ name, unit }) => ({ value: null, text: '', atMs: null, ...known.get(name), channel: name, unit }));
      set({ state: 'looking', readings });
    },
    capture: async ({ blocks, refusals }) => {
      const newest = new Map(view.readings.map((reading) => [reading.channel, reading]));
      for (const { channels, timesMs, values } of blocks) {
        const last = timesMs.length - 1;
        for (const [at, channel] of channels.entries()) {
          const value = values[last * channels.length + at] as number;
          const known = newest.get(channel);
          if (known && Number.isFinite(value))
            newest.set(channel, { ...known, value, text: '', atMs: timesMs[last] as number });
        }
      }
      for (const { channel, text, reason } of refusals) {
        const known = newest.get(channel);
        if (known) newest.set(channel, { ...known, value: null, text: `${text}: ${reason}`, atMs: clock.nowMs() });
      }
      set({ readings: [...newest.values()] });
    },
    note: ({ level, message, hint }) => {
      const others = view.notes.filter((note) => note.message !== message);
      set({ notes: [...others, { level, message, hint }].slice(-10) });
    },
    gap: () => {},
  };
  const run = async () => {
    try {
      // A name that no source can have: what is remembered of it is of looks at this port alone.
      const source = openSerialSource({ ...settings, id: `look ${namePort(settings.port)}`, hub, clock });
      await source.run(sink, stop.signal);
      set({ state: 'ended' });
    } catch (thrown) {
      const { message, hint } = toAgentError(thrown);
      set(stop.signal.aborted ? { state: 'ended' } : { state: 'failed', message, hint });
    } finally {
      untap();
    }
  };
  return beginLook(run, () => view, stop);
}

/**
 * Ask on a port which instrument it is.
 *
 * @returns the look; its matches stand in the view when it has ended.
 */
export function lookForInstrument(port: string): Look {
  const stop = new AbortController();
  let view: LookView = nothing;
  const run = async () => {
    try {
      const onTry = (trying: string) => {
        view = { ...view, state: 'looking', trying, tries: view.tries + 1 };
      };
      const everything = { instruments: [], address: null, bauds: [] };
      const { matches, heard, unasked } = await probe({ port, ...everything, signal: stop.signal, onTry });
      view = {
        ...view,
        state: 'ended',
        trying: '',
        matches: matches.map(({ instrument, title, isSure, identity, line, differs }) => ({
          instrument,
          title,
          isSure,
          identity,
          lineText: nameSettings(line),
          line: differs.line,
          address: differs.address,
          options: differs.options,
        })),
        heard: [
          ...heard.map(({ line, text }) => `${nameSettings(line)}: ${text}`),
          ...(matches.length > 0 ? [] : unasked.map(({ title, reason }) => `not asked: ${title}, since ${reason}`)),
        ],
      };
    } catch (thrown) {
      const { message, hint } = toAgentError(thrown);
      view = { ...view, state: 'failed', trying: '', message, hint };
    }
  };
  return beginLook(run, () => view, stop);
}
