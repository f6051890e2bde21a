// Where a port is now. USB adapters come back under other names (COM3, then COM7; ttyUSB0, then ttyUSB1), and two alike can
// change places. The number in the adapter tells which is which; where it does not, a person does. Nothing is guessed.
import { AgentError } from '../../../model/agent-error.ts';
import type { PortInfo } from './serial-port.ts';

/** A port by its path, or a USB adapter by what is written in it. */
export type PortReference =
  | string
  | {
      readonly usbSerial: string | null;
      /** USB vendor and product number, four hex digits each; null: any. */
      readonly vid: string | null;
      readonly pid: string | null;
    };

/** The adapter that a path led to when it was opened last; lives as long as the agent runs. */
export interface PortMemory {
  adapter: { readonly usbSerial: string; readonly path: string } | null;
}

/** What a person calls the port. */
export function namePort(port: PortReference): string {
  if (typeof port === 'string') return port;
  const parts = [port.usbSerial && `serial number ${port.usbSerial}`, port.vid && `${port.vid}:${port.pid ?? '*'}`];
  return `the USB adapter with ${parts.filter(Boolean).join(', ')}`;
}

/**
 * Find the path of a port.
 *
 * @param port - the port of the settings.
 * @param list - how to list the ports of this PC (may reject).
 * @param memory - what was remembered of it.
 * @returns the path to open.
 * @throws `serial.port-missing` when the adapter is not there; `serial.port-ambiguous` when two fit: a person decides which, or
 *   one of them is unplugged; `serial.other-adapter` when another adapter has taken the path. All are tried again.
 */
export async function findPort(
  port: PortReference,
  list: () => Promise<readonly PortInfo[]>,
  memory: PortMemory,
): Promise<string> {
  if (typeof port === 'string') return findByPath(port, list, memory);
  const ports = await list().catch((cause: unknown) => {
    const message = 'This PC does not tell its ports, so that an adapter cannot be found by its number.';
    throw later('serial.list-failed', message, 'Give the path of the port instead.', cause);
  });
  const fit = ports.filter(
    (info) =>
      (port.usbSerial === null || same(info.serialNumber, port.usbSerial)) &&
      (port.vid === null || same(info.vendorId, port.vid)) &&
      (port.pid === null || same(info.productId, port.pid)),
  );
  return takeOnly(fit, namePort(port), ports);
}

/** Remember which adapter a path leads to, so that it is known again elsewhere. */
export async function rememberAdapter(
  path: string,
  list: () => Promise<readonly PortInfo[]>,
  memory: PortMemory,
): Promise<void> {
  // Ports that are not listed, or have no number, are known by their path alone.
  const ports = await list().catch(() => []);
  const usbSerial = ports.find((info) => same(info.path, path))?.serialNumber;
  if (usbSerial) memory.adapter = { usbSerial, path };
}

async function findByPath(
  path: string,
  list: () => Promise<readonly PortInfo[]>,
  { adapter }: PortMemory,
): Promise<string> {
  if (adapter === null) return path;
  // A list that cannot be had leaves the path, which can be opened without it.
  const ports = await list().catch(() => null);
  if (ports === null) return path;
  const fit = ports.filter((info) => same(info.serialNumber, adapter.usbSerial));
  if (fit.length > 0) return takeOnly(fit, `the adapter of ${path} (serial number ${adapter.usbSerial})`, ports);
  const taken = ports.find((info) => same(info.path, path));
  if (taken?.serialNumber) {
    throw later(
      'serial.other-adapter',
      `${path} is another adapter now (serial number ${taken.serialNumber}, was ${adapter.usbSerial}).`,
      'Plug the former one in. If it was exchanged on purpose, restart the agent.',
    );
  }
  return path;
}

function takeOnly(fit: readonly PortInfo[], what: string, all: readonly PortInfo[]): string {
  const [only] = fit;
  if (only && fit.length === 1) return only.path;
  if (only) {
    const paths = fit.map(({ path }) => path).join(' and ');
    const hint = 'Say which: give the path of the port, or its usb_serial; or unplug the other one.';
    throw later('serial.port-ambiguous', `Two ports fit ${what}: ${paths}.`, hint);
  }
  const there = all.map((info) => (info.serialNumber ? `${info.path} (${info.serialNumber})` : info.path));
  const hint = there.length > 0 ? `Available: ${there.slice(0, 10).join(', ')}.` : 'There is no port on this PC.';
  throw later('serial.port-missing', `${what[0]?.toUpperCase()}${what.slice(1)} is not there.`, hint);
}

const same = (a: string | undefined, b: string) => a?.toLowerCase() === b.toLowerCase();

function later(code: string, message: string, hint: string, cause?: unknown): AgentError {
  return new AgentError({ code, message, hint, retry: 'later', cause });
}
