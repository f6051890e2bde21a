// Figures of serial instruments: `n24 test/bench/serial.ts [minutes]`. The whole agent without a window polls sixteen emulated
// instruments at their usual rates; they are a process of their own, behind pseudo-terminals. Nothing is asserted: figures
// depend on the machine.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { createAgent } from '../../src-main/agent/agent.ts';
import { environmentKeyStore } from '../../src-main/platform/secrets.ts';
import { readTranscript } from '../support/serial/transcript.ts';

/** Sixteen of ten families, as one growth tool might have them: one talks by itself, the others are asked. */
const INSTRUMENTS = [
  ...['eurotherm-bisynch', 'eurotherm-modbus', 'gp-307', 'kjlc-392', 'mks-937b', 'mks-937a', 'pfeiffer-tpg-262'],
  ...['pfeiffer-tpg-366', 'inficon-bpg400', 'inficon-xtm2', 'lakeshore-218', 'lakeshore-336', 'keithley-2000'],
  ...['impac-pyrometer', 'maxtek-mdc-360', 'arduino-sputter-board'],
];

const minutes = Number(process.argv[2] ?? 10);
/** Time for ports to open and boards to start before anything is measured, milliseconds. */
const START_MS = 10_000;

const emulators = spawn(process.execPath, [join(import.meta.dirname, '../support/processes/instrument-process.ts')], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
emulators.stdin.write(`${JSON.stringify(INSTRUMENTS)}\n`);
const [told] = (await once(createInterface({ input: emulators.stdout }), 'line')) as [string];
const ports = JSON.parse(told) as string[];
const folder = mkdtempSync(join(tmpdir(), 'epistream-bench-serial-'));
const settingsFile = join(folder, 'epistream.yaml');
const sources = INSTRUMENTS.map((name, at) => {
  const { options, address } = readTranscript(name);
  const given = { kind: 'serial', id: name, port: ports[at], instrument: name, options, every: null, address };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
});
// YAML takes JSON as it is.
const settings = { version: 1, service: { url: 'embedded' }, tool: { name: 'bench' }, sources };
writeFileSync(settingsFile, JSON.stringify(settings));
mkdirSync(join(folder, 'data'));
const agent = createAgent({
  ...{ dataFolder: join(folder, 'data'), settingsFile, version: 'bench', keys: environmentKeyStore() },
});
await agent.start();
await setTimeout(START_MS);

const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();
const startMs = performance.now();
const startCpu = process.cpuUsage();
let peakBytes = 0;
while (performance.now() - startMs < minutes * 60_000) {
  await setTimeout(1000);
  peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
}
const { user, system } = process.cpuUsage(startCpu);
delay.disable();
const spentMs = performance.now() - startMs;
const views = [...(agent.pipeline?.panels.values() ?? [])].map(({ view }) => view);
const points = views.reduce((sum, { pointsRead }) => sum + pointsRead, 0);
// An instrument that gave nothing would make the figures look better than they are.
const silent = views.filter(({ state, pointsRead }) => state !== 'running' || pointsRead === 0).map(({ id }) => id);
const ms = (ns: number) => Math.max(0, ns / 1e6 - 10).toFixed(1);
console.log(
  `${INSTRUMENTS.length} instruments for ${minutes} min, ${points} points: CPU ${((user + system) / 10 / spentMs).toFixed(1)} % ` +
    `of a core, event loop delay p50 ${ms(delay.percentile(50))} ms, p99 ${ms(delay.percentile(99))} ms, ` +
    `max ${ms(delay.max)} ms; memory ${(peakBytes / 1e6).toFixed(0)} MB at most; ` +
    `load average ${loadavg()[1]?.toFixed(0)}; without readings: ${silent.join(', ') || 'none'}`,
);
await agent.stop();
emulators.stdin.end();
rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
process.exit(0);
