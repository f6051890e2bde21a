// A serial port of this PC. A fresh SerialPort object for each connection: a used one cannot be opened again after its
// device went away (node-serialport #2351).
import { SerialPort } from 'serialport';
import { AgentError } from '../../../model/agent-error.ts';
import type { LineSettings } from '../../../model/instrument.ts';
import { type PortSign, watchPort } from './port-watch.ts';
import type { Connection, OnBytes, Transport } from './transport.ts';

/** How often an open port is asked whether it is still there, milliseconds. */
const LOOK_MS = 250;
/** How often the system is asked for the ports that it has, which costs it more, milliseconds. */
const LIST_MS = 5000;

/** What the system says of a port: only its path is certain. */
export interface PortInfo {
  readonly path: string;
  readonly serialNumber?: string | undefined;
  readonly vendorId?: string | undefined;
  readonly productId?: string | undefined;
  readonly manufacturer?: string | undefined;
}

/**
 * List the ports of this PC.
 *
 * @throws rejects where the system does not tell them; a typed path still works.
 */
export function listPorts(): Promise<readonly PortInfo[]> {
  return SerialPort.list();
}

/** Time of one character on the line: start bit, data, parity, stop bits. */
function characterTimeMs({ baud, data_bits, parity, stop_bits }: LineSettings): number {
  return ((1 + data_bits + (parity === 'none' ? 0 : 1) + stop_bits) * 1000) / baud;
}

/**
 * Make the transport of a serial port.
 *
 * @param name - what the settings call it.
 * @param findPath - where it is now (asked at each opening, so that a port may come back under another name).
 * @param line - the settings of the line.
 */
export function serialTransport(name: string, findPath: () => Promise<string>, line: LineSettings): Transport {
  return { name, characterMs: characterTimeMs(line), open: async (onBytes) => open(await findPath(), line, onBytes) };
}

/** Ports that this process has open. */
const openHere = new Set<string>();

async function open(path: string, line: LineSettings, onBytes: OnBytes): Promise<Connection> {
  const port = new SerialPort({
    path,
    baudRate: line.baud,
    dataBits: line.data_bits,
    parity: line.parity,
    stopBits: line.stop_bits,
    rtscts: line.flow === 'rtscts',
    xon: line.flow === 'xonxoff',
    xoff: line.flow === 'xonxoff',
    hupcl: line.hang_up,
    autoOpen: false,
  });
  const closed = Promise.withResolvers<AgentError | null>();
  let isClosing = false;
  port.on('data', (bytes: Uint8Array) => onBytes(bytes));
  port.on('close', (error: Error | null) => closed.resolve(isClosing ? null : portGone(path, error)));
  port.on('error', (error) => {
    closed.resolve(portGone(path, error));
    // A port that failed is closed as far as that goes; what it says then is the same fault again.
    if (port.isOpen) port.close(() => undefined);
  });
  await new Promise<void>((resolve, reject) =>
    port.open((error) => (error ? reject(explainOpenFault(path, error)) : resolve())),
  );
  openHere.add(path);
  void closed.promise.then(() => openHere.delete(path));
  await setSignals(port, line);
  const endWatch = watchPort(
    signsOf(port, path, () => isClosing),
    () => {
      closed.resolve(portGone(path, null));
      if (port.isOpen) port.close(() => undefined);
    },
  );
  void closed.promise.then(endWatch);
  return {
    place: path,
    closed: closed.promise,
    write: (bytes) =>
      new Promise((resolve, reject) => {
        if (!port.isOpen) return reject(portGone(path, null));
        port.write(bytes, (error) => (error ? reject(portGone(path, error)) : resolve()));
      }),
    close: () =>
      new Promise((resolve) => {
        isClosing = true;
        if (!port.isOpen) {
          closed.resolve(null);
          return resolve();
        }
        // Closing can only fail where the port is gone already.
        port.close(() => {
          closed.resolve(null);
          resolve();
        });
      }),
  };
}

/** What tells that a device is there. `isClosing` says that this side closes the port. */
function signsOf(port: SerialPort, path: string, isClosing: () => boolean): PortSign[] {
  // The library lets go a port whose read failed, and tells only when the driver has closed it.
  const isHeld = async () => isClosing() || port.isOpen;
  // A question to the driver (Linux: TCGETS2, Windows: GetCommState), which has no answer for a device that is gone. The binding
  // has none for macOS.
  const answers = async () => {
    try {
      await port.port?.getBaudRate();
      return true;
    } catch {
      return isClosing();
    }
  };
  // Twice: a list that is made while another device comes or goes may lack some.
  const isListed = async () => isClosing() || (await lists(path)) || lists(path);
  const signs = [
    { everyMs: LOOK_MS, isThere: isHeld },
    { everyMs: LOOK_MS, isThere: answers },
  ];
  // A list costs a process there.
  return process.platform === 'linux' ? signs : [...signs, { everyMs: LIST_MS, isThere: isListed }];
}

const lists = async (path: string) => (await listPorts()).some((info) => isSamePort(info.path, path));

/** Tell whether two paths are one port: Windows knows `COM12`, `com12` and `\\.\COM12`. */
export function isSamePort(a: string, b: string): boolean {
  const plain = (path: string) => path.replace(/^\\\\\.\\/, '').toLowerCase();
  return plain(a) === plain(b);
}

/** Set DTR and RTS where that is asked for. A port without such lines (a pseudo-terminal) does not mind. */
function setSignals(port: SerialPort, { dtr, rts }: LineSettings): Promise<void> {
  if (dtr === 'leave' && rts === 'leave') return Promise.resolve();
  return new Promise((resolve) => port.set({ dtr: dtr !== 'off', rts: rts !== 'off' }, () => resolve()));
}

function portGone(path: string, error: Error | null): AgentError {
  return new AgentError({
    code: 'serial.port-gone',
    message: `${path} is disconnected.`,
    hint: 'Check the cable and the adapter. Epistream opens it again automatically as soon as it is there.',
    retry: 'later',
    cause: error ?? undefined,
  });
}

function explainOpenFault(path: string, error: Error): AgentError {
  const text = error.message;
  const fault = (code: string, message: string, hint: string) =>
    new AgentError({ code, message, hint, retry: 'later', cause: error });
  // Linux: cannot take the lock. Windows: access denied, since ports are opened by one program only.
  if (/lock|busy|access denied/i.test(text)) {
    if ([...openHere].some((open) => isSamePort(open, path))) {
      const hint =
        'It is free when the test on the page Sources ends. Two sources of one port need the same line settings.';
      return fault('serial.in-use', `${path} is in use by Epistream itself: by a test, or by another source.`, hint);
    }
    const hint =
      'Close the other program (a terminal, the tool software, another agent). Epistream tries again automatically.';
    return fault('serial.in-use', `${path} is in use by another program.`, hint);
  }
  if (/no such file|file not found|cannot find|unknown error code (2|3)\b/i.test(text)) {
    const hint = 'Plug the adapter in, or correct the port: the device manager lists the ports there are.';
    return fault('serial.port-missing', `There is no port ${path}.`, hint);
  }
  if (/permission denied/i.test(text)) {
    const hint = 'On Linux the user must be in the group that owns the port, often dialout.';
    return fault('serial.denied', `${path} may not be opened by this user.`, hint);
  }
  const hint = 'Check that it is a serial port and that its settings are possible.';
  return fault('serial.open-failed', `${path} cannot be opened: ${text.replace(/^Error:?\s*/, '')}`, hint);
}
