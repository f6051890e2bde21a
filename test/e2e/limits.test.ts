// Limits of channels on the screen of a real agent: set, reached, seen, over; a restart and a silent tool end nothing.
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openAgentScreen } from '../support/page/agent-screen.ts';
import { findAccessFaultsOfThemes } from '../support/page/browser.ts';
import { button, field } from '../support/page/on-page.ts';
import { tempFolder } from '../support/temp-folder.ts';

const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 60_000 });

test('shows a value beyond its limit everywhere until the operator acknowledges it', async () => {
  const logs = join(tempFolder('limits'), 'logs');
  mkdirSync(logs);
  const log = join(logs, 'run.csv');
  writeFileSync(log, 'time,T (C)\n');
  const write = (value: number) => appendFileSync(log, `${new Date().toISOString()},${value}\n`);
  const sources = `\n  - { id: tool, kind: log, path: ${JSON.stringify(logs)}, match: '*.csv', backfill: all }\n`;
  const { agent, page, problems, data, go } = await openAgentScreen({ sources, service: 'embedded', key: null });
  write(500);
  write(501);
  await eventually(() => agent.snapshot.sources[0]?.pointsRead).toBe(2);

  await go('/settings');
  const form = page.getByTestId('limits');
  await form.getByLabel('Channel').fill('T');
  // By keyboard: panels that are still being filled move what a pointer aims at, and the list closes.
  await page.getByRole('option', { name: 'T (tool)' }).waitFor();
  await form.getByLabel('Channel').press('ArrowDown');
  await form.getByLabel('Channel').press('Enter');
  await eventually(() => form.getByLabel('Channel').inputValue()).toBe('T (tool)');
  await button(page, 'Save the limits').click();
  await eventually(() => form.innerText()).toContain('Give at least one limit.');
  await field(page, 'HiHi').fill('650,5');
  await field(page, 'Deadband').fill('2');
  await field(page, 'What to do').fill('Close the shutter of the cell.');
  await form.getByLabel('Always').check();
  expect(await findAccessFaultsOfThemes(page)).toEqual([]);
  await button(page, 'Save the limits').click();
  await eventually(() => form.innerText()).toMatch(/T \(tool\): HiHi 650\.5; always/);
  expect(readFileSync(join(data, 'epistream.yaml'), 'utf8')).toMatch(/hihi: 650\.5/);

  write(651);
  const headline = page.getByRole('heading', { level: 1 });
  await eventually(() => headline.innerText()).toContain('T is at or above HiHi: 651 (limit 650.5).');
  await eventually(() => page.getByTestId('sentence').innerText()).toContain('Close the shutter of the cell.');
  await page.getByRole('link', { name: 'Now', exact: true }).click();
  const alarms = page.getByTestId('alarms');
  await eventually(() => alarms.innerText()).toMatch(
    /T: 651 reached HiHi \(650\.5\) at [\s\S]*They are not an interlock/,
  );
  await eventually(() => page.getByTestId('values').locator('[data-alarm="HiHi"]').count()).toBe(1);
  expect(await findAccessFaultsOfThemes(page)).toEqual([]);

  // Within again, and the agent restarted: the alarm is not acknowledged yet.
  write(600);
  await eventually(() => agent.snapshot.alarms.map(({ state }) => state)).toEqual(['cleared']);
  await agent.stop();
  await agent.start();
  await eventually(() => agent.snapshot.alarms.map(({ state }) => state)).toEqual(['cleared']);
  write(652);
  await eventually(() => agent.snapshot.alarms.map(({ state }) => state)).toEqual(['active']);
  await button(page, 'Acknowledge T').waitFor();
  await page.getByTestId('sentence').getByRole('button', { name: 'Acknowledge' }).click();
  await eventually(() => headline.innerText()).toContain('1 alarm acknowledged.');
  expect(agent.snapshot.sentence.tone).toBe('busy');

  await page.keyboard.press('w');
  await eventually(() => page.getByTestId('wall').locator('[data-alarm="HiHi"]').count()).toBe(1);
  write(600);
  await eventually(() => agent.snapshot.alarms).toEqual([]);
  await eventually(() => agent.snapshot.troubles).toEqual([]);
  const told = agent.snapshot.journal.filter(({ code }) => code.startsWith('limit.')).map(({ message }) => message);
  expect(told.toReversed()).toEqual([
    'T is at or above HiHi: 651 (limit 650.5).',
    'T is within its limits again, not acknowledged.',
    'T is at or above HiHi: 652 (limit 650.5).',
    expect.stringMatching(/^T: acknowledged from the browser/),
    'T is within its limits again.',
  ]);
  // They are stored a moment later than the screen tells of them.
  const span = { sourceId: '(limits)', fromMs: 0, toMs: 8e15, after: null, limit: 9 };
  const marked = async () => (await agent.pipeline?.store.listMarks(span))?.marks.map(({ text }) => text);
  await eventually(marked).toEqual(told.toReversed());
  expect(problems).toEqual([]);
});
