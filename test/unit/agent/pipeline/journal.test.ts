import { describe, expect, test } from 'vitest';
import { Journal, type JournalEvent } from '../../../../src-main/agent/pipeline/journal.ts';

const offline: JournalEvent = { level: 'warning', code: 'service.offline', message: 'No answer.', hint: 'Wait.' };

/** A journal whose clocks are set by hand. */
function rig() {
  const time = { nowMs: 1_000_000, monotonicMs: 0 };
  const kept: { message: string; atMs: number }[] = [];
  let isStoreDown = false;
  const journal = new Journal({
    nowMs: () => time.nowMs,
    monotonicMs: () => time.monotonicMs,
    keep: async (event) => {
      if (isStoreDown) throw new Error('store gone');
      kept.push(event);
    },
    onEntry: () => {},
  });
  const pass = (durationMs: number) => {
    time.nowMs += durationMs;
    time.monotonicMs += durationMs;
  };
  const messages = () => journal.entries.map(({ message }) => message);
  const breakStore = () => {
    isStoreDown = true;
  };
  return { journal, time, kept, pass, messages, breakStore };
}

describe('Journal', () => {
  test('writes the repeats of a trouble before its end, and no others', () => {
    const { journal, pass, messages } = rig();
    const back: JournalEvent = { level: 'info', code: 'service.back', message: 'It answers again.', hint: '' };
    const other: JournalEvent = { level: 'warning', code: 'serial.noise', message: 'Noise.', hint: '' };
    for (const event of [offline, other, offline, other, offline])
      journal.record(event, event === other ? 'gauge' : 'line');
    journal.record(back);
    pass(30_000);
    journal.settle();
    expect(messages()).toEqual(['Noise.', 'It answers again.', 'No answer. (2 times)', 'Noise.', 'No answer.']);
  });

  test('writes the first of a kind at once, and a repeated one once each 30 s with the count', () => {
    const { journal, pass, messages, kept } = rig();
    for (let second = 0; second <= 60; second++) {
      journal.record(offline);
      pass(1000);
    }
    expect(messages()).toEqual(['No answer. (30 times)', 'No answer. (30 times)', 'No answer.']);
    expect(kept.map(({ message }) => message).toReversed()).toEqual(messages());
  });

  test('tells the count of the last repeats although the trouble did not come back', () => {
    const { journal, pass, messages } = rig();
    for (let i = 0; i < 5; i++) journal.record(offline);
    pass(31_000);
    journal.settle();
    expect(messages()).toEqual(['No answer. (4 times)', 'No answer.']);
    journal.settle();
    pass(31_000);
    journal.settle();
    expect(messages()).toHaveLength(2);
  });

  test('keeps events of the same code about different things apart', () => {
    const { journal, messages } = rig();
    journal.record(offline, 'stream 1');
    journal.record(offline, 'stream 2');
    journal.record(offline, 'stream 1');
    expect(messages()).toHaveLength(2);
  });

  test('a wall clock that is set back silences nothing', () => {
    const { journal, time, pass, messages } = rig();
    journal.record(offline);
    time.nowMs -= 7_200_000;
    pass(30_000);
    journal.record(offline);
    expect(messages()).toHaveLength(2);
  });

  test('what happens is never taken for a repeat of what happened: two starts are two entries', () => {
    const { journal, messages } = rig();
    const started = (tool: string): JournalEvent => ({
      level: 'info',
      code: 'agent.started',
      message: `Recording of ${tool} started.`,
      hint: '',
    });
    journal.record(started('Simulated MBE'));
    journal.record(started('MBE-1'));
    expect(messages()).toEqual(['Recording of MBE-1 started.', 'Recording of Simulated MBE started.']);
  });

  test('is short however many kinds of trouble there are, and holds 50 entries', () => {
    const { journal, pass } = rig();
    for (let stream = 0; stream < 10_000; stream++) {
      journal.record(offline, `stream ${stream}`);
      pass(100);
    }
    expect(journal.entries).toHaveLength(50);
    expect(journal.kinds).toBeLessThan(1000);
  });

  test('an entry stays on the screen when the store does not take it', async () => {
    const { journal, messages, breakStore, kept } = rig();
    breakStore();
    journal.record(offline);
    await Promise.resolve();
    expect(messages()).toEqual(['No answer.']);
    expect(kept).toEqual([]);
  });

  test('puts back what earlier runs wrote below what this one did, each entry once, with ids of their own', () => {
    const { journal, pass } = rig();
    journal.record({ ...offline, message: 'Settings are wrong.', code: 'settings.invalid' });
    const stored = [
      { id: 2, atMs: 900, ...offline, message: 'second' },
      { id: 1, atMs: 800, ...offline, message: 'first' },
    ];
    journal.restore(stored);
    pass(1000);
    journal.record({ ...offline, message: 'after' });
    // A second start reads the same store, which has the entries of this run by now.
    const own = journal.entries[0] ?? stored[0];
    journal.restore([{ id: 3, ...own } as (typeof stored)[0], ...stored]);
    expect(journal.entries.map(({ message }) => message)).toEqual(['after', 'Settings are wrong.', 'second', 'first']);
    const ids = journal.entries.map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
    expect(new Set(ids).size).toBe(4);
  });
});
