import { expect, test } from 'vitest';
import { Line, type LineFault, type LineOutcome } from '../../../../src-main/delivery/upload/line.ts';

/** A clock whose sleeps end when the test moves it. */
class StepClock {
  now = 0;
  readonly #sleeps: { atMs: number; wake: () => void }[] = [];
  nowMs = () => this.now;
  sleep = (durationMs: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => {
      this.#sleeps.push({ atMs: this.now + durationMs, wake: resolve });
      signal?.addEventListener('abort', () => resolve());
    });
  async move(durationMs: number): Promise<void> {
    this.now += durationMs;
    for (const { atMs, wake } of this.#sleeps) if (atMs <= this.now) wake();
    await settle();
  }
}
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
const offline: LineOutcome = { trouble: 'offline', code: 'c', message: 'm', hint: 'h', afterMs: null };

/** Ask for places and tell who has one. */
async function queue(line: Line, count: number, isLive: (i: number) => boolean = () => true) {
  const inside: number[] = [];
  const stop = new AbortController();
  for (let i = 0; i < count; i++) void line.enter(stop.signal, isLive(i)).then((has) => has && inside.push(i));
  await settle();
  return { inside, stop };
}

/** A line without chance in its waits, whose changes nobody hears. */
const openLine = (clock: StepClock) =>
  new Line(
    clock,
    () => 0,
    () => {},
  );

test('admits four at a time, first come first served', async () => {
  const line = openLine(new StepClock());
  const { inside } = await queue(line, 6);
  expect(inside).toEqual([0, 1, 2, 3]);
  line.leave('through');
  await settle();
  expect(inside).toEqual([0, 1, 2, 3, 4]);
});

test('live streams come first, and every fourth place goes to the backlog', async () => {
  const clock = new StepClock();
  const line = openLine(clock);
  await queue(line, 4);
  const { inside } = await queue(line, 12, (i) => i >= 6);
  for (let i = 0; i < 12; i++) {
    line.leave('through');
    await settle();
  }
  expect(inside).toEqual([6, 7, 8, 0, 9, 10, 11, 1, 2, 3, 4, 5]);
});

test('while nobody gets through one request at a time probes, and all go on when one got through', async () => {
  const clock = new StepClock();
  const line = openLine(clock);
  const first = await queue(line, 1);
  expect(first.inside).toEqual([0]);
  line.leave(offline);
  const { inside } = await queue(line, 5);
  expect(inside).toEqual([]);
  await clock.move(499);
  expect(inside).toEqual([]);
  await clock.move(1);
  expect(inside).toEqual([0]);
  line.leave(offline);
  await clock.move(1000);
  expect(inside).toEqual([0, 1]);
  line.leave('through');
  await settle();
  expect(inside).toEqual([0, 1, 2, 3, 4]);
  expect(line.fault).toBeNull();
  expect(line.upSinceMs).toBe(1500);
});

test('requests that were under way together and fail together count as one failure', async () => {
  const clock = new StepClock();
  const line = openLine(clock);
  await queue(line, 4);
  for (let i = 0; i < 4; i++) line.leave(offline);
  expect(line.fault).toMatchObject({ failures: 1, untilMs: 500 });
});

test('probes at least every 4 s however long the service was away, and no more often once that is reached', async () => {
  const clock = new StepClock();
  const line = new Line(
    clock,
    () => 0.999,
    () => {},
  );
  const waitsMs: number[] = [];
  for (let i = 0; i < 40; i++) {
    await queue(line, 1);
    await clock.move(4000);
    line.leave(offline);
    const waitMs = (line.fault?.untilMs ?? 0) - clock.now;
    expect(waitMs).toBeLessThanOrEqual(4000);
    waitsMs.push(waitMs);
  }
  // Nor more often than that: with this chance the longest wait is 4 s but for half a thousandth.
  expect(waitsMs.slice(5)).toEqual(Array(35).fill(3998));
});

test('waits as long as the service asked, a tenth more at the most', async () => {
  const line = new Line(
    new StepClock(),
    () => 0.5,
    () => {},
  );
  await queue(line, 1);
  line.leave({ ...offline, trouble: 'asked', afterMs: 5000 });
  expect(line.fault?.untilMs).toBe(5250);
});

test('a refused key is tried again after five minutes, or at once when the key changed', async () => {
  const clock = new StepClock();
  const line = openLine(clock);
  await queue(line, 1);
  line.leave({ ...offline, trouble: 'key' });
  const { inside } = await queue(line, 2);
  await clock.move(299_999);
  expect(inside).toEqual([]);
  line.release();
  await settle();
  expect(inside).toEqual([0]);
});

test('gives up a place in the queue when stopped', async () => {
  const line = openLine(new StepClock());
  await queue(line, 4);
  const { inside, stop } = await queue(line, 2);
  stop.abort();
  await settle();
  line.leave('through');
  await settle();
  expect(inside).toEqual([]);
});

test('what the service asked for holds although a request that was under way before gets through', async () => {
  const clock = new StepClock();
  const line = openLine(clock);
  await queue(line, 2);
  line.leave({ ...offline, trouble: 'asked', afterMs: 60_000 });
  line.leave('through');
  const { inside } = await queue(line, 2);
  await clock.move(59_999);
  expect(inside).toEqual([]);
  expect(line.fault?.trouble).toBe('asked');
  await clock.move(1);
  expect(inside).toEqual([0]);
  line.leave('through');
  expect(line.fault).toBeNull();
});

test('of two waits that the service asked for together the longer holds', async () => {
  const clock = new StepClock();
  const line = openLine(clock);
  await queue(line, 3);
  line.leave(offline);
  for (const afterMs of [60_000, 5000]) line.leave({ ...offline, trouble: 'asked', afterMs });
  expect(line.fault).toMatchObject({ untilMs: 60_000, failures: 1 });
});

test("a place that was given up while it waited is nobody's: the line still holds four", async () => {
  const line = openLine(new StepClock());
  await queue(line, 4);
  const first = await queue(line, 1);
  const before = await queue(line, 1);
  const given = await queue(line, 1);
  const after = await queue(line, 1);
  first.stop.abort();
  given.stop.abort();
  await settle();
  line.leave('through');
  line.leave('through');
  await settle();
  expect([first, before, given, after].map(({ inside }) => inside)).toEqual([[], [0], [], [0]]);
  for (let i = 0; i < 4; i++) line.leave('through');
  expect((await queue(line, 5)).inside).toEqual([0, 1, 2, 3]);
});

test('who is inside keeps the place when told to stop, and who comes after that gets none', async () => {
  const line = openLine(new StepClock());
  const { stop } = await queue(line, 4);
  const { inside } = await queue(line, 1);
  stop.abort();
  await settle();
  expect(inside).toEqual([]);
  expect(await line.enter(AbortSignal.abort(), true)).toBe(false);
  line.leave('through');
  await settle();
  expect(inside).toEqual([0]);
});

test('tells what holds the line and what held it before: each failure, each release, and the end of it once', async () => {
  const clock = new StepClock();
  const told: string[] = [];
  const words = (fault: LineFault | null) =>
    fault && `${fault.trouble} ${fault.failures} ${fault.sinceMs}..${fault.untilMs}`;
  const line = new Line(
    clock,
    () => 0,
    (fault, before) => told.push(`${words(before)} -> ${words(fault)}`),
  );
  clock.now = 1000;
  line.release();
  await queue(line, 3);
  line.leave('unknown');
  line.leave('through');
  line.leave('through');
  expect([told.splice(0), line.upSinceMs]).toEqual([['null -> null'], 1000]);
  clock.now = 2000;
  await queue(line, 1);
  line.leave(offline);
  expect([told.splice(0), line.upSinceMs]).toEqual([['null -> offline 1 2000..2500'], null]);
  clock.now = 2500;
  await queue(line, 1);
  line.leave(offline);
  line.release();
  expect(told.splice(0)).toEqual([
    'offline 1 2000..2500 -> offline 2 2000..3500',
    'offline 2 2000..3500 -> offline 2 2000..2500',
  ]);
  await queue(line, 1);
  line.leave('through');
  expect([told, line.upSinceMs]).toEqual([['offline 2 2000..2500 -> null'], 2500]);
});

test('what answers in place of the service is tried again after a minute; one request probes at a time', async () => {
  const clock = new StepClock();
  const line = openLine(clock);
  await queue(line, 1);
  line.leave({ ...offline, trouble: 'foreign', afterMs: 5 });
  expect(line.fault?.untilMs).toBe(60_000);
  const { inside } = await queue(line, 2);
  await clock.move(60_000);
  expect(inside).toEqual([0]);
  const later = await queue(line, 1);
  expect([inside, later.inside]).toEqual([[0], []]);
});

test('of requests that fail together a wait that was not asked for shortens and lengthens nothing', async () => {
  const line = openLine(new StepClock());
  await queue(line, 2);
  line.leave({ ...offline, trouble: 'asked', afterMs: 100 });
  line.leave(offline);
  expect(line.fault).toMatchObject({ untilMs: 100, failures: 1 });
});

test('nobody is let in when the wait ends after the line was closed', async () => {
  const clock = new StepClock();
  const line = openLine(clock);
  await queue(line, 1);
  line.leave(offline);
  const { inside } = await queue(line, 1);
  line.close();
  await clock.move(60_000);
  expect(inside).toEqual([]);
});

test('further places are given where they are free, nobody waits, and requests get through', async () => {
  const line = openLine(new StepClock());
  expect(line.spare).toBe(4);
  await queue(line, 1);
  expect([line.enterMore(2), line.spare, line.enterMore(2), line.spare]).toEqual([2, 1, 1, 0]);
  const { inside } = await queue(line, 1);
  expect([inside, line.enterMore(1)]).toEqual([[], 0]);
  line.leave('through');
  await settle();
  expect(inside).toEqual([0]);
  line.leave(offline);
  expect([line.spare, line.enterMore(1)]).toEqual([0, 0]);
});

test('a stream that may have more under way than the line has places makes as many', () => {
  const wide = new Line(
    new StepClock(),
    () => 0,
    () => {},
    8,
  );
  expect(wide.spare).toBe(8);
});
