import { expect, test } from 'vitest';
import { buildBridge } from '../../../src-main/contract/build-bridge.ts';
import { callNames, feedNames } from '../../../src-main/contract/table.ts';

function recordingBridge() {
  const invoked: [string, unknown][] = [];
  const listened: string[] = [];
  const bridge = buildBridge({
    invoke: async (name, argument) => {
      invoked.push([name, argument]);
      return { ok: true, value: null };
    },
    listen: (feed) => {
      listened.push(feed);
      return () => listened.splice(listened.indexOf(feed), 1);
    },
  });
  return {
    bridge: bridge as unknown as Record<string, Record<string, (argument: unknown) => unknown>>,
    invoked,
    listened,
  };
}

test('has one function for every call of the table, and carries its argument', async () => {
  const { bridge, invoked } = recordingBridge();
  for (const name of callNames) {
    const [noun = '', verb = ''] = name.split('.');
    await bridge[noun]?.[verb]?.({ of: name });
  }
  expect(invoked).toEqual(callNames.map((name) => [name, { of: name }]));
});

test('listens to the feeds of the table and to nothing else', () => {
  const { bridge, listened } = recordingBridge();
  const on = bridge.on as unknown as (feed: string, listener: () => void) => () => void;
  for (const feed of feedNames) on(feed, () => undefined);
  expect(listened).toEqual(feedNames);
  for (const feed of ['secrets', '__proto__', 'snapshot ']) on(feed, () => undefined)();
  expect(listened).toEqual(feedNames);
});

test('cannot be changed by the page', () => {
  const { bridge } = recordingBridge();
  expect(Object.isFrozen(bridge)).toBe(true);
  for (const noun of Object.values(bridge)) if (typeof noun === 'object') expect(Object.isFrozen(noun)).toBe(true);
});
