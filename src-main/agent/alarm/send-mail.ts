import { createTransport } from 'nodemailer';
import { AgentError, refuse } from '../../model/agent-error.ts';
import type { MailSettings } from '../../settings/settings.ts';
import type { AlarmMessage } from './alarm-watch.ts';

/** Longest that one mail may take with all its recipients, milliseconds. */
export const MAIL_MS = 60_000;
/** Longest wait for one step: connection, greeting, one reply, milliseconds. */
const STEP_MS = 10_000;
const WORDS_MAX = 300;

/**
 * Send an alarm as plain text. The password is sent over TLS alone, with the certificate checked, or to this PC.
 *
 * @param password - for the log-in of `settings.user`; not used without a user.
 * @throws `alarm.mail` when no recipient got it; with `retry: 'never'` when only some did. The password is never repeated.
 */
export async function sendMail(
  settings: MailSettings,
  password: string,
  message: AlarmMessage,
  signal: AbortSignal,
): Promise<void> {
  const { host, port, secure, user, from, to } = settings;
  const transport = createTransport({
    ...{ host, port, secure: secure === 'tls', requireTLS: secure === 'starttls', ignoreTLS: secure === 'none' },
    ...{ connectionTimeout: STEP_MS, greetingTimeout: STEP_MS, socketTimeout: STEP_MS, dnsTimeout: STEP_MS },
    // The mail is made of texts alone: nothing that a text names is read from the disk or fetched.
    ...{ disableFileAccess: true, disableUrlAccess: true },
    ...(user === null ? {} : { auth: { user, pass: password } }),
  });
  const mail = { from, to: [...to], ...writeMail(message), headers: { 'Auto-Submitted': 'auto-generated' }, signal };
  const { rejected } = await transport.sendMail(mail).catch((thrown: Error & { code?: string }) => {
    const server = `The mail server ${host}:${port}`;
    if (signal.aborted || thrown.code === 'ETIMEDOUT') {
      throw refuse('alarm.mail', `${server} does not answer.`, 'Check the network, and host and port of alarm.mail.');
    }
    // What a server says of a log-in may repeat it.
    if (thrown.code === 'EAUTH') {
      const hint = 'Check user of alarm.mail and EPISTREAM_SMTP_PASSWORD.';
      throw refuse('alarm.mail', `${server} refuses the log-in.`, hint);
    }
    const hint = 'Check alarm.mail in the settings: host, port, secure, from and to.';
    if (['ECONNECTION', 'ESOCKET', 'EDNS', 'ETLS'].includes(thrown.code ?? '')) {
      throw refuse('alarm.mail', `There is no connection to ${host}:${port}: ${shorten(thrown.message)}`, hint);
    }
    throw refuse('alarm.mail', `${server} did not take the mail: ${shorten(thrown.message)}`, hint);
  });
  if (rejected.length === 0) return;
  throw new AgentError({
    code: 'alarm.mail',
    message: `The mail server ${host}:${port} refused ${rejected.map(addressOf).join(', ')}; the others got the mail.`,
    hint: 'Check the addresses in alarm.mail.to.',
  });
}

const addressOf = (one: string | { address: string }) => (typeof one === 'string' ? one : one.address);
const shorten = (text: string) => text.replaceAll(/\p{Cc}+/gu, ' ').slice(0, WORDS_MAX);

/** Subject and text of the mail for an alarm. */
export function writeMail({ tool, at, headline, detail, hint, troubles }: AlarmMessage) {
  const others = troubles.filter(({ text }) => text !== headline).map(({ text }) => `- ${text}`);
  const parts = [
    [headline, detail],
    [hint],
    others.length > 0 ? ['Also:', ...others] : [],
    [`Sent by Epistream of ${tool}, ${at}. An alarm is no interlock: nothing was done to the tool.`],
  ];
  const texts = parts.map((lines) => lines.filter((line) => line !== '').join('\n')).filter((part) => part !== '');
  return { subject: shorten(`[${tool}] ${headline}`), text: `${texts.join('\n\n')}\n` };
}
