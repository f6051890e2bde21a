// How a page proves on its socket that it holds a session. A page can set no header of a WebSocket but the list of
// sub-protocols, so the secret stands there, beside the protocol that both speak.

/** The sub-protocol of the socket. */
export const SOCKET_PROTOCOL = 'epistream';

const PROOF = 'epistream.session.';

/** List the sub-protocols that the page asks for. */
export const protocolsOf = (secret: string): string[] => [SOCKET_PROTOCOL, `${PROOF}${secret}`];

/** Read the secret in a header `Sec-WebSocket-Protocol`; undefined when there is none. */
export function readProof(header: string): string | undefined {
  const asked = header.split(',').map((one) => one.trim());
  return asked.find((one) => one.startsWith(PROOF))?.slice(PROOF.length);
}
