// Alarms that leave the PC, as a person sets them up: the test button on the page of a real agent, and the tone of the screen.
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { listenHere } from '../support/listen.ts';
import { openAgentScreen } from '../support/page/agent-screen.ts';
import { findAccessFaultsOfThemes } from '../support/page/browser.ts';
import { button } from '../support/page/on-page.ts';
import { runningSnapshot, said } from '../support/page/page-snapshot.ts';
import { openPageAgent } from '../support/page/screen.ts';

const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 60_000 });

test('a test alarm goes out by every way, and the page shows each result', async () => {
  const posted: string[] = [];
  const hook = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    posted.push(JSON.parse(body).state);
    response.end();
  });
  const webhook = `http://127.0.0.1:${await listenHere(hook)}/hook`;
  const mail = '{ host: 127.0.0.1, port: 9, from: mbe@lab.test, to: [a@lab.test], user: mbe }';
  const sources = ` []\nalarm: { webhook: '${webhook}', mail: ${mail} }\n`;
  const { page, problems, go } = await openAgentScreen({ sources });
  await go('/settings');
  const panel = page.getByTestId('alarm-ways');
  await button(page, 'Send a test alarm').click();
  await eventually(() => panel.innerText()).toMatch(/Sent by webhook to 127\.0\.0\.1:\d+\./);
  expect(await panel.innerText()).toMatch(/Not sent by e-mail: There is no password[\s\S]*EPISTREAM_SMTP_PASSWORD/);
  expect(posted).toEqual(['test']);
  expect(await findAccessFaultsOfThemes(page)).toEqual([]);
  expect(problems).toEqual([]);
});

test('the screen plays a tone when something begins to need a person, once it is switched on', async () => {
  const { agent, page, problems, go } = await openPageAgent();
  agent.show((atMs) => runningSnapshot(atMs, { isTrial: false }));
  // Counts what is played: a test hears nothing.
  await page.evaluate(`window.notes = 0;
    const { start } = OscillatorNode.prototype;
    OscillatorNode.prototype.start = function (...at) { window.notes += 1; start.apply(this, at); };`);
  const notes = () => page.evaluate('window.notes');
  const begin = () =>
    agent.show((atMs) => runningSnapshot(atMs, { sentence: said('attention', 'Source a is not recorded.') }));
  const end = () => agent.show((atMs) => runningSnapshot(atMs));
  const headline = page.getByRole('heading', { level: 1 });
  await go('/settings');
  begin();
  await eventually(() => headline.innerText()).toContain('is not recorded');
  expect(await notes()).toBe(0);
  end();
  await page.getByLabel('Play a tone on this screen').check();
  await eventually(notes).toBe(2);
  begin();
  await eventually(notes).toBe(4);
  expect(await page.evaluate(`localStorage.getItem('epistream.alarm-sound')`)).toBe('on');
  expect(problems).toEqual([]);
});
