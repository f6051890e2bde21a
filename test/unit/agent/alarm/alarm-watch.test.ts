import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AlarmMessage, AlarmWatch, PAUSE_MS, SETTLE_MS } from '../../../../src-main/agent/alarm/alarm-watch.ts';
import { buildSnapshot } from '../../../../src-main/agent/status/build-snapshot.ts';
import { ALARM_KEY } from '../../../../src-main/agent/status/troubles.ts';
import type { Snapshot } from '../../../../src-main/contract/snapshot.ts';
import { facts } from '../../../support/facts.ts';
import { walks } from '../../../support/run/effort.ts';

const running = buildSnapshot(facts(), 1);
const snapshotOf = (keys: readonly string[], more: Partial<Snapshot> = {}): Snapshot => ({
  ...running,
  troubles: keys.map((key) => ({ keys: [key], text: `Text of ${key}.`, detail: `why ${key}`, hint: 'Go.', act: null })),
  ...more,
});

/** A watch that looks once a second from 0 on, with all its messages and their times, seconds. */
function rig() {
  const watch = new AlarmWatch();
  let at = 0;
  const sent: [second: number, message: AlarmMessage][] = [];
  const pass = (seconds: number, keys: readonly string[], more?: Partial<Snapshot>) => {
    for (const until = at + seconds; at < until; at += 1) {
      const message = watch.look(snapshotOf(keys, more), at * 1000);
      if (message) sent.push([at, message]);
    }
  };
  return { pass, sent, told: () => sent.map(([second, { state, headline }]) => `${second} ${state}: ${headline}`) };
}

test('sends a trouble once when it has lasted 10 s, and once that all is well', () => {
  const { pass, sent, told } = rig();
  pass(5, []);
  pass(600, ['source a']);
  pass(600, []);
  expect(told()).toEqual(['15 trouble: Text of source a.', '615 well: All is well again.']);
  expect(sent[0]?.[1]).toEqual({
    ...{ tool: 'T', at: '2026-11-20T12:00:00.000Z', state: 'trouble' },
    ...{ headline: 'Text of source a.', detail: 'why source a', hint: 'Go.' },
    troubles: [{ text: 'Text of source a.', detail: 'why source a' }],
  });
});

test('a trouble of less than 10 s sends nothing, and a pause in a trouble of less than 10 s neither', () => {
  const { pass, told } = rig();
  for (let times = 0; times < 20; times += 1) {
    pass(9, ['source a']);
    pass(9, []);
  }
  expect(told()).toEqual([]);
  pass(100, ['source a']);
  pass(9, []);
  pass(100, ['source a']);
  expect(told()).toHaveLength(1);
});

test('a second trouble is sent beside the first one, the end of one of two is not', () => {
  const { pass, sent, told } = rig();
  pass(100, ['source a']);
  pass(100, ['source a', 'source b']);
  pass(100, ['source b']);
  pass(100, ['source a', 'source b']);
  pass(100, []);
  expect(told()).toEqual([
    '10 trouble: Text of source a.',
    '110 trouble: Text of source b.',
    '310 trouble: Text of source a.',
    '410 well: All is well again.',
  ]);
  expect(sent[1]?.[1].troubles.map(({ text }) => text)).toEqual(['Text of source a.', 'Text of source b.']);
});

test('what changes within a minute of a message goes into the next one', () => {
  const { pass, told } = rig();
  pass(20, ['source a']);
  pass(20, ['source a', 'disk']);
  pass(20, ['source a', 'disk', 'store']);
  pass(40, ['source a', 'disk', 'store']);
  expect(told()).toEqual(['10 trouble: Text of source a.', '70 trouble: Text of disk.']);
});

test('that alarms cannot be sent causes no alarm and does not keep "all is well" back', () => {
  const { pass, told } = rig();
  pass(300, [ALARM_KEY]);
  expect(told()).toEqual([]);
  pass(100, ['source a', ALARM_KEY]);
  pass(100, [ALARM_KEY]);
  expect(told()).toEqual(['310 trouble: Text of source a.', '410 well: All is well again.']);
});

test('a stop, new settings and a start report nothing again, and nothing is sent of a trial', () => {
  const { pass, told } = rig();
  pass(100, ['source a']);
  for (const phase of ['stopping', 'stopped', 'starting'] as const) pass(100, [], { phase });
  const [source] = running.sources;
  pass(100, [], { sources: [{ ...(source as Snapshot['sources'][number]), state: 'starting' }] });
  pass(100, ['source a']);
  pass(100, ['source b'], { isTrial: true });
  expect(told()).toEqual(['10 trouble: Text of source a.']);
});

test('each change is sent once, never twice, in order, with a minute between two messages', () => {
  const keys = fc.subarray(['source a', 'source b', 'disk']);
  const steps = fc.array(fc.tuple(fc.integer({ min: 1, max: 90 }), keys), { minLength: 1, maxLength: 30 });
  const [settleS, pauseS] = [SETTLE_MS / 1000, PAUSE_MS / 1000];
  fc.assert(
    fc.property(steps, (walk) => {
      const { pass, sent } = rig();
      /** When each trouble was there, seconds; a shorter break than an end takes is none. */
      const spans: { key: string; from: number; to: number; longest: number }[] = [];
      const left = walk.at(-1)?.[1] ?? [];
      let at = 0;
      for (const [seconds, present] of [...walk, [200, left] as const]) {
        pass(seconds, present);
        for (const key of present) {
          const span = spans.findLast((one) => one.key === key && at - one.to <= settleS);
          if (span === undefined) spans.push({ key, from: at, to: at + seconds, longest: seconds });
          else {
            span.longest = span.to === at ? span.longest + seconds : seconds;
            span.to = at + seconds;
          }
        }
        at += seconds;
      }
      const names = ({ troubles }: AlarmMessage, key: string) =>
        troubles.some(({ text }) => text === `Text of ${key}.`);
      for (const [index, [second, message]] of sent.entries()) {
        const before = sent[index - 1];
        if (before) expect(second - before[0]).toBeGreaterThanOrEqual(pauseS);
        const present = spans.filter(({ from, to }) => from <= second && second < to);
        if (message.state === 'well') {
          expect(before?.[1].state).toBe('trouble');
          expect(present).toEqual([]);
          continue;
        }
        const cause = present.find(({ key }) => message.headline === `Text of ${key}.`);
        expect(second - (cause?.from ?? second)).toBeGreaterThanOrEqual(settleS);
        const earlier = sent.slice(0, index).filter(([when]) => when >= (cause?.from ?? 0));
        expect(earlier.filter(([, one]) => names(one, cause?.key ?? ''))).toEqual([]);
      }
      // What lasts is named, by a message of the minute before at the earliest.
      for (const { key, from, to } of spans.filter(({ longest }) => longest > settleS + pauseS + 1)) {
        expect(sent.some(([when, one]) => when >= from - pauseS && when < to && names(one, key))).toBe(true);
      }
      expect(sent.at(-1)?.[1].state ?? 'well').toBe(left.length === 0 ? 'well' : 'trouble');
    }),
    walks(1000),
  );
});
