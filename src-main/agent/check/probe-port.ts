// The way to probing for what starts things: commands know the agent, not its sources.
import { systemClock } from '../../platform/clock.ts';
import { fitOf, type ProbeOptions, type ProbeResult, probePort } from '../../sources/serial/probe/probe.ts';
import { nameSettings } from '../../sources/serial/probe/probe-plan.ts';

export type { ProbeMatch, ProbeResult } from '../../sources/serial/probe/probe.ts';
export { fitOf, nameSettings };

/**
 * Say which instrument answers on a port.
 *
 * @throws those of opening the port.
 */
export function probe(options: Omit<ProbeOptions, 'clock'>): Promise<ProbeResult> {
  return probePort({ ...options, clock: systemClock });
}
