// The lines that are open, shared by the sources on them, and what is remembered of each source while the agent runs: a
// source is made again for each try.
//
// Invariants: one line a port, opened by the first who joins and closed when the last has left; a source that comes while it is
// being closed waits for that. All on it have the same settings. A line on which somebody hears what comes unasked is not
// shared. Bound: one memory a source and a port of the settings.
import { AgentError } from '../../../model/agent-error.ts';
import type { LineSettings } from '../../../model/instrument.ts';
import type { Clock } from '../../../platform/clock.ts';
import { findPort, namePort, type PortMemory, type PortReference, rememberAdapter } from './find-port.ts';
import { GapWatch } from './gap-watch.ts';
import { Line, type LineListener } from './line.ts';
import { listPorts, type PortInfo, serialTransport } from './serial-port.ts';
import { parseTcpAddress, tcpTransport } from './tcp.ts';
import type { Transport } from './transport.ts';

/** What is remembered of a source from one opening to the next. */
export interface SourceMemory {
  /** Where the line led last; empty before the first opening. */
  place: string;
  readonly gaps: GapWatch;
  /** Forgets what is done at the abort while the source waits for its next try. */
  endWait: () => void;
}

export interface JoinOptions {
  readonly port: PortReference;
  readonly settings: LineSettings;
  readonly settleMs: number;
  readonly clock: Clock;
  /** Hears what comes unasked; such a line cannot be shared. */
  readonly listener: LineListener | null;
}

/** A source's part in a line. */
export interface Membership {
  readonly line: Line;
  readonly isShared: () => boolean;
  /** A source that has had a good reply says so: the line is alive. */
  lastGoodMs(): number;
  good(): void;
  /** Leave; the last one closes the line. */
  leave(): Promise<void>;
}

/** Makes the way to a port. */
export type MakeTransport = typeof makeTransport;

/** Hears the bytes of a line as they pass, in both ways; for looking on, never for reading. */
export type LineTap = (way: 'in' | 'out', bytes: Uint8Array) => void;

interface Shared {
  readonly settings: string;
  readonly hears: boolean;
  members: number;
  lastGoodMs: number;
  opening: Promise<Line>;
  ended: Promise<unknown>;
}

export class LineHub {
  readonly #lines = new Map<string, Shared>();
  readonly #ports = new Map<string, PortMemory>();
  readonly #sources = new Map<string, SourceMemory>();
  readonly #taps = new Map<string, Set<LineTap>>();
  readonly #list: () => Promise<readonly PortInfo[]>;
  readonly #makeTransport: MakeTransport;

  /** Takes how to list the ports of this PC, and how to get to one. */
  constructor(list: () => Promise<readonly PortInfo[]> = listPorts, transportOf: MakeTransport = makeTransport) {
    this.#list = list;
    this.#makeTransport = transportOf;
  }

  /** What is remembered of a source; made at its first try, of which `startMs` is the time (Unix ms). */
  memoryOf(sourceId: string, startMs: number): SourceMemory {
    const known = this.#sources.get(sourceId);
    if (known) return known;
    const memory = { place: '', gaps: new GapWatch(startMs), endWait: () => {} };
    this.#sources.set(sourceId, memory);
    return memory;
  }

  /** Look on at a line, open or not yet; gives the function that ends it. */
  tap(port: PortReference, listener: LineTap): () => void {
    const key = keyOf(port);
    const taps = this.#taps.get(key) ?? new Set();
    this.#taps.set(key, taps.add(listener));
    return () => taps.delete(listener);
  }

  /**
   * Join a line; the first one opens it.
   *
   * @throws those of the transport; `serial.line-differs` when others use the line with other settings, and
   *   `serial.line-not-shared` when somebody on it hears what comes unasked: both need a person.
   */
  async join(options: JoinOptions): Promise<Membership> {
    const { port, clock } = options;
    const key = keyOf(port);
    const settings = JSON.stringify(options.settings);
    const former = this.#lines.get(key);
    if (former?.members === 0) await former.ended;
    const there = this.#lines.get(key);
    if (there) refuseSharing(namePort(port), there, settings, options.listener !== null);
    const shared = there ?? this.#open(key, settings, options);
    shared.members += 1;
    try {
      const line = await shared.opening;
      let isLeft = false;
      return {
        line,
        isShared: () => shared.members > 1,
        lastGoodMs: () => shared.lastGoodMs,
        good: () => {
          shared.lastGoodMs = clock.monotonicMs();
        },
        leave: () => {
          if (isLeft) return Promise.resolve();
          isLeft = true;
          return this.#leave(key, shared, line);
        },
      };
    } catch (thrown) {
      shared.members -= 1;
      throw thrown;
    }
  }

  #open(key: string, settings: string, options: JoinOptions): Shared {
    const { port, clock, settleMs, listener } = options;
    const memory = this.#ports.get(key) ?? { adapter: null };
    this.#ports.set(key, memory);
    const tell: LineTap = (way, bytes) => {
      for (const tap of this.#taps.get(key) ?? []) tap(way, bytes);
    };
    const transport = tapped(this.#makeTransport(port, options.settings, this.#list, memory), tell);
    const opening = Line.open(transport, clock, settleMs, listener);
    const forget = () => {
      if (this.#lines.get(key) === shared) this.#lines.delete(key);
    };
    const shared: Shared = {
      settings,
      hears: listener !== null,
      members: 0,
      lastGoodMs: clock.monotonicMs(),
      opening,
      // A line that cannot be opened, or has ended, is forgotten: the next one opens a fresh one.
      ended: opening.then((line) => line.closed).then(forget, forget),
    };
    this.#lines.set(key, shared);
    void opening.then((line) => rememberAdapter(line.place, this.#list, memory)).catch(() => undefined);
    return shared;
  }

  async #leave(key: string, shared: Shared, line: Line): Promise<void> {
    shared.members -= 1;
    if (shared.members > 0) return;
    await line.close();
    await shared.ended;
    if (this.#lines.get(key) === shared) this.#lines.delete(key);
  }
}

const keyOf = (port: PortReference) => (typeof port === 'string' ? port.toLowerCase() : JSON.stringify(port));

function tapped(transport: Transport, tell: LineTap): Transport {
  return {
    ...transport,
    open: async (onBytes) => {
      const connection = await transport.open((bytes) => {
        tell('in', bytes);
        onBytes(bytes);
      });
      const write = (bytes: Uint8Array) => {
        tell('out', bytes);
        return connection.write(bytes);
      };
      return { ...connection, write };
    },
  };
}

/** Make the transport of a port as the settings name it. */
export function makeTransport(
  port: PortReference,
  settings: LineSettings,
  list: () => Promise<readonly PortInfo[]> = listPorts,
  memory: PortMemory = { adapter: null },
): Transport {
  const address = typeof port === 'string' ? parseTcpAddress(port) : null;
  if (typeof port === 'string' && address) return tcpTransport(port, address);
  return serialTransport(namePort(port), () => findPort(port, list, memory), settings);
}

function refuseSharing(name: string, shared: Shared, settings: string, hears: boolean): void {
  const refuse = (code: string, message: string, hint: string) =>
    new AgentError({ code, message, hint, retry: 'after-human' });
  if (hears || shared.hears) {
    const hint = 'An instrument that talks unasked needs a line of its own.';
    throw refuse(
      'serial.line-not-shared',
      `${name} is used by another source, and one of the two talks unasked.`,
      hint,
    );
  }
  if (settings === shared.settings) return;
  const hint = 'Instruments on one line have the same baud rate, data bits, parity and stop bits: set them alike.';
  throw refuse('serial.line-differs', `${name} is used by another source with other line settings.`, hint);
}
