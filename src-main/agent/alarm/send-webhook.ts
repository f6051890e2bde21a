import { openConnections } from '../../delivery/client/connection.ts';
import type { FindProxy } from '../../delivery/client/proxy.ts';
import { refuse } from '../../model/agent-error.ts';
import type { AlarmMessage } from './alarm-watch.ts';

/** Longest that a webhook may take, from the name look-up to the status of its answer, milliseconds. */
export const WEBHOOK_MS = 10_000;
const TIMEOUTS = { connectMs: WEBHOOK_MS, headersMs: WEBHOOK_MS, bodyMs: WEBHOOK_MS, totalMs: WEBHOOK_MS };

/**
 * Post an alarm as JSON. A redirect is not followed; the proxy applies to addresses over TLS only.
 *
 * @throws `alarm.webhook` when no answer came or it is no success. The message names the host alone: the rest of the address
 *   may be secret.
 */
export async function sendWebhook(
  address: string,
  findProxy: FindProxy,
  message: AlarmMessage,
  signal: AbortSignal,
): Promise<void> {
  const { origin, host, pathname, search } = new URL(address);
  const connections = openConnections({ timeouts: TIMEOUTS, findProxy });
  const fail = (what: string, hint: string) => refuse('alarm.webhook', `The webhook at ${host} ${what}.`, hint);
  try {
    const { statusCode, body } = await connections
      .request({
        origin,
        path: pathname + search,
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': 'epistream' },
        body: JSON.stringify(message),
        signal,
      })
      .catch((thrown: Error & { code?: string }) => {
        const why = signal.aborted ? 'does not answer' : `cannot be reached (${thrown.code || thrown.message})`;
        throw fail(why, 'Check the network of this PC, and alarm.webhook in the settings.');
      });
    // The status is the answer; of the rest a little is read so that the connection can end in order.
    await body.dump({ limit: 65_536, signal }).catch(() => {});
    if (statusCode >= 200 && statusCode < 300) return;
    const isMoved = statusCode >= 300 && statusCode < 400;
    throw fail(
      `answers with status ${statusCode}`,
      isMoved ? 'Redirects are not followed: set alarm.webhook to the final address.' : 'Check alarm.webhook.',
    );
  } finally {
    await connections.destroy();
  }
}
