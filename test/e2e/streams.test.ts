// The page of streams against the real agent and the embedded service: what was refused is corrected and sent again, a
// receipt is saved.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { BenchSettings } from '../support/bench/bench-settings.ts';
import { openAgentScreen } from '../support/page/agent-screen.ts';
import { findAccessFaults } from '../support/page/browser.ts';
import { readDownload } from '../support/page/read-download.ts';
import { readDelivered } from '../support/rigs/delivered.ts';
import { openServiceRig } from '../support/rigs/service-rig.ts';
import { tempFolder } from '../support/temp-folder.ts';

const KEY = 'key-of-the-streams-test-0123456789';
const START_S = Date.UTC(2026, 10, 20, 6) / 1000;
/** 40 lines of three channels: 120 points. */
const LINES = 40;
const eventually = <T>(read: () => T, { timeout = 60_000 } = {}) => expect.poll(read, { timeout });

const refusing = (channel: string): BenchSettings => ({
  rules: [
    {
      fault: { kind: 'answer', status: 422, body: JSON.stringify({ detail: `${channel} is not calibrated <b>` }) },
      endpoint: 'ingestChunk',
      channel,
    },
  ],
});

async function rig(bench: BenchSettings) {
  const { service, client } = await openServiceRig({ bench: {}, key: KEY });
  await service.setBench(bench);
  const data = tempFolder('streams-page');
  const logs = join(data, 'logs');
  mkdirSync(logs);
  const log = join(logs, 'run.csv');
  writeFileSync(log, 'time,a (Torr),b (C),c\n');
  const rows = Array.from(
    { length: LINES },
    (_, i) => `${START_S + i},${1e-9 * (1 + i)},${600 + i},${i === 3 ? 'Over' : i}\n`,
  );
  appendFileSync(log, rows.join(''));
  const { page, problems } = await openAgentScreen({
    sources: "\n  - { id: log, kind: log, path: logs, match: '*.csv', backfill: all }\n",
    service: service.url,
    streams: 'points_per_chunk: 10, close_after_quiet: 1s',
    key: KEY,
    data,
  });
  return { service, client, page, problems };
}

/** The text of a file that the page gave. */
const openStream = async (page: Page) => {
  await page.getByRole('link', { name: 'Streams', exact: true }).click();
  await page.getByTestId('stream-rows').getByRole('link').last().click();
};

test('shows refused points with the reason of the service and the rows, and sends all of them corrected', async () => {
  const { service, client, page, problems } = await rig(refusing('b'));
  await page
    .getByTestId('sentence')
    .getByRole('heading', { name: /refused/ })
    .waitFor({ timeout: 60_000 });
  await openStream(page);
  await page.getByText('b is not calibrated <b>').first().waitFor();
  await page.getByRole('button', { name: 'Show rows of b, chunk 0' }).click();
  const rows = page.getByRole('region', { name: 'Rows of b, chunk 0' });
  await eventually(() => rows.locator('tbody tr').count()).toBe(10);
  await eventually(() => rows.innerText()).toMatch(/600[\s\S]*609/);
  expect(await findAccessFaults(page)).toEqual([]);

  // The channel was named wrong: another name is accepted. It is sent again once all of it was refused.
  await page.getByText('40 points kept here').waitFor();
  await page.getByRole('button', { name: 'Correct and send' }).click();
  const form = page.getByRole('form', { name: 'Correct and send' });
  await form.getByLabel('Name').fill('substrate');
  await form.getByLabel('Unit').fill('°C');
  expect(await findAccessFaults(page)).toEqual([]);
  await form.getByRole('button', { name: 'Send as a corrected stream' }).click();
  await page.getByText(/40 points go out again in the stream/).waitFor();
  await eventually(async () => (await readDelivered(client)).get('substrate')?.length ?? 0).toBe(LINES);
  const values = (await readDelivered(client)).get('substrate')?.map(({ value }) => value);
  expect(values?.toSorted((p, q) => p - q)).toEqual(Array.from({ length: LINES }, (_, i) => 600 + i));
  await page.getByRole('link', { name: 'Look at the corrected stream' }).click();
  await eventually(() => page.getByTestId('receipt').innerText()).toMatch(/Acknowledged\s*40/);
  await service.setBench({});
  expect(problems).toEqual([]);
});

test('saves the receipt as JSON', async () => {
  const { page, problems } = await rig({});
  await openStream(page);
  const receipt = page.getByTestId('receipt');
  await eventually(() => receipt.innerText()).toMatch(
    /Points stored\s*119[\s\S]*Acknowledged\s*119[\s\S]*Read back\s*119/,
  );
  await page.getByText('Confirmed point by point').waitFor();

  const [json] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as JSON' }).click(),
  ]);
  expect(json.suggestedFilename()).toMatch(/^MBE-1 log .*\.receipt\.json$/);
  expect(JSON.parse((await readDownload(json)).toString())).toMatchObject({
    counts: { pointsStored: 119, pointsAcknowledged: 119, pointsReadBack: 119 },
    confirmation: { outcome: 'confirmed' },
  });
  await receipt.getByText('1 cell that is no number').click();
  await eventually(() => receipt.innerText()).toContain('Over');
  expect(await findAccessFaults(page)).toEqual([]);
  expect(problems).toEqual([]);
});
