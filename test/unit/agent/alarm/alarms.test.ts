// The whole of it on a clock that runs fast: from a snapshot to what a real webhook and a real mail server got.
import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { Alarms } from '../../../../src-main/agent/alarm/alarms.ts';
import { buildSnapshot } from '../../../../src-main/agent/status/build-snapshot.ts';
import type { AlarmSettings, MailSettings } from '../../../../src-main/settings/settings.ts';
import { facts, sourceView } from '../../../support/facts.ts';
import { fastClock } from '../../../support/fast-clock.ts';
import { listenHere } from '../../../support/listen.ts';
import { startMailServer } from '../../../support/mail-server.ts';

const down = buildSnapshot(facts([], { sources: [sourceView({ state: 'waiting', message: 'No port.' })] }), 1);
const well = buildSnapshot(facts(), 1);

/** Alarms at a hundred times the pace, with a webhook that answers with `status`. */
async function rig(password: string | null = null) {
  const state = { snapshot: well, status: 200 };
  const [posted, events] = [[] as string[], [] as string[]];
  const hook = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    const { state: what, headline } = JSON.parse(body);
    posted.push(`${what}: ${headline}`);
    response.writeHead(state.status).end();
  });
  const alarms = new Alarms({
    ...{ clock: fastClock(100), password, snapshot: () => state.snapshot, onChange: () => undefined },
    tell: ({ code, message }) => void events.push(`${code}: ${message}`),
  });
  onTestFinished(() => alarms.follow(null));
  const webhook = `http://127.0.0.1:${await listenHere(hook)}/hook`;
  const follow = (alarm: Partial<AlarmSettings>) =>
    alarms.follow({ alarm: { webhook: null, mail: null, ...alarm }, proxy: 'system' });
  return { alarms, state, posted, events, webhook, follow };
}

const mailTo = (port: number, more: Partial<MailSettings> = {}): MailSettings => ({
  ...{ host: '127.0.0.1', port, secure: 'none', from: 'mbe@lab.test', to: ['a@lab.test'], user: null, ...more },
});

test('sends a trouble and its end by every way, and says so in the journal', async () => {
  const { state, posted, events, webhook, follow } = await rig();
  const { port, mails } = await startMailServer();
  follow({ webhook, mail: mailTo(port) });
  state.snapshot = down;
  await expect.poll(() => posted).toEqual(['trouble: Source log is not recorded.']);
  state.snapshot = well;
  await expect.poll(() => posted).toEqual(['trouble: Source log is not recorded.', 'well: All is well again.']);
  await expect.poll(() => mails.length).toBe(2);
  await expect.poll(() => events.toSorted()).toContain('alarm.sent: Sent by e-mail: All is well again.');
  expect(events).toContain('alarm.sent: Sent by webhook: Source log is not recorded.');
});

test('a way that fails is a trouble of its own, sends nothing more for it, and goes on once it is corrected', async () => {
  const { alarms, state, posted, events, webhook, follow } = await rig();
  const { port, mails } = await startMailServer({ refuses: 'a@lab.test' });
  follow({ webhook, mail: mailTo(port) });
  state.snapshot = down;
  await expect.poll(() => alarms.faults).toMatchObject([{ way: 'e-mail', message: expect.stringContaining('550') }]);
  const faulty = facts([], { sources: [sourceView({ state: 'waiting' })], alarmFaults: alarms.faults });
  state.snapshot = buildSnapshot(faulty, 1);
  expect(state.snapshot.troubles.at(-1)).toMatchObject({ text: 'Alarms cannot be sent by e-mail.' });
  expect(events.at(-1)).toMatch(/^alarm\.not-sent: Alarms cannot be sent by e-mail: /);
  follow({ webhook, mail: mailTo(port, { to: ['b@lab.test'] }) });
  await expect.poll(() => mails.map(({ to }) => to)).toEqual([['b@lab.test']]);
  expect([posted.length, alarms.faults]).toEqual([1, []]);
});

test('an alarm that new settings or a restart interrupt is sent after them, and a trouble is not sent twice', async () => {
  const { alarms, state, posted, webhook, follow } = await rig();
  state.status = 500;
  state.snapshot = down;
  follow({ webhook });
  await expect.poll(() => posted.length).toBeGreaterThan(0);
  alarms.follow(null);
  state.status = 200;
  const before = posted.length;
  follow({ webhook });
  await expect.poll(() => posted.length).toBeGreaterThan(before);
  state.snapshot = well;
  await expect.poll(() => posted.at(-1)).toBe('well: All is well again.');
  expect(posted.filter((one) => one.startsWith('trouble')).length).toBe(before + 1);
});

test('the password goes to the server of the first settings alone', async () => {
  const { alarms, follow } = await rig('pa55word');
  const [own, other] = [await startMailServer({ login: 'mbe:pa55word' }), await startMailServer({ login: 'x:y' })];
  follow({ mail: mailTo(own.port, { user: 'mbe' }) });
  expect(await alarms.test()).toMatchObject([{ way: 'e-mail', to: 'a@lab.test', error: null }]);
  follow({ mail: mailTo(other.port, { user: 'mbe' }) });
  const [refused] = await alarms.test();
  expect(refused?.error?.message).toContain(`is not sent to 127.0.0.1:${other.port}`);
  expect(other.readable).toEqual([]);
});

test('without a password the test says where it comes from, and without a way that there is none', async () => {
  const { alarms, follow } = await rig();
  follow({});
  expect(await alarms.test()).toEqual([]);
  follow({ mail: mailTo(9, { user: 'mbe' }) });
  expect((await alarms.test())[0]?.error?.hint).toContain('EPISTREAM_SMTP_PASSWORD');
});
