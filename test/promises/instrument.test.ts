// An instrument behind a terminal server and a camera's folder, read by the built agent.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { runHere } from '../support/command.ts';
import { LogAgent } from '../support/logs/log-agent.ts';
import { posixTest } from '../support/posix.ts';
import { InstrumentEmulator } from '../support/serial/instrument-emulator.ts';
import { dialog } from '../support/serial/serial-samples.ts';
import { tempFolder } from '../support/temp-folder.ts';

const GAUGE =
  "{ name: gauge, title: Gauge, family: line-ascii, protocol: { commands: getters }, questions: [{ id: p, ask: 'P?', reply: { pattern: '[0-9.]+' }, channels: [{ name: pressure, unit: mbar }] }] }";

posixTest('reports an instrument that stops responding, and records a gap over its silence', async () => {
  const gauge = await InstrumentEmulator.start([dialog('P?\r\n', '1.5\r\n')]);
  onTestFinished(() => gauge.stop());
  const port = `tcp://127.0.0.1:${gauge.tcpPort}`;
  const tool = new LogAgent({
    url: 'embedded',
    key: '',
    sources: [`{ id: gauge, kind: serial, port: '${port}', every: 100ms, instrument: ${GAUGE} }`],
  });
  const agent = await tool.start();
  const points = (sources: readonly { id: string; pointsRead: number }[]) =>
    sources.find(({ id }) => id === 'gauge')?.pointsRead ?? 0;
  await tool.until('it is read', ({ sources }) => points(sources) > 5);
  const deadMs = Date.now();
  gauge.interfere = () => null;
  await tool.until('its silence is said', ({ sources, journal }) => {
    const [gauge] = sources.filter(({ id }) => id === 'gauge');
    return (
      gauge?.notes.some(({ code }) => code === 'serial.silent') === true &&
      journal.some(({ code, message }) => code === 'serial.silent' && message.includes('gauge'))
    );
  });
  const aliveMs = Date.now();
  gauge.interfere = (bytes) => ({ bytes, delayMs: 0 });
  // The gap begins with the last reading, which came before or just as the instrument stopped.
  await tool.until('the silence is a gap', ({ gaps }) =>
    gaps.some(
      ({ sourceId, fromMs, toMs, cause }) =>
        sourceId === 'gauge' && fromMs <= deadMs + 100 && toMs >= aliveMs && cause === 'no answer',
    ),
  );
  await tool.stop(agent);
});

posixTest('frames of a camera are counted by their names, and a number that is missing is a lost frame', async () => {
  const images = tempFolder('camera');
  const tool = new LogAgent({
    url: 'embedded',
    key: '',
    sources: [
      `{ id: rheed, kind: rheed, counter: { type: images, path: '${images}', match: 'run_{frame}.bmp' }, fps_capture_rate: 30 }`,
    ],
  });
  const agent = await tool.start();
  await tool.until('the camera is watched', ({ sources }) =>
    sources.some(({ id, state }) => id === 'rheed' && state === 'running'),
  );
  const write = (from: number, to: number, missing = 0) => {
    for (let n = from; n <= to; n++) {
      if (n !== missing) writeFileSync(join(images, `run_${String(n).padStart(5, '0')}.bmp`), `frame ${n}`);
    }
  };
  const out = join(tool.data, 'frames.csv');
  const exported = async () => {
    const stream = (await tool.status()).streams.find(({ sourceId }) => sourceId === 'rheed');
    if (!stream) return '';
    rmSync(out, { force: true });
    await runHere(['export', '--data', tool.data, '--stream', stream.name, '--out', out]);
    return readFileSync(out, 'utf8');
  };
  write(1, 10);
  await expect.poll(exported).toContain(',frames counted,,10,');
  write(11, 40, 17);
  await expect.poll(exported).toMatch(/,frames counted,,39,[\s\S]*,frames lost,,1,/);
  await tool.stop(agent);
});
