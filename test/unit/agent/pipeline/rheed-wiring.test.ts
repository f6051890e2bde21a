// How often the agent retries to report a RHEED session to the service: the wiring sets the interval, not the manager.
import { expect, onTestFinished, test, vi } from 'vitest';
import { Journal } from '../../../../src-main/agent/pipeline/journal.ts';
import { openSessionManager } from '../../../../src-main/agent/pipeline/rheed-wiring.ts';
import type { SessionService } from '../../../../src-main/growth/rheed-session/ports.ts';
import type { Clock } from '../../../../src-main/platform/clock.ts';
import { parseSettings } from '../../../../src-main/settings/parse-settings.ts';

const TRIES = 12;

test('doubles the wait after each failed report of a session, up to 30 s', async () => {
  // The chance that spreads the tries of many agents: here a wait is all of it but for half a thousandth.
  vi.spyOn(Math, 'random').mockReturnValue(0.999);
  onTestFinished(() => void vi.restoreAllMocks());
  const parsed = parseSettings(
    'version: 1\ntool: { name: MBE-1, time_zone: UTC }\nsources:\n' +
      '  - { id: camera, kind: rheed, counter: { type: movie, path: m }, fps_capture_rate: 30 }\n',
    '/lab/epistream.yaml',
  );
  if (!parsed.isValid) throw new Error(JSON.stringify(parsed.faults));

  let nowMs = Date.UTC(2026, 10, 20, 2);
  const waitsMs: number[] = [];
  const stop = new AbortController();
  /** Who sleeps is woken at once, and the clock has gone on by so much. */
  const clock: Clock = {
    nowMs: () => nowMs,
    monotonicMs: () => nowMs,
    sleep: async (durationMs) => {
      waitsMs.push(durationMs);
      nowMs += durationMs;
      if (waitsMs.length >= TRIES) stop.abort();
    },
  };
  const away = async () => {
    throw Object.assign(new Error('away'), { failure: { kind: 'not-sent', afterMs: null } });
  };
  const service: SessionService = {
    ...{ startRheedStream: away, readRheedSettings: away, readRheedMetadata: away },
    ...{ listDataEntries: away, endStream: away },
  };
  const desk = await openSessionManager({
    settings: parsed.settings,
    store: { rheedSessions: async () => [], putRheedSession: async () => {} },
    service,
    serviceAddress: 'away',
    clock,
    journal: new Journal({ ...clock, keep: async () => {}, onEntry: () => {} }),
    holdOffMs: 0,
    onChange: () => {},
    onSession: () => {},
    isHeld: () => false,
  });
  await desk.start('camera');
  await desk.run(stop.signal);
  expect(waitsMs).toEqual([1000, 1999, 3998, 7996, 15_992, ...Array(TRIES - 5).fill(29_985)]);
});
