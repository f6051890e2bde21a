import { expect, test } from 'vitest';
import type { AlarmMessage } from '../../../../src-main/agent/alarm/alarm-watch.ts';
import { AlarmWay } from '../../../../src-main/agent/alarm/alarm-way.ts';
import { AgentError, refuse } from '../../../../src-main/model/agent-error.ts';

const messageOf = (headline: string): AlarmMessage => ({
  ...{ tool: 'T', at: '2026-11-20T12:00:00.000Z', state: 'trouble', headline, detail: '', hint: '', troubles: [] },
});

/** A way whose tries a test answers; `pass` lets seconds go by and gives when a try was made. */
function rig() {
  let nowMs = 0;
  const [sent, faults, tries] = [[] as string[], [] as string[], [] as string[]];
  const state: { answer: AgentError | null; wait: Promise<void> } = { answer: null, wait: Promise.resolve() };
  const way = new AlarmWay({
    ...{ name: 'webhook', to: 'host', limitMs: 10_000 },
    send: async ({ headline }) => {
      tries.push(`${nowMs / 1000} ${headline}`);
      await state.wait;
      if (state.answer) throw state.answer;
    },
    onSent: ({ headline }) => void sent.push(headline),
    onFault: ({ message }) => void faults.push(message),
  });
  const stop = new AbortController();
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second += 1) {
      way.tick(() => nowMs, stop.signal);
      // A try that is answered ends within these.
      await new Promise(setImmediate);
      nowMs += 1000;
    }
    return tries.splice(0);
  };
  return { way, pass, sent, faults, state, stop };
}

const down = refuse('alarm.webhook', 'The webhook is down.', 'Check it.');

test('tries three times, then reports that it cannot send, and tries every ten minutes', async () => {
  const { way, pass, sent, faults, state } = rig();
  state.answer = down;
  way.put(messageOf('one'));
  expect(await pass(30)).toEqual(['0 one', '5 one']);
  expect(way.fault).toBeNull();
  expect(await pass(1205)).toEqual(['35 one', '635 one']);
  expect(faults).toEqual(['The webhook is down.']);
  expect(way.fault).toEqual({ way: 'webhook', message: 'The webhook is down.', hint: 'Check it.' });
  state.answer = null;
  expect(await pass(1000)).toEqual(['1235 one']);
  expect([sent, way.fault, way.waiting]).toEqual([['one'], null, null]);
  expect(await pass(1000)).toEqual([]);
});

test('a newer message takes the place of one that was not sent, also while that one is under way', async () => {
  const { way, pass, sent, state } = rig();
  state.answer = down;
  way.put(messageOf('one'));
  await pass(3);
  const { promise, resolve } = Promise.withResolvers<void>();
  state.wait = promise;
  way.put(messageOf('two'));
  expect(await pass(3)).toEqual(['3 two']);
  way.put(messageOf('three'));
  state.answer = null;
  resolve();
  await pass(10);
  expect(sent).toEqual(['two', 'three']);
});

test('what some recipients got is not sent again, and is reported', async () => {
  const { way, pass, faults, state } = rig();
  state.answer = new AgentError({ code: 'alarm.mail', message: 'Refused b.', hint: '', retry: 'never' });
  way.put(messageOf('one'));
  expect(await pass(1000)).toEqual(['0 one']);
  expect(faults).toEqual(['Refused b.']);
});

test('a test that is sent ends the trouble, and the waiting message goes out', async () => {
  const { way, pass, sent, state, stop } = rig();
  state.answer = down;
  way.put(messageOf('one'));
  await pass(50);
  const failed = { way: 'webhook', to: 'host', error: { message: 'The webhook is down.', hint: 'Check it.' } };
  expect(await way.test(messageOf('test'), stop.signal)).toEqual(failed);
  expect(way.fault).not.toBeNull();
  state.answer = null;
  expect(await way.test(messageOf('test'), stop.signal)).toEqual({ way: 'webhook', to: 'host', error: null });
  expect(way.fault).toBeNull();
  await pass(2);
  expect(sent).toEqual(['one']);
});

test('a try that the end of the run cuts counts as none', async () => {
  const { way, pass, state, stop } = rig();
  const { promise, resolve } = Promise.withResolvers<void>();
  Object.assign(state, { answer: down, wait: promise });
  way.put(messageOf('one'));
  await pass(1);
  stop.abort();
  resolve();
  await new Promise(setImmediate);
  expect([way.waiting?.headline, way.fault]).toEqual(['one', null]);
});
