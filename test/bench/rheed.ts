// Figures of a frame counter: `n24 test/bench/rheed.ts [minutes]`. The whole agent without a window reads numbered images that
// another process writes at 120 frames per second, into a folder that holds 1,000 files and one that holds 100,000. Nothing
// is asserted: figures depend on the machine.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { createAgent } from '../../src-main/agent/agent.ts';
import { environmentKeyStore } from '../../src-main/platform/secrets.ts';

const FPS = 120;
const minutes = Number(process.argv[2] ?? 10);
/** Given by this program to itself: how many files are there already. */
const files = Number(process.argv[3] ?? 0);

async function measure(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'epistream-bench-rheed-'));
  const images = join(folder, 'images');
  mkdirSync(images);
  // By another process: this one's memory is measured.
  const make = `for (let at = 0; at < ${files}; at++) require('fs').writeFileSync('rheed_' + String(at).padStart(4, '0') + '.bmp', 'old')`;
  spawnSync(process.execPath, ['-e', make], { cwd: images });
  const settingsFile = join(folder, 'epistream.yaml');
  writeFileSync(
    settingsFile,
    `version: 1\ntool: { name: bench }\nsources:\n  - id: camera\n    kind: rheed\n    fps_capture_rate: ${FPS}\n` +
      `    counter: { type: images, path: '${images}', match: '*_{frame}.bmp' }\n`,
  );
  const agent = createAgent({
    ...{ dataFolder: join(folder, 'data'), settingsFile, version: 'bench', keys: environmentKeyStore() },
  });
  mkdirSync(join(folder, 'data'));
  await agent.start();
  await setTimeout(5000);
  const camera = spawn(process.execPath, [join(import.meta.dirname, '../support/processes/camera-process.ts')], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const count = minutes * 60 * FPS;
  const plan = { kind: 'images', folder: images, fps: FPS, firstNumber: files, rollsOverAt: null };
  camera.stdin.write(`${JSON.stringify({ ...plan, deeds: [{ kind: 'frames', count }] })}\n`);
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
  const cpu = (user + system) / 10 / (performance.now() - startMs);
  await setTimeout(3000);
  const counted = await agent.pipeline?.store.readPoints('camera', 'frames counted', 0, Number.MAX_VALUE);
  const ms = (ns: number) => (ns / 1e6 - 10).toFixed(1);
  console.log(
    `${files.toLocaleString('en-US')} files there before, ${minutes} min at ${FPS} frames per second: ` +
      `CPU ${cpu.toFixed(1)} % of a core, memory ${(peakBytes / 1e6).toFixed(0)} MB, ` +
      `event loop delay p99 ${ms(delay.percentile(99))} ms, max ${ms(delay.max)} ms; ` +
      `counted ${counted?.values.at(-1)} of ${count}`,
  );
  camera.kill();
  await agent.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

if (files > 0) {
  await measure();
} else {
  // Each in a process of its own, so that neither has the other's memory.
  for (const there of [1000, 100_000]) {
    const child = spawn(process.execPath, [import.meta.filename, String(minutes), String(there)], { stdio: 'inherit' });
    await new Promise((resolve) => child.on('exit', resolve));
  }
}
