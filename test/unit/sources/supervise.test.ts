import { describe, expect, test } from 'vitest';
import { AgentError } from '../../../src-main/model/agent-error.ts';
import type { Clock } from '../../../src-main/platform/clock.ts';
import type { Source, SourceSink } from '../../../src-main/sources/source.ts';
import { type SourceReport, superviseSource } from '../../../src-main/sources/supervise.ts';
import { MemorySink } from '../../support/logs/log-sink.ts';

/** Sleeps at once and remembers how long it should have slept. */
class EagerClock implements Clock {
  readonly waits: number[] = [];
  nowMs = () => 1_000_000 + this.waits.reduce((sum, wait) => sum + wait, 0);
  monotonicMs = () => this.nowMs();
  sleep(durationMs: number): Promise<void> {
    this.waits.push(durationMs);
    return Promise.resolve();
  }
}

const away = () => new AgentError({ code: 'log.folder-missing', message: 'gone', hint: 'look', retry: 'later' });
const oneReading = {
  blocks: [{ channels: ['v'], timesMs: Float64Array.of(1), values: Float64Array.of(2) }],
  positions: [],
  rowsRead: 1,
  refusals: [],
  refusedCount: 0,
  origin: 'live',
} as const;

async function supervise(
  runs: ((sink: SourceSink, signal: AbortSignal) => Promise<void>)[],
  store: Partial<SourceSink> = {},
) {
  const reports: SourceReport[] = [];
  const clock = new EagerClock();
  const abort = new AbortController();
  let opened = 0;
  const open = (): Source => ({
    id: 's',
    kind: 'log',
    run: (sink, signal) => (runs[opened++] ?? (() => Promise.resolve()))(sink, signal),
  });
  await superviseSource({
    open,
    sink: Object.assign(new MemorySink(), store),
    clock,
    signal: abort.signal,
    onState: (report) => reports.push(report),
  });
  return { reports, clock, opened, states: reports.map(({ state }) => state) };
}

describe('supervision', () => {
  test('opens a source again after a failure that time can cure, waiting longer each time, one minute at most', async () => {
    const fails = Array.from({ length: 9 }, () => () => Promise.reject(away()));
    const { states, clock, reports } = await supervise(fails);
    expect(clock.waits).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000]);
    expect(states.slice(0, 4)).toEqual(['starting', 'running', 'waiting', 'starting']);
    expect(states.at(-1)).toBe('finished');
    expect(reports[2]).toMatchObject({ error: { code: 'log.folder-missing', hint: 'look' }, retryAtMs: 1_001_000 });
  });

  test('opens a source whose readings the store refuses again within 5 s, since the source is well', async () => {
    const full = new AgentError({ code: 'store.disk-full', message: 'full', hint: 'free', retry: 'later' });
    const readInVain = (sink: SourceSink) => sink.capture(oneReading);
    const runs = Array.from({ length: 5 }, () => readInVain);
    const { clock } = await supervise([...runs, () => Promise.reject(away())], { capture: () => Promise.reject(full) });
    expect(clock.waits).toEqual([1000, 2000, 4000, 5000, 5000, 32_000]);
  });

  test('resets the count once readings are on disk, and reports the time of the last one', async () => {
    const readThenFail = async (sink: SourceSink) => {
      await sink.capture(oneReading);
      throw away();
    };
    const { clock, reports } = await supervise([() => Promise.reject(away()), readThenFail, readThenFail]);
    expect(clock.waits).toEqual([1000, 1000, 1000]);
    expect(reports.at(-1)?.lastReadingMs).toBe(1_002_000);
  });

  test('does not restart a source that needs the operator', async () => {
    const error = new AgentError({
      code: 'log.zone-unknown',
      message: 'no zone',
      hint: 'name it',
      retry: 'after-human',
    });
    const { states, opened } = await supervise([() => Promise.reject(error)]);
    expect(states).toEqual(['starting', 'running', 'failed']);
    expect(opened).toBe(1);
  });

  test('takes a bug for a failure of that source alone', async () => {
    const { states, reports } = await supervise([() => Promise.reject(new TypeError('undefined is not a function'))]);
    expect(states).toEqual(['starting', 'running', 'waiting', 'starting', 'running', 'finished']);
    expect(reports[2]?.error?.code).toBe('internal');
  });

  test('outlives an opening that throws and a listener that throws', async () => {
    let opened = 0;
    const clock = new EagerClock();
    const open = (): Source => {
      opened += 1;
      if (opened === 1) throw new Error('cannot open');
      return { id: 's', kind: 'log', run: () => Promise.resolve() };
    };
    const onState = () => {
      throw new Error('listener');
    };
    await superviseSource({ open, sink: new MemorySink(), clock, signal: new AbortController().signal, onState });
    expect(opened).toBe(2);
  });

  test('stops when aborted, also in the middle of a wait', async () => {
    const abort = new AbortController();
    const states: string[] = [];
    const clock: Clock = { nowMs: () => 0, monotonicMs: () => 0, sleep: () => Promise.resolve(abort.abort()) };
    const open = (): Source => ({ id: 's', kind: 'log', run: () => Promise.reject(away()) });
    await superviseSource({
      open,
      sink: new MemorySink(),
      clock,
      signal: abort.signal,
      onState: ({ state }) => states.push(state),
    });
    expect(states).toEqual(['starting', 'running', 'waiting', 'stopped']);
  });
});
