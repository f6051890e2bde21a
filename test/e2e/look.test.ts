// A look at a line that is over: the agent forgets it, the page keeps what it found and says nothing else.
import { expect, test } from 'vitest';
import { AgentError } from '../../src-main/model/agent-error.ts';
import { button, combobox, field } from '../support/page/on-page.ts';
import { runningSnapshot } from '../support/page/page-snapshot.ts';
import { openPageAgent } from '../support/page/screen.ts';

const forgotten = new AgentError({
  code: 'look.none',
  message: 'The test timed out.',
  hint: 'Start it again.',
});

test('says that no instrument answers, and does not say beside it that the look has ended', async () => {
  let reads = 0;
  const { page, go } = await openPageAgent({}, (agent) => {
    agent.show((atMs) => runningSnapshot(atMs, { isTrial: false }));
    const over = { tries: 9, trying: '', bytesIn: 0, matches: [], heard: [], readings: [], notes: [], bytes: [] };
    Object.assign(agent.handlers.source, {
      startProbe: async () => ({ lookId: 'one' }),
      readLook: () => {
        reads += 1;
        return reads === 1
          ? Promise.resolve({ ...over, state: 'ended', message: '', hint: '' })
          : Promise.reject(forgotten);
      },
    });
  });
  await go('/sources/new/serial');
  await combobox(page, 'Port').or(field(page, 'Port')).first().fill('tcp://127.0.0.1:9');
  await button(page, 'Detect instrument').click();
  const probe = page.getByTestId('probe');
  await expect.poll(() => probe.innerText()).toContain('No known instrument answers on this port.');
  // What asks again whenever a page comes to the front does not ask for a look that is over.
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
  await field(page, 'Name of the source').fill('gauge');
  await expect.poll(() => probe.innerText()).toContain('No known instrument answers');
  expect(await probe.innerText()).not.toContain(forgotten.message);
  expect(reads).toBe(1);
});
