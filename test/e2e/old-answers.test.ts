// What a page shows of an answer that could not be refreshed: every page says that it is old, of when it is, and asks again.
import { expect, onTestFinished, test } from 'vitest';
import type { Handlers } from '../../src-main/contract/table.ts';
import { AgentError } from '../../src-main/model/agent-error.ts';
import { makePageAgent } from '../support/page/page-agent.ts';
import { runningSnapshot } from '../support/page/page-snapshot.ts';
import { openScreen } from '../support/page/screen.ts';

const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 60_000 });

const busy = new AgentError({ code: 'store.busy', message: 'The store is busy.', hint: '' });

/** The small agent, which refuses every question but that for its snapshot while it is told to. */
function makeRefusing() {
  const agent = makePageAgent();
  onTestFinished(() => agent.stop());
  agent.show(runningSnapshot);
  let isRefusing = false;
  let asked = 0;
  let open = 0;
  const answer = async (name: string, argument: unknown, handle: (argument: unknown) => Promise<unknown>) => {
    if (isRefusing && name !== 'snapshot.read') throw busy;
    if (name !== 'snapshot.read') asked += 1;
    open += 1;
    return handle(argument).finally(() => {
      open -= 1;
    });
  };
  const wrap = (noun: string, verbs: object) =>
    Object.fromEntries(
      Object.entries(verbs).map(([verb, handle]) => [
        verb,
        (argument: unknown) => answer(`${noun}.${verb}`, argument, handle),
      ]),
    );
  const handlers = Object.fromEntries(
    Object.entries(agent.handlers).map(([noun, verbs]) => [noun, wrap(noun, verbs)]),
  ) as unknown as Handlers;
  const refuse = (isOn: boolean) => {
    isRefusing = isOn;
  };
  return { handlers, subscribe: agent.subscribe, refuse, countOpen: () => open, countAsked: () => asked };
}

/** Parts of each page that show answers. */
const places = {
  '/': 2,
  '/wall': 1,
  '/plots': 2,
  '/growth': 1,
  '/streams': 1,
  '/journal': 2,
  '/sources': 2,
  '/library': 3,
  '/catalogue': 1,
  '/help': 1,
};

test('says on every page that what could not be refreshed is old, and asks again', async () => {
  const agent = makeRefusing();
  const { page, go } = await openScreen(agent, { isAlone: true });
  await page.clock.install();
  const faults = page.getByTestId('query-fault');
  const old = faults.filter({ hasText: /^Not up to date: this is from .*The store is busy\./ });
  for (const [path, count] of Object.entries(places)) {
    await go('/settings');
    await page.getByRole('heading', { name: 'Settings' }).first().waitFor();
    const before = agent.countAsked();
    await go(path);
    await eventually(async () => {
      await page.clock.runFor(1_000);
      return `${path}: ${agent.countAsked() > before ? agent.countOpen() : 'not asked'} open, ${await faults.count()} old`;
    }).toBe(`${path}: 0 open, 0 old`);

    agent.refuse(true);
    await page.clock.fastForward('02:00');
    // What is not asked for again by itself is asked for when somebody comes back.
    if (!['/', '/wall', '/plots'].includes(path)) {
      await go('/settings');
      await page.getByRole('heading', { name: 'Settings' }).first().waitFor();
      await go(path);
    }
    await eventually(async () => {
      await page.clock.runFor(1_000);
      return `${path}: ${await old.count()} of ${await faults.count()}`;
    }).toBe(`${path}: ${count} of ${count}`);

    agent.refuse(false);
    await eventually(async () => {
      await page.clock.runFor(1_000);
      for (const again of await faults.getByRole('button', { name: 'Try again' }).all()) {
        await again.click({ timeout: 1_000 }).catch(() => undefined);
      }
      return `${path}: ${await faults.count()} old`;
    }).toBe(`${path}: 0 old`);
  }
});
