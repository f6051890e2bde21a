// Nothing on the network reaches this server, but any page in any browser on this PC can try. So every request names a
// host that is ours (that defeats DNS rebinding), and none may come from a page that is not ours (that defeats requests
// forged by other sites, also by another local service on a port of its own, which browsers call "same-site").

/** The head of a request as far as the doorkeeper looks: lower-case names. */
export type Headers = (name: string) => string | undefined;

export interface Doorkeeper {
  /** Why a plain request is turned away; null when it may pass. */
  refuse(headers: Headers): string | null;
  /** The same for what only a page of ours sends (a socket, a token): it must say where it comes from. */
  refuseUnlessOwn(headers: Headers): string | null;
}

/**
 * Make the doorkeeper of one loopback port.
 *
 * @param port - the port that the server listens on.
 * @returns the checks; a reason is a sentence for the answer, never a secret.
 */
export function makeDoorkeeper(port: number): Doorkeeper {
  const hosts = new Set([`127.0.0.1:${port}`, `localhost:${port}`]);

  const refuse = (headers: Headers): string | null => {
    const host = headers('host')?.toLowerCase() ?? '';
    if (!hosts.has(host)) return 'This address is not served here.';
    const origin = headers('origin');
    if (origin !== undefined && origin !== `http://${host}`) return 'Requests from other pages are not answered.';
    const site = headers('sec-fetch-site') ?? 'none';
    const isOwn = site === 'same-origin' || site === 'none' || headers('sec-fetch-mode') === 'navigate';
    return isOwn ? null : 'Requests from other pages are not answered.';
  };
  return {
    refuse,
    refuseUnlessOwn: (headers) => (headers('origin') === undefined ? 'The origin is missing.' : refuse(headers)),
  };
}
