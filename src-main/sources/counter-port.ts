// A counter behind a serial port or a terminal server: opens the way, asks the register ten times a second where it must be
// asked, and hands over whole lines.

import type { AgentError } from '../model/agent-error.ts';
import { LineSettings } from '../model/instrument.ts';
import type { Clock } from '../platform/clock.ts';
import type { CounterPort, PortLine } from './rheed/readers/port-reader.ts';
import { makeTransport } from './serial/line/line-hub.ts';
import type { Connection } from './serial/line/transport.ts';

/** What is taken where the settings name no rate. */
const BAUD = 9600;
/** Time between two questions, milliseconds. */
const ASK_MS = 100;
/** A line that is longer is no counter's; what came of it is dropped, characters. */
const LINE_MAX = 1000;
/** Lines that wait for the next look. */
const LINES_MAX = 10_000;

export interface CounterPortOptions {
  readonly port: string;
  readonly baud: number;
  readonly ask: string | null;
  readonly clock: Clock;
}

/**
 * Open the port of a counter.
 *
 * @returns its lines, at once; opening goes on meanwhile. `takeLines` throws what opening or the connection failed with, and
 *   the source is then opened again.
 */
export function openCounterPort({ port, baud, ask, clock }: CounterPortOptions): CounterPort {
  const stop = new AbortController();
  const lines: PortLine[] = [];
  let rest = '';
  /** The beginning of the line that is coming was dropped: what is left of it could be taken for a number. */
  let isCut = false;
  let failure: AgentError | null = null;
  let connection: Connection | null = null;
  const onBytes = (bytes: Uint8Array) => {
    const parts = `${rest}${Buffer.from(bytes).toString('latin1')}`.split(/\r\n|\r|\n/);
    rest = parts.pop() ?? '';
    for (const text of parts) {
      const isWhole = !isCut && text.length <= LINE_MAX;
      isCut = false;
      if (isWhole && text !== '' && lines.length < LINES_MAX) lines.push({ text, atMs: clock.nowMs() });
    }
    if (rest.length <= LINE_MAX) return;
    rest = '';
    isCut = true;
  };
  const run = async () => {
    connection = await makeTransport(port, LineSettings.parse({ baud })).open(onBytes);
    if (stop.signal.aborted) return connection.close();
    void connection.closed.then((error) => {
      failure ??= error;
    });
    while (ask !== null && !stop.signal.aborted && failure === null) {
      await connection.write(Buffer.from(`${ask}\r\n`, 'latin1'));
      await clock.sleep(ASK_MS, stop.signal);
    }
  };
  run().catch((error: AgentError) => {
    failure ??= error;
  });
  return {
    takeLines() {
      if (failure !== null) throw failure;
      return lines.splice(0);
    },
    close() {
      stop.abort();
      // Nobody waits: the port is free as soon as the system lets go of it.
      connection?.close().catch(() => {});
    },
  };
}

/**
 * Say how the port of a counter is opened. Takes its settings; rate and question are those of a counter on a line, of any
 * other there are none.
 */
export function counterPortOpener(
  counter: { readonly type: string; readonly baud?: number; readonly ask?: string | null },
  clock: Clock,
): (port: string) => CounterPort {
  const { baud = BAUD, ask = null } = counter;
  return (port) => openCounterPort({ port, baud, ask, clock });
}
