// The page Lab of a service, in a real browser: a key is typed, the tools of real agents appear, and one that falls silent shows.
import { expect, onTestFinished, test } from 'vitest';
import { createServiceClient } from '../../../src-main/delivery/client/client.ts';
import { LogAgent } from '../../support/logs/log-agent.ts';
import { findAccessFaults } from '../../support/page/browser.ts';
import { openLink } from '../../support/page/screen.ts';
import { startAgent } from '../../support/processes/agent-process.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const KEY = 'a-key-of-this-lab';

test('shows every tool that has sent, after a key was typed, and forgets the key', async () => {
  const service = startAgent(['service', '--data', tempFolder('service'), '--port', '0'], { EPISTREAM_API_KEY: KEY });
  const [, url = ''] = await service.waitFor(/Service at (\S+),/);
  const { page, problems } = await openLink(`${url}/lab`);
  await page.getByText('Type in a key that may read.').waitFor();
  expect(await findAccessFaults(page)).toEqual([]);
  expect(problems).toEqual([]);
  await page.getByLabel('Key').fill('no-key-of-this-lab');
  await page.getByRole('button', { name: 'Show the tools' }).click();
  await page.getByText('The service refuses this key').waitFor();

  await page.getByLabel('Key').fill(KEY);
  await page.getByRole('button', { name: 'Show the tools' }).click();
  await page.getByText('No tool has sent anything yet.').waitFor();
  const agent = new LogAgent({ url, key: KEY });
  agent.write(20);
  expect((await agent.drain()).code).toBe(0);
  await page.getByText('1 tool has sent.').waitFor();
  const row = page.getByRole('row').nth(1);
  await expect.poll(() => row.innerText()).toMatch(/^T\s/);
  expect(await row.innerText()).toContain('2026-11-20 06:00:19 UTC');
  expect(await row.innerText()).toMatch(/epistream\/\d/);
  // The log is of last week: its points came long after they were measured.
  expect(await row.innerText()).toContain('late');
  expect(await findAccessFaults(page)).toEqual([]);

  const client = createServiceClient({ baseUrl: url, apiKey: () => KEY });
  onTestFinished(() => client.close());
  const { data_id } = await client.initializeStream({
    ...{ points_per_chunk: 1, stream_name: 'MBE 3 chamber 2026-11-20 12:00:00 b2m4p' },
  });
  const channels = { cell: { timestamps: [Date.now() / 1000 + 10 * 86_400], values: [1] } };
  await client.ingestChunk({ data_id, chunk_index: 0, channels });
  const ahead = page.getByRole('row', { name: /^MBE 3/ });
  await expect
    .poll(() => ahead.innerText())
    .toMatch(/^MBE 3\tclock ahead\t.* UTC, \d+ d ahead of this clock when heard/);

  service.child.kill('SIGTERM');
  await service.ended;
  await page.getByText('The service does not answer').waitFor();
  await page.getByRole('button', { name: 'Forget the key' }).click();
  await page.getByText('Type in a key that may read.').waitFor();
  expect(await page.getByRole('row').count()).toBe(0);
});
