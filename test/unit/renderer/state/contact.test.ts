// When a page counts its agent as gone.
import { afterEach, expect, test, vi } from 'vitest';
import { runningSnapshot } from '../../../support/page/page-snapshot.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** The page's contact to an agent that answers no question; the test keeps its time. */
async function openContact() {
  let nowMs = 1_000;
  let check = () => {};
  let hear = (_snapshot: unknown) => {};
  const document = { hidden: false };
  vi.stubGlobal('document', document);
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  vi.stubGlobal('setInterval', (callback: () => void) => {
    check = callback;
  });
  const on = (_feed: string, listener: typeof hear) => {
    hear = listener;
  };
  vi.stubGlobal('window', { epistream: { on, snapshot: { read: () => new Promise(() => {}) } } });
  const { readContact } = await import('../../../../src-renderer/state/contact.ts');
  return {
    document,
    state: () => readContact().state,
    hear: () => hear(runningSnapshot(nowMs)),
    /** Time passes without a check. */
    wait: (ms: number) => {
      nowMs += ms;
    },
    /** Time passes; the page looks after it only, however long that is. */
    pass: (ms: number) => {
      nowMs += ms;
      check();
    },
  };
}

test('counts the agent as gone after two seconds in which it listened and heard nothing', async () => {
  const page = await openContact();
  page.hear();
  for (let at = 0; at < 8; at += 1) page.pass(250);
  expect(page.state()).toBe('live');
  page.pass(250);
  expect(page.state()).toBe('lost');
  page.hear();
  expect(page.state()).toBe('live');
});

test('does not count it as gone for the time in which the page itself was held up', async () => {
  const page = await openContact();
  page.hear();
  page.pass(250);
  page.pass(60_000);
  expect(page.state()).toBe('live');
  page.hear();
  expect(page.state()).toBe('live');
  // Nothing was waiting: it is gone.
  page.pass(60_000);
  for (let at = 0; at < 7; at += 1) page.pass(250);
  expect(page.state()).toBe('lost');
});

test('a page that nobody sees knows at the first check, however seldom that is', async () => {
  const page = await openContact();
  page.document.hidden = true;
  page.hear();
  page.wait(59_000);
  page.hear();
  page.pass(1_000);
  expect(page.state()).toBe('live');
  page.pass(60_000);
  expect(page.state()).toBe('lost');
});
