// Part E, row 89: a service that answers 5xx for hours while fifty agents want to deliver, and then is back. On a virtual
// clock, with a real queue for each agent.
import { expect, test } from 'vitest';
import type { UploadService } from '../../../src-main/delivery/upload/ports.ts';
import { AgentError } from '../../../src-main/model/agent-error.ts';
import { CALM, ModelService } from '../../simulation/model-service.ts';
import { Chance } from '../../simulation/random.ts';
import { VirtualClock } from '../../simulation/virtual-clock.ts';
import { VirtualAgent } from '../../support/rigs/engine.ts';

const AGENTS = 50;
const HOUR_MS = 3_600_000;
const STEP_MS = 600_000;

/** The service as one agent reaches it: what it asks is written down, and answered with 5xx while `isBroken` says so. */
function reach(service: UploadService, clock: VirtualClock, isBroken: () => boolean, asked: number[]): UploadService {
  const guard = <R, V>(call: (request: R, options: { signal: AbortSignal }) => Promise<V>) => {
    return async (request: R, options: { signal: AbortSignal }): Promise<V> => {
      asked.push(clock.nowMs());
      if (!isBroken()) return call(request, options);
      await clock.sleep(20);
      const error = new AgentError({ code: 'service.ambiguous', message: 'status 502', hint: '', retry: 'later' });
      throw Object.assign(error, { failure: { kind: 'ambiguous' }, status: 502 });
    };
  };
  return {
    initializeStream: guard(service.initializeStream),
    ingestChunk: guard(service.ingestChunk),
    readTimeSeries: guard(service.readTimeSeries),
    listDataEntries: guard(service.listDataEntries),
    endStream: guard(service.endStream),
  };
}

test('89: after hours of 5xx fifty agents have drained within 75 s, and neither then nor meanwhile do they come all at once', async () => {
  const clock = new VirtualClock();
  const chance = new Chance(89);
  const service = new ModelService(clock, chance, CALM);
  let isBroken = false;
  const asked: number[][] = Array.from({ length: AGENTS }, () => []);
  const agents: VirtualAgent[] = [];
  for (const [n, mine] of asked.entries()) {
    const reached = reach(service, clock, () => isBroken, mine);
    agents.push(await VirtualAgent.open({ name: `agent${n}`, clock, chance, service: reached }));
  }
  const captureAll = () => {
    for (const agent of agents) agent.capture(5);
  };
  captureAll();
  await clock.pass(STEP_MS);
  expect(service.entries.size).toBe(AGENTS);

  isBroken = true;
  // All agents capture, and so fail, in the same moment: the worst case for the service.
  for (let passedMs = 0; passedMs < 2 * HOUR_MS; passedMs += STEP_MS) {
    captureAll();
    await clock.pass(STEP_MS);
  }
  for (const { uploader } of agents) {
    const state = uploader.view(1)?.state;
    expect(state).toMatchObject({ kind: 'waiting', reason: { message: 'status 502' } });
    expect(state?.kind === 'waiting' && state.untilMs).toBeGreaterThan(clock.nowMs());
  }
  const hourAgoMs = clock.nowMs() - HOUR_MS;
  for (const mine of asked) {
    const lastHour = mine.filter((atMs) => atMs > hourAgoMs);
    // A try each half minute to minute, for ever: neither hammering nor given up.
    expect(lastHour.length).toBeGreaterThanOrEqual(55);
    expect(lastHour.length).toBeLessThanOrEqual(125);
  }

  isBroken = false;
  const backMs = clock.nowMs();
  await clock.pass(75_000);
  for (const [n, { queue, captured }] of agents.entries()) {
    expect(queue.tally(1).waitingPoints, `agent ${n}`).toBe(0);
    const dataId = queue.tally(1).streams[0]?.dataId ?? '';
    for (const channel of ['a', 'b']) {
      const values = service.points(dataId, channel).map(({ value }) => value);
      expect(values).toEqual(Array.from({ length: captured }, (_, i) => i));
    }
  }
  const bySecond = new Map<number, number>();
  for (const mine of asked) {
    const second = Math.floor(((mine.find((atMs) => atMs >= backMs) ?? 0) - backMs) / 1000);
    bySecond.set(second, (bySecond.get(second) ?? 0) + 1);
  }
  expect(Math.max(...bySecond.values())).toBeLessThanOrEqual(AGENTS / 5);
});
