// States of the page Growth that are hard to bring about with a whole agent: answers that fail, a growth that is not there,
// a RHEED session that could not begin.
import { expect, test } from 'vitest';
import type { RunningGrowth } from '../../src-main/contract/growth.ts';
import type { Handlers } from '../../src-main/contract/table.ts';
import { AgentError } from '../../src-main/model/agent-error.ts';
import { findAccessFaults, goToHash } from '../support/page/browser.ts';
import { watchTexts } from '../support/page/on-page.ts';
import { runningGrowth, runningSnapshot } from '../support/page/page-snapshot.ts';
import { openPageAgent } from '../support/page/screen.ts';

const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 60_000 });
const fault = new AgentError({
  code: 'store.read',
  message: 'The queue <b>cannot</b> be read: disk error.',
  hint: 'See whether the disk is well.',
});

async function openAgent(growth: Partial<Handlers['growth']>, running: RunningGrowth | null = null) {
  const { agent, page } = await openPageAgent({}, (agent) => {
    agent.show((atMs) => runningSnapshot(atMs, { growth: running }));
    Object.assign(agent.handlers.growth, growth);
  });
  await page.getByRole('link', { name: 'Growth', exact: true }).click();
  return { agent, page };
}

const open = async (...given: Parameters<typeof openAgent>) => (await openAgent(...given)).page;

test('says why the list of growths cannot be read, keeps the text of a note that could not be kept, and says what is not here', async () => {
  const page = await open({
    list: () => Promise.reject(fault),
    note: () => Promise.reject(fault),
    read: async () => null,
  });
  await eventually(() => page.getByTestId('past').innerText()).toContain(fault.message);
  expect(await page.getByTestId('past').innerText()).toContain(fault.hint);
  expect(await page.getByRole('button', { name: 'Start growth' }).isEnabled()).toBe(true);
  expect(await findAccessFaults(page)).toEqual([]);

  await page.getByLabel('Add a note').fill('seen at once');
  await page.keyboard.press('Enter');
  await eventually(() => page.getByRole('region', { name: 'Notes' }).innerText()).toContain(fault.message);
  expect(await page.getByLabel('Add a note').inputValue()).toBe('seen at once');

  await goToHash(page, '/growth/nobody');
  await eventually(() => page.locator('main').innerText()).toContain('There is no growth of this name here.');
  await page.getByRole('link', { name: 'All growths' }).click();
  await page.getByRole('button', { name: 'Start growth' }).waitFor();
});

test('calls a growth ended once it has ended, and not while recording restarts under it', async () => {
  const growth = runningGrowth(Date.now());
  const read = async () => ({ ...growth, restarts: [], parts: [], notes: [] });
  const { agent, page } = await openAgent({ read }, growth);
  const running = page.getByTestId('running');
  await running.waitFor();
  const texts = await watchTexts(page, 'ended');
  agent.show((atMs) => runningSnapshot(atMs, { phase: 'starting', growth: null }));
  await running.waitFor({ state: 'detached' });
  agent.show((atMs) => runningSnapshot(atMs, { growth }));
  await running.waitFor();
  expect((await texts()).filter((text) => text !== '')).toEqual([]);
  agent.show((atMs) => runningSnapshot(atMs));
  await eventually(() => page.getByTestId('ended').innerText()).toContain('GaAs 1234 ended.');
});

test('shows what waits for what and what could not begin, each with its hint', async () => {
  const page = await open(
    { read: () => Promise.reject(fault) },
    {
      ...{ id: 'g', name: '', sampleId: null, newSampleName: 'wafer', projectId: null },
      ...{ startedMs: Date.now() - 60_000, startCause: 'by hand', endedMs: null, endCause: '' },
      ...{ state: 'running', askedMs: null, changeBecomes: 'same-streams' },
      waits: [{ message: 'The sample "wafer" is made with a session.', hint: 'Start the camera.' }],
      problems: [{ message: 'The session of camera could not begin.', hint: 'Set fps_capture_rate.' }],
    },
  );
  const running = page.getByTestId('running');
  for (const words of ['The sample "wafer"', 'Start the camera.', 'could not begin', 'Set fps_capture_rate.']) {
    await eventually(() => running.innerText()).toContain(words);
  }
  // Its streams cannot be read, and that is said too; it can be ended all the same.
  await eventually(() => page.locator('main').innerText()).toContain(fault.message);
  expect(await page.getByRole('button', { name: 'End growth' }).isEnabled()).toBe(true);
  expect(await findAccessFaults(page)).toEqual([]);
});
