// A log whose columns change while the tool writes: both sides on the screen, each of the answers, and every line once.
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Agent } from '../../src-main/agent/agent.ts';
import { openAgentScreen } from '../support/page/agent-screen.ts';
import { findAccessFaults } from '../support/page/browser.ts';
import { button, panel } from '../support/page/on-page.ts';
import { tempFolder } from '../support/temp-folder.ts';

const START_S = 1_790_000_000;
const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 60_000 });

/** Stored values of a channel, in the order of their stamps. */
async function values(agent: Agent, channel: string): Promise<number[]> {
  const points = await agent.pipeline?.store.readPoints('chamber', channel, 0, 8e15);
  return Array.from(points?.values ?? []);
}

/** What stands in one of the two lists of columns, a line each. */
const columns = async (page: Page, title: string) => {
  const list = page.getByRole('heading', { name: title, exact: true }).locator('xpath=following-sibling::ol');
  return list.getByRole('listitem').allInnerTexts();
};

async function rig() {
  const data = tempFolder('held');
  mkdirSync(join(data, 'logs'));
  const log = join(data, 'logs', 'run.csv');
  let second = 0;
  const row = (...cells: number[]) => `${START_S + second++},${cells.join(',')}\n`;
  const write = (header: string, ...rows: string[]) => appendFileSync(log, `${header}\n${rows.join('')}`);
  const screen = await openAgentScreen({
    sources: "\n  - { id: chamber, kind: log, path: logs, match: '*.csv', backfill: all }\n",
    // The lines are of a day long past: no stream ends for that.
    streams: 'points_per_chunk: 5, rollover: growth',
    data,
  });
  const { page } = screen;
  const points = async () => (await panel(page, 'chamber').innerText()).match(/Points\s+([\d,]+)/)?.[1];
  return { ...screen, row, write, more: (text: string) => appendFileSync(log, text), points };
}

test('shows the columns of a log before and after they changed, takes each answer, and reads on at that very line', async () => {
  const { agent, page, problems, go, row, write, more, points } = await rig();
  await go('/sources/chamber');
  write('time,p [mbar],T [K]', row(1, 300), row(2, 301));
  await eventually(points).toBe('4');

  // A column under another name: the answer carries it on, into the stream that is there.
  write('time,p [mbar],substrate [K]', row(3, 302));
  const held = panel(page, 'Files that wait for you');
  await eventually(() => held.innerText()).toMatch(/run\.csv, line 4/);
  await eventually(() => columns(page, 'Columns before')).toEqual([
    expect.stringMatching(/^time.*not streamed$/),
    'p [mbar] (mbar)',
    'T [K] (K) · gone',
  ]);
  expect(await columns(page, 'Columns from here on')).toEqual([
    expect.stringMatching(/^time/),
    'p [mbar] (mbar)',
    'substrate [K] (K) · new',
  ]);
  await eventually(() => held.getByLabel('The next lines of the file').innerText()).toContain(`${START_S + 2},3,302`);
  expect(await findAccessFaults(page)).toEqual([]);
  await page.getByRole('combobox', { name: 'substrate [K] is' }).click();
  await page.getByRole('option', { name: 'T', exact: true }).click();
  expect(await button(page, 'Read on with the new columns').isEnabled()).toBe(false);
  await button(page, 'Read on: they were renamed').click();
  await held.waitFor({ state: 'detached' });
  await eventually(points).toBe('6');
  // What the page counts is read; it is stored a moment later.
  await eventually(() => values(agent, 'T')).toEqual([300, 301, 302]);
  await eventually(() => agent.snapshot.streams.length).toBe(1);

  // A column that is something else: it begins a stream of its own.
  write('time,p [mbar],F [sccm]', row(4, 20));
  await eventually(() => held.innerText()).toMatch(/run\.csv, line 6/);
  await eventually(() => columns(page, 'Columns before')).toContain('substrate [K] (K) · gone');
  expect(await columns(page, 'Columns from here on')).toContain('F [sccm] (sccm) · new');
  await button(page, 'Read on with the new columns').click();
  await held.waitFor({ state: 'detached' });
  more(row(5, 21));
  await eventually(points).toBe('10');
  await eventually(() => values(agent, 'F')).toEqual([20, 21]);
  expect(await values(agent, 'T')).toEqual([300, 301, 302]);
  await eventually(() => agent.snapshot.streams.length).toBe(2);

  // Left out: nothing more is read, until it is taken in again and answered for.
  write('time,p [mbar],G [sccm]', row(6, 40));
  await eventually(() => held.innerText()).toMatch(/run\.csv, line 9/);
  await button(page, 'Leave this file out').click();
  await eventually(() => held.innerText()).toContain('Left out by a person.');
  // While it is left out no answer reads on.
  await eventually(() => button(page, 'Read on with the new columns').count()).toBe(0);
  more(row(7, 41));
  await button(page, 'Take this file in again').click();
  await button(page, 'Read on with the new columns').waitFor();
  expect(await points()).toBe('10');
  await eventually(() => columns(page, 'Columns from here on')).toContain('G [sccm] (sccm) · new');
  await button(page, 'Read on with the new columns').click();
  await held.waitFor({ state: 'detached' });
  await eventually(points).toBe('14');
  await eventually(() => values(agent, 'p')).toEqual([1, 2, 3, 4, 5, 6, 7]);
  await eventually(() => values(agent, 'G')).toEqual([40, 41]);
  await eventually(() => agent.snapshot.streams.reduce((sum, { pointsStored }) => sum + pointsStored, 0)).toBe(14);
  expect(problems).toEqual([]);
});
