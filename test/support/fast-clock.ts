import { type Clock, systemClock } from '../../src-main/platform/clock.ts';

/** A clock that runs `factor` times as fast as the real one, so that a hold-off of 15 s takes a fraction of a second. */
export function fastClock(factor: number): Clock {
  const startMs = Date.now();
  const startMonotonicMs = performance.now();
  const passedMs = () => (performance.now() - startMonotonicMs) * factor;
  return {
    nowMs: () => startMs + passedMs(),
    monotonicMs: passedMs,
    sleep: (durationMs, signal) => systemClock.sleep(durationMs / factor, signal),
  };
}
