// Webhook and mail against real servers on the loopback.
import { createServer } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { expect, test } from 'vitest';
import type { AlarmMessage } from '../../../../src-main/agent/alarm/alarm-watch.ts';
import { sendMail, writeMail } from '../../../../src-main/agent/alarm/send-mail.ts';
import { sendWebhook } from '../../../../src-main/agent/alarm/send-webhook.ts';
import type { MailSettings } from '../../../../src-main/settings/settings.ts';
import { SmallCa } from '../../../support/faults/small-ca.ts';
import { listenHere } from '../../../support/listen.ts';
import { startMailServer } from '../../../support/mail-server.ts';

const message: AlarmMessage = {
  ...{ tool: 'MBE-1', at: '2026-11-20T12:00:00.000Z', state: 'trouble' },
  headline: 'Source gauge is not recorded.',
  detail: 'There is no port COM3.',
  hint: 'Plug it in.',
  troubles: [
    { text: 'Source gauge is not recorded.', detail: 'There is no port COM3.' },
    { text: 'Druck über 1e-8 mbar.', detail: '' },
  ],
};
const never = () => new AbortController().signal;
const direct = async () => null;

async function failure(sending: Promise<void>) {
  const thrown = await sending.then(
    () => expect.fail('was sent'),
    (thrown) => thrown,
  );
  return { code: thrown.code, message: thrown.message, hint: thrown.hint, retry: thrown.retry };
}

/** A web server that answers with a status, and its requests. */
async function startHook(status: number | null, headers = {}) {
  const got: { method: string | undefined; path: string | undefined; type: string | undefined; body: string }[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    got.push({ method: request.method, path: request.url, type: request.headers['content-type'], body });
    if (status !== null) response.writeHead(status, headers).end('{}');
  });
  return { got, port: await listenHere(server) };
}

test('posts the alarm to the webhook as JSON', async () => {
  const { got, port } = await startHook(204);
  await sendWebhook(`http://127.0.0.1:${port}/hook/?token=s3`, direct, message, never());
  expect(got).toEqual([
    { method: 'POST', path: '/hook/?token=s3', type: 'application/json', body: JSON.stringify(message) },
  ]);
});

test('a webhook that refuses, moves, is away or does not answer is named without what may be secret', async () => {
  const send = async (port: number, signal = never()) =>
    failure(sendWebhook(`http://127.0.0.1:${port}/hook/s3cret?token=s3cret`, direct, message, signal));
  const refused = await send((await startHook(403)).port);
  expect(refused.message).toMatch(/^The webhook at 127\.0\.0\.1:\d+ answers with status 403\.$/);
  const other = await startHook(200);
  const moved = await send((await startHook(302, { location: `http://127.0.0.1:${other.port}/` })).port);
  expect(moved.hint).toContain('Redirects are not followed');
  expect(other.got).toEqual([]);
  const server = createTcpServer();
  const port = await listenHere(server);
  await new Promise((resolve) => server.close(resolve));
  const away = await send(port);
  expect(away.message).toContain('cannot be reached (ECONNREFUSED)');
  const stop = new AbortController();
  const silent = await startHook(null);
  const asked = send(silent.port, stop.signal);
  await expect.poll(() => silent.got.length).toBe(1);
  stop.abort();
  const unanswered = await asked;
  expect(unanswered.message).toContain('does not answer');
  expect(JSON.stringify([refused, moved, away, unanswered])).not.toContain('s3cret');
});

const mailTo = (port: number, more: Partial<MailSettings> = {}): MailSettings => ({
  ...{ host: '127.0.0.1', port, secure: 'none', from: 'mbe-1@lab.test', to: ['a@lab.test', 'b@lab.test'], user: null },
  ...more,
});

test('sends the alarm as plain text to every recipient', async () => {
  const { port, mails } = await startMailServer();
  await sendMail(mailTo(port), '', message, never());
  expect(mails.map(({ to }) => to)).toEqual([['a@lab.test', 'b@lab.test']]);
  const { text = '' } = mails[0] ?? {};
  expect(text).toContain('Subject: [MBE-1] Source gauge is not recorded.');
  expect(text).toContain('From: mbe-1@lab.test');
  expect(text).toContain('Content-Type: text/plain; charset=utf-8');
  expect(text).toContain('There is no port COM3.');
  expect(text).toContain('Auto-Submitted: auto-generated');
});

test('writes what to do, the other troubles, and that nothing was done to the tool', () => {
  expect(writeMail(message)).toEqual({
    subject: '[MBE-1] Source gauge is not recorded.',
    text: [
      'Source gauge is not recorded.',
      'There is no port COM3.',
      '',
      'Plug it in.',
      '',
      'Also:',
      '- Druck über 1e-8 mbar.',
      '',
      'Sent by Epistream of MBE-1, 2026-11-20T12:00:00.000Z. An alarm is no interlock: nothing was done to the tool.',
      '',
    ].join('\n'),
  });
  expect(writeMail({ ...message, headline: 'a\r\nBcc: x@y.z' }).subject).toBe('[MBE-1] a Bcc: x@y.z');
});

test('logs in with the password, and repeats none that the server refuses', async () => {
  const { port, mails } = await startMailServer({ login: 'mbe:pa55word' });
  await sendMail(mailTo(port, { user: 'mbe' }), 'pa55word', message, never());
  expect(mails).toHaveLength(1);
  const refused = await failure(sendMail(mailTo(port, { user: 'mbe' }), 'wr0ngword', message, never()));
  expect(refused.message).toContain('refuses the log-in');
  expect(JSON.stringify(refused)).not.toContain('wr0ngword');
});

test('with starttls nothing is sent where TLS is not offered or its certificate is not trusted', async () => {
  const plain = await startMailServer({ login: 'mbe:pa55word' });
  const settings = (port: number) => mailTo(port, { host: 'localhost', secure: 'starttls', user: 'mbe' });
  await failure(sendMail(settings(plain.port), 'pa55word', message, never()));
  const certificate = new SmallCa('Lab').sign(Date.now() - 60_000, Date.now() + 3_600_000);
  const foreign = await startMailServer({ login: 'mbe:pa55word', certificate });
  const untrusted = await failure(sendMail(settings(foreign.port), 'pa55word', message, never()));
  expect(untrusted.message).toMatch(/^There is no connection to localhost:\d+: .*certificate/);
  expect([...plain.mails, ...foreign.mails]).toEqual([]);
  const readable = [...plain.readable, ...foreign.readable];
  expect(readable.map((line) => line.split(' ')[0]?.toUpperCase())).toContain('STARTTLS');
  expect(readable.filter((line) => /^(AUTH|MAIL|RCPT|DATA)/i.test(line))).toEqual([]);
});

test('a recipient that the server refuses is named, and the mail is not sent again to the others', async () => {
  const { port, mails } = await startMailServer({ refuses: 'b@lab.test' });
  const partly = await failure(sendMail(mailTo(port), '', message, never()));
  expect(partly).toMatchObject({ retry: 'never', message: expect.stringContaining('refused b@lab.test; the others') });
  expect(mails.map(({ to }) => to)).toEqual([['a@lab.test']]);
  const refused = await failure(sendMail(mailTo(port, { to: ['b@lab.test'] }), '', message, never()));
  expect(refused).toMatchObject({ retry: 'after-human', message: expect.stringContaining('did not take the mail') });
});

test('a mail server that says nothing is given up when the time is over', async () => {
  const { port } = await startMailServer({ isSilent: true });
  const stop = new AbortController();
  const sending = failure(sendMail(mailTo(port), '', message, stop.signal));
  stop.abort();
  expect((await sending).message).toContain('does not answer');
});
