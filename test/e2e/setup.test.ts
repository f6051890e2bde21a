// Setting up and looking after: sources, settings, journal, help and the first run, as a person uses them. The real page in
// a real browser, the real agent in this process, the embedded service.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { startLocalService } from '../../src-main/local-service/local-service.ts';
import { openAgentScreen } from '../support/page/agent-screen.ts';
import { findAccessFaults } from '../support/page/browser.ts';
import { button, combobox, field, panel, tabTo, watchTexts } from '../support/page/on-page.ts';
import { InstrumentEmulator } from '../support/serial/instrument-emulator.ts';
import { readTranscript } from '../support/serial/transcript.ts';
import { tempFolder } from '../support/temp-folder.ts';

const KEY = 'canary-key-71C0FFEE';

/** Wait for the page to say something; how long is a matter of the machine, not of the test. */
const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 60_000 });

/** Start an agent with these sources (null: a fresh PC) and open its screen. */
const open = (sources: string | null, service = 'embedded', key: string | null = KEY) =>
  openAgentScreen({ sources, service, key });

const growth = '\n  - { id: growth, kind: simulator, interval: 50ms }\n';

test('adds a log folder seen in its preview, settles day and month by hand, and saves it with all comments', async () => {
  const { agent, page, problems, data, go } = await open(growth);
  const logs = join(data, 'tool');
  mkdirSync(logs);
  const rows = Array.from(
    { length: 20 },
    (_, at) => `12/06/2023 00:00:${String(at).padStart(2, '0')}.500,${600 + at},<b>x</b>`,
  );
  writeFileSync(join(logs, 'run.csv'), `Date,T (C),who\n${rows.join('\n')}\n`);

  await go('/sources');
  await page.getByRole('link', { name: 'Add: Log folder' }).click();
  await field(page, 'Name of the source').fill('chamber');
  await combobox(page, 'Log folder').fill(logs);
  await page.getByLabel('Everything', { exact: true }).check();
  await button(page, 'Save without testing').waitFor();
  await button(page, 'Preview').click();
  const choice = page.getByTestId('answer-choice');
  await eventually(() => choice.innerText()).toMatch(
    /MM\/dd\/yyyy[\s\S]*6 Dec 2023, 00:00:00.500 UTC, T \(C\) 600\.[\s\S]*12 Jun 2023/,
  );
  expect(await findAccessFaults(page)).toEqual([]);
  await button(page, 'It is this one: dialect: { time: { format: dd/MM/yyyy HH:mm:ss.SSS } }').click();
  const first = page.getByTestId('preview').locator('tbody tr').first().locator('td');
  await eventually(() => first.allInnerTexts()).toEqual([rows[0], '12 Jun 2023, 00:00:00.500 UTC', '600']);
  await button(page, 'Save').click();

  const row = page.getByTestId('source-row').filter({ hasText: 'chamber' });
  // Its rows are old: nothing was measured just now.
  await eventually(() => row.innerText()).toContain('No live data');
  const read = async () => (await agent.pipeline?.store.readPoints('chamber', 'T', 0, 8e15))?.values;
  await eventually(async () => Array.from((await read()) ?? [])).toEqual(rows.map((_, at) => 600 + at));
  expect(readFileSync(join(data, 'epistream.yaml'), 'utf8')).toContain('# Chamber three.');

  await row.getByRole('link', { name: 'chamber' }).click();
  await button(page, 'Remove this source').click();
  await button(page, /Yes, record/).click();
  await eventually(() => page.getByTestId('source-row').count()).toBe(1);
  expect(problems).toEqual([]);
});

test('answers any question about a log from its preview, that for the time zone too, and keeps the answers in the settings', async () => {
  const { agent, page, problems, data, go } = await open(growth);
  const logs = join(data, 'tool');
  mkdirSync(logs);
  const rows = Array.from({ length: 5 }, (_, at) => `20.11.2026 10:15:0${at};1.23${at}`);
  writeFileSync(join(logs, 'run.csv'), `Zeit;Drehzahl\n${rows.join('\n')}\n`);
  await go('/sources/new/log');
  await field(page, 'Name of the source').fill('pump');
  await combobox(page, 'Log folder').fill(logs);
  await page.getByLabel('Everything', { exact: true }).check();
  await button(page, 'Preview').click();
  const choice = page.getByTestId('answer-choice');
  await eventually(() => choice.innerText()).toMatch(
    /may be its decimal mark or group the digits[\s\S]*decimal: point[\s\S]*10:15:00.000 UTC, Drehzahl 1\.23\./,
  );
  expect(await findAccessFaults(page)).toEqual([]);
  await button(page, 'It is this one: dialect: { decimal: point }').click();
  const first = page.getByTestId('preview').locator('tbody tr').first().locator('td');
  await eventually(() => first.allInnerTexts()).toEqual([rows[0], '20 Nov 2026, 10:15:00.000 UTC', '1.23']);
  await button(page, 'Save').click();
  const read = async () => (await agent.pipeline?.store.readPoints('pump', 'Drehzahl', 0, 8e15))?.values;
  await eventually(async () => Array.from((await read()) ?? [])).toEqual([1.23, 1.231, 1.232, 1.233, 1.234]);
  expect(readFileSync(join(data, 'epistream.yaml'), 'utf8')).toMatch(/decimal: point/);
  // The page leaves the form by itself once the source is saved.
  await eventually(() => page.url()).not.toContain('/sources/new');

  const aheadLogs = join(data, 'ahead');
  mkdirSync(aheadLogs);
  const stamp = new Date(Date.now() + 9 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
  writeFileSync(join(aheadLogs, 'run.csv'), `time,T (C)\n${stamp},600\n${stamp},601\n`);
  await go('/sources/new/log');
  await field(page, 'Name of the source').fill('chamber');
  await combobox(page, 'Log folder').fill(aheadLogs);
  // The list of folders closes: the click would meet it otherwise.
  await combobox(page, 'Log folder').press('Escape');
  await button(page, 'Preview').click();
  const question = page.getByTestId('zone-question');
  await eventually(() => question.innerText()).toMatch(
    /That is 9 h( 0 min)? ahead of this PC\. Is the time zone right\?/,
  );
  await button(page, 'Save without testing').waitFor();
  expect(await findAccessFaults(page)).toEqual([]);
  await question.getByRole('button', { name: 'Asia/Tokyo' }).click();
  await eventually(() => question.count()).toBe(0);
  await button(page, 'Save').click();
  await eventually(() => readFileSync(join(data, 'epistream.yaml'), 'utf8')).toContain('time_zone: Asia/Tokyo');
  expect(problems).toEqual([]);
});

test('a zone of a log, and that of the tool, are saved after a preview of exactly this zone only', async () => {
  const { page, problems, data, go } = await open(growth);
  const logs = join(data, 'tool');
  mkdirSync(logs);
  writeFileSync(join(logs, 'run.csv'), 'time,T (C)\n2026-11-20 12:00:00,600\n2026-11-20 12:00:01,601\n');
  await go('/sources/new/log');
  await field(page, 'Name of the source').fill('chamber');
  await combobox(page, 'Log folder').fill(logs);
  await button(page, 'Preview').click();
  await button(page, 'Save').click();
  await eventually(() => page.url()).not.toContain('/sources/new');
  const saved = () => readFileSync(join(data, 'epistream.yaml'), 'utf8');
  const choose = async (label: string, zone: string) => {
    await combobox(page, label).fill(zone);
    await page.getByRole('option', { name: zone, exact: true }).click();
  };
  const change = page.getByTestId('zone-change');
  const lastRow = () => change.locator('tbody tr').last().locator('td').allInnerTexts();
  const isSaveDisabled = () => button(page, /^Save( without testing)?$/).isDisabled();

  await go('/settings');
  await choose('Time zone of the tool', 'Asia/Tokyo');
  await page.getByText('The time zone is saved after a preview only.').waitFor();
  expect(await isSaveDisabled()).toBe(true);
  await button(page, 'Preview the logs').click();
  const at = '20 Nov 2026, 12:00:01.000 UTC';
  await eventually(lastRow).toEqual(['2026-11-20 12:00:01,601', at, '20 Nov 2026, 03:00:01.000 UTC']);
  expect(await change.innerText()).toMatch(/This PC saw the file change at .*with Asia\/Tokyo it is .* this time\./);
  expect(await findAccessFaults(page)).toEqual([]);
  await choose('Time zone of the tool', 'Asia/Seoul');
  expect(await isSaveDisabled()).toBe(true);
  await choose('Time zone of the tool', 'Asia/Tokyo');
  await button(page, 'Save').click();
  await eventually(saved).toContain('Asia/Tokyo');
  await page.getByLabel('Find a setting').fill('tool.time_zone');
  await page.getByText(/tool\.time_zone Change it in the form above/).waitFor();

  await go('/sources/chamber');
  await choose('Time zone of its times', 'UTC');
  expect(await isSaveDisabled()).toBe(true);
  await button(page, 'Preview').click();
  await eventually(lastRow).toEqual([
    '2026-11-20 12:00:01,601',
    '20 Nov 2026, 12:00:01.000 GMT+9',
    '20 Nov 2026, 21:00:01.000 GMT+9',
  ]);
  await button(page, /^Save( without testing)?$/).click();
  await eventually(saved).toMatch(/chamber[\s\S]*time_zone: UTC/);
  expect(problems).toEqual([]);
});

test('shows the bytes and values of an instrument before it is saved, sends nothing but its questions, then records it', async () => {
  const [talk] = readTranscript('lakeshore-336').cases;
  const emulator = await InstrumentEmulator.start(talk?.talk ?? []);
  onTestFinished(() => emulator.stop());
  const { agent, page, problems, go } = await open(growth);
  await go('/sources/new/serial');
  await field(page, 'Name of the source').fill('cryostat');
  await page
    .getByRole('combobox', { name: 'Port' })
    .or(field(page, 'Port'))
    .first()
    .fill(`tcp://127.0.0.1:${emulator.tcpPort}`);
  await page.getByRole('combobox', { name: 'Instrument', exact: true }).fill('lakeshore 336');
  await page.getByRole('option', { name: /Lake Shore 336/ }).click();
  for (const _ of 'CD')
    await page
      .getByRole('combobox', { name: 'Inputs with a sensor' })
      .or(page.getByLabel('Inputs with a sensor'))
      .first()
      .press('Backspace');
  await page.locator('summary').first().click();
  await eventually(() => panel(page, 'The instrument').innerText()).toMatch(/KRDG\? A[\s\S]*temperature A \(K\)/);
  await button(page, 'Start test').click();
  const look = page.getByTestId('look');
  await eventually(() => look.innerText()).toMatch(/temperature A\s+77\.35 K/);
  await eventually(() => look.innerText()).toMatch(/came\s+2b 30 37 37 2e 33 35 30 0d 0a\s+\+077\.350<CR><LF>/);
  expect(await findAccessFaults(page)).toEqual([]);
  expect(emulator.unexpected).toEqual([]);
  expect(agent.snapshot.sources).toHaveLength(1);
  await button(page, 'Stop').click();
  // What the test found stays when it is stopped.
  await button(page, 'Start test').waitFor();
  expect(await look.innerText()).toMatch(/temperature A\s+77\.35 K/);
  await button(page, /^Save/).click();
  await eventually(
    async () => (await agent.pipeline?.store.readPoints('cryostat', 'temperature B', 0, 8e15))?.values[0],
  ).toBe(293.166);
  expect(problems).toEqual([]);
});

test('names what stands between the agent and the service, keeps the key to itself, and moves to the service that works', async () => {
  const service = await startLocalService({ folder: join(tempFolder('service'), 's'), key: KEY });
  onTestFinished(() => service.stop());
  const { agent, page, problems, go } = await open(growth, 'embedded', null);
  await go('/settings');
  await page.getByLabel('Remote data service').check();
  const told = async (address: string, key: string) => {
    await field(page, 'Address').fill(address);
    await field(page, 'Key').fill(key);
    await button(page, 'Test the connection').click();
    await page.getByText('Settings changed since this test.').waitFor({ state: 'detached' });
    return page.getByTestId('connection').innerText();
  };
  const expectTold = (address: string, key: string, words: RegExp) =>
    expect.poll(() => told(address, key), { timeout: 60_000 }).toMatch(words);
  await expectTold('https://nowhere.invalid', 'abcdefgh', /^Name look-up \(DNS\)/);
  await expectTold('http://127.0.0.1:9', 'abcdefgh', /^No service at this port/);
  await expectTold(service.url, 'a-wrong-key', /^Key refused \(401\)/);
  await button(page, 'Save without testing').waitFor();
  await expectTold(service.url, KEY, /^It works/);
  expect(await findAccessFaults(page)).toEqual([]);
  // Points that begin to wait while the page is open are told there.
  await agent.handlers.service.pause(null);
  await eventually(() => panel(page, 'Data service').innerText()).toMatch(/stay with it[\s\S]*wait here/);
  await agent.handlers.service.goOn(null);
  await button(page, 'Save').click();
  await eventually(() => panel(page, 'Save').innerText()).toContain('Saved and active.');
  // What was tested is what runs now: nothing asks for another test.
  expect(await page.getByText('Settings changed since this test.').count()).toBe(0);
  await eventually(() => agent.snapshot.service?.address).toBe(service.url);
  await eventually(() => agent.snapshot.streams.some(({ pointsAcknowledged }) => pointsAcknowledged > 0)).toBe(true);
  await eventually(() => field(page, 'Key').inputValue()).toBe('');
  expect(await page.content()).not.toContain(KEY);
  expect(problems).toEqual([]);
});

test('reads the journal beyond the newest fifty, finds in it, writes the note of the shift, and a file for support without key or value', async () => {
  const { agent, page, problems, data, go } = await open(growth);
  for (let at = 0; at < 130; at++) {
    const event = {
      atMs: Date.now() - 1000 * at,
      level: 'info',
      code: 'test.event',
      message: `Event ${at} <i>`,
      hint: '',
    } as const;
    await agent.pipeline?.store.addEvent(
      at === 100 ? { ...event, level: 'warning' } : event,
      at === 100 ? 'growth' : '',
    );
  }
  await go('/journal');
  const events = page.getByRole('list', { name: 'Events, newest first' }).getByRole('listitem');
  await eventually(() => events.count()).toBe(100);
  await button(page, 'Older events').click();
  await eventually(() => events.count()).toBeGreaterThan(130);
  await field(page, 'Text').fill('event 12');
  await eventually(() => events.count()).toBe(11);
  await field(page, 'Text').fill('');
  await eventually(() => events.count()).toBeGreaterThanOrEqual(100);
  // The agent may have something to warn of itself: only what this test wrote is counted.
  await field(page, 'Text').fill('event 1');
  await page.getByRole('checkbox', { name: 'Info' }).uncheck();
  await page.getByRole('combobox', { name: 'Source' }).or(field(page, 'Source')).first().click();
  await page.getByRole('option', { name: 'growth' }).click();
  await eventually(() => events.allInnerTexts()).toEqual([expect.stringContaining('Event 100 <i>')]);
  await button(page, /Create shift note/).click();
  await eventually(() => field(page, 'Note of the last 12 h').inputValue()).toMatch(
    /MBE-1: the last 12 h[\s\S]*growth[\s\S]*points? stored/,
  );
  expect(await findAccessFaults(page)).toEqual([]);

  agent.handlers.service.keepKey({ apiKey: KEY });
  await agent.pipeline?.store.addEvent(
    { atMs: Date.now(), level: 'warning', code: 'test.reply', message: `"+4711.815" of ${KEY}`, hint: '' },
    'growth',
  );
  await go('/help');
  await button(page, 'Make the file').click();
  const path = await field(page, 'Location').inputValue();
  expect(existsSync(path)).toBe(true);
  const text = readFileSync(path, 'utf8');
  expect(text).not.toContain(KEY);
  expect(text).not.toContain('4711.815');
  expect(text).toContain('test.reply');
  expect(text).toContain('# Chamber three.');
  const channels = (await agent.pipeline?.store.listChannels()) ?? [];
  for (const { sourceId, channel } of channels) {
    const { values = [] } = (await agent.pipeline?.store.readPoints(sourceId, channel, 0, 8e15)) ?? {};
    // Short numbers stand in any text by chance.
    for (const value of values) if (String(value).length > 6) expect(text).not.toContain(String(value));
  }
  expect(path.startsWith(data)).toBe(true);
  expect(problems).toEqual([]);
});

test('walks through the first run by keyboard alone: name, folder, preview, address and key, go', async () => {
  const service = await startLocalService({ folder: join(tempFolder('service'), 's'), key: KEY });
  onTestFinished(() => service.stop());
  const { agent, page, problems, data } = await open(null, '', null);
  const logs = join(data, 'tool');
  mkdirSync(logs);
  writeFileSync(join(logs, 'a.csv'), 'time,T (C)\n2026-11-20T10:00:00Z,600\n2026-11-20T10:00:01Z,601\n');
  const press = async (wanted: Locator, key: string) => {
    await tabTo(page, wanted);
    await page.keyboard.press(key);
  };
  const type = async (wanted: Locator, text: string) => {
    await tabTo(page, wanted);
    await page.keyboard.type(text);
  };
  await press(button(page, 'Connect your tool'), 'Enter');
  await type(field(page, 'Name of the tool'), 'MBE-9');
  await type(combobox(page, 'Log folder'), logs);
  await tabTo(page, page.getByLabel('New data only'));
  await page.keyboard.press('ArrowDown');
  await press(button(page, 'Preview'), 'Enter');
  await eventually(() => page.getByTestId('preview').innerText()).toContain('1 channel will be read');
  await tabTo(page, page.getByLabel('Built-in service (data stays on this PC)'));
  await page.keyboard.press('ArrowDown');
  await type(field(page, 'Address'), service.url);
  await type(field(page, 'Key'), KEY);
  await press(button(page, 'Go'), 'Enter');
  await eventually(() => agent.snapshot.toolName).toBe('MBE-9');
  await eventually(() => agent.snapshot.streams[0]?.pointsStored).toBe(2);
  expect(problems).toEqual([]);
});

test('shows nothing of the trial once the own tool is connected', async () => {
  const { agent, page, problems, data } = await open(null, '', null);
  const logs = join(data, 'tool');
  mkdirSync(logs);
  writeFileSync(join(logs, 'run_01.csv'), 'time,x\n1700000000,1\n');
  await button(page, 'Try it').click();
  await page.getByRole('link', { name: 'Growth', exact: true }).click();
  const past = page.getByTestId('past');
  await button(page, 'Start growth').waitFor();
  await agent.handlers.growth.start({ name: 'Trial growth' });
  await agent.handlers.growth.end(null);
  await eventually(() => past.innerText()).toContain('Trial growth');
  await button(page, 'Connect your tool').click();
  await field(page, 'Name of the tool').fill('MBE-1');
  await combobox(page, 'Log folder').fill(logs);
  const texts = await watchTexts(page, 'past');
  await button(page, 'Continue without a preview').click();
  await eventually(() => past.innerText()).toContain('No past growths.');
  expect((await texts()).filter((text) => text.includes('Trial growth'))).toEqual([]);
  expect(problems).toEqual([]);
});

test('takes a new key on the screen while the service refuses the old one, and never shows either', async () => {
  const service = await startLocalService({ folder: join(tempFolder('service'), 's'), key: KEY });
  onTestFinished(() => service.stop());
  const wrong = 'an-old-key-that-was-revoked';
  const { agent, page, problems } = await open(growth, service.url, wrong);
  await eventually(() => page.getByTestId('sentence').innerText()).toMatch(/Nothing is sent: .*key/);
  await page.getByLabel('New API key').fill(KEY);
  await button(page, 'Use this key').click();
  await eventually(() => agent.snapshot.streams.some(({ pointsAcknowledged }) => pointsAcknowledged > 0)).toBe(true);
  await eventually(() => page.getByLabel('New API key').count()).toBe(0);
  const html = await page.content();
  for (const key of [wrong, KEY]) expect(html).not.toContain(key);
  expect(await findAccessFaults(page)).toEqual([]);
  expect(problems).toEqual([]);
});

test('connects a tool on the screen: preview, go, and its whole log is recorded', async () => {
  const { page, problems, data } = await open(null, '', null);
  const logs = join(data, 'tool');
  mkdirSync(logs);
  const rows = Array.from({ length: 50 }, (_, i) => `${1_700_000_000 + i},${600 + i / 10},Kim`);
  writeFileSync(join(logs, 'run_01.csv'), `time,substrate temperature (C),operator\n${rows.join('\n')}\n`);
  await button(page, 'Connect your tool').click();
  await page.getByLabel('Name of the tool').fill('MBE-1');
  await page.getByRole('combobox', { name: 'Log folder' }).fill(logs);
  await page.getByLabel('Existing files, too').check();
  await button(page, 'Preview').click();
  const preview = page.getByTestId('preview');
  await eventually(() => preview.innerText()).toMatch(/1 file found[\s\S]*left out: operator/);
  const cells = await preview.locator('tbody tr').first().locator('td').allInnerTexts();
  expect(cells[0]).toBe(rows[0]);
  expect(cells[2]).toBe('600');
  await button(page, 'Go').scrollIntoViewIfNeeded();
  expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(0);
  await button(page, 'Go').click();

  await eventually(() => panel(page, 'Sources').innerText()).toMatch(/tool-log[\s\S]*Points 50\b/);
  await eventually(() => page.locator('header').innerText()).toContain('MBE-1');
  // The page of the own tool begins at its top.
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
  expect(problems).toEqual([]);
});
