import { session } from 'electron';

/**
 * Find the proxy that this PC uses for an address, as the operating system has it, scripts of the lab included.
 *
 * @returns its address; null: none, or one of a kind that is not spoken here (SOCKS).
 */
export async function findSystemProxy(url: string): Promise<string | null> {
  // "PROXY proxy.example.org:3128; DIRECT": the first way is the one that is wanted.
  const [first = ''] = (await session.defaultSession.resolveProxy(url)).split(';');
  const [, host = ''] = /^\s*PROXY\s+(\S+)/i.exec(first) ?? [];
  return host === '' ? null : `http://${host}`;
}
