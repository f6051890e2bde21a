// The clock of a soak: as the agent's own, it goes by the monotonic clock from its start on, so that a step of the wall
// clock, some milliseconds as a virtual machine makes them, is not taken for a reply that was stamped too early.
import { type Clock, systemClock } from '../../src-main/platform/clock.ts';

const anchorMs = systemClock.nowMs() - systemClock.monotonicMs();

export const steadyClock: Clock = { ...systemClock, nowMs: () => Math.round(anchorMs + systemClock.monotonicMs()) };
