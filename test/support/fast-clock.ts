import { type Clock, systemClock } from '../../src-main/platform/clock.ts';

/** Kept here: `playClock` puts other clocks in its place. */
const { sleep } = systemClock;

/** A clock that runs `factor` times as fast as the real one, so that a hold-off of 15 s takes a fraction of a second. */
export function fastClock(factor: number): Clock {
  const startMs = Date.now();
  const startMonotonicMs = performance.now();
  const passedMs = () => (performance.now() - startMonotonicMs) * factor;
  return {
    nowMs: () => startMs + passedMs(),
    monotonicMs: passedMs,
    sleep: (durationMs, signal) => sleep(durationMs / factor, signal),
  };
}

/**
 * Give every part of this process that asks for the clock of the system another one.
 *
 * @returns what gives it back.
 */
export function playClock(clock: Clock): () => void {
  const real = { ...systemClock };
  // The time since the machine was started does not run faster.
  delete systemClock.bootMs;
  Object.assign(systemClock, clock);
  return () => void Object.assign(systemClock, real);
}
