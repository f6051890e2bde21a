// A way to an instrument: a port of this PC or a terminal server. Each opening makes a new connection with objects of its
// own; nothing is reused from the last one.
import type { AgentError } from '../../../model/agent-error.ts';

export interface Connection {
  /**
   * Write bytes.
   *
   * @returns fulfilled when the system has taken them.
   * @throws `serial.port-gone`.
   */
  write(bytes: Uint8Array): Promise<void>;
  /** Close; fulfilled when the port is free for others. May be called again. */
  close(): Promise<void>;
  /** Fulfilled when the connection has ended: with the reason, or null when this side closed it. */
  readonly closed: Promise<AgentError | null>;
  /** Where the connection leads now: `COM7`, `/dev/ttyUSB0`, `tcp://10.0.0.7:4001`. */
  readonly place: string;
}

/** Notified of received bytes, in order, as they arrive. */
export type OnBytes = (bytes: Uint8Array) => void;

export interface Transport {
  /** As the settings name it. */
  readonly name: string;
  /** Time that one character takes on the wire, milliseconds; 0 where the wire is not ours (TCP). */
  readonly characterMs: number;
  /**
   * Open a connection.
   *
   * @throws AgentError, `retry: later` wherever another try can help: `serial.in-use`, `serial.port-missing`,
   *   `serial.port-ambiguous`, `serial.denied`, `serial.unreachable`, `serial.open-failed`.
   */
  open(onBytes: OnBytes): Promise<Connection>;
}
