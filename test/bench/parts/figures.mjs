// Loaded into a process before its own code (`node --import`): answers each message of its parent with what the process used
// since the last one, and writes the sum of it to EPISTREAM_FIGURES when it ends. The event loop is watched from the first
// message on: watching wakes it a hundred times a second. Plain JavaScript, so that reading types out of
// TypeScript does not count among the figures.
import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Looked at every millisecond the loop took 4.6 % of a core. */
const RESOLUTION_MS = 10;
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
let cpu = { user: 0, system: 0 };
let sinceMs = performance.now();

const cpuSeconds = ({ user, system }) => (user + system) / 1e6;
const loopMs = (percent) => Math.max(0, delay.percentile(percent) / 1e6 - RESOLUTION_MS);

process.on('message', () => {
  const { heapUsed, external, arrayBuffers, rss } = process.memoryUsage();
  process.send?.({
    cpuS: cpuSeconds(process.cpuUsage(cpu)),
    wallS: (performance.now() - sinceMs) / 1000,
    loopP50Ms: loopMs(50),
    loopP99Ms: loopMs(99),
    peakMb: process.resourceUsage().maxRSS / 1000,
    rssMb: rss / 1e6,
    heapMb: heapUsed / 1e6,
    outsideMb: (external + arrayBuffers) / 1e6,
    handles: process.getActiveResourcesInfo().length,
  });
  cpu = process.cpuUsage();
  sinceMs = performance.now();
  delay.reset();
  delay.enable();
});
// The channel to the parent that asks must not keep this process alive.
process.channel?.unref();

process.on('exit', () => {
  const file = process.env.EPISTREAM_FIGURES;
  const peakMb = process.resourceUsage().maxRSS / 1000;
  if (file) writeFileSync(file, JSON.stringify({ cpuS: cpuSeconds(process.cpuUsage()), peakMb }));
});
