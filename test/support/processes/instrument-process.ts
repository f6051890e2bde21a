// Instruments as a process of their own, each behind a pseudo-terminal, answering as their transcripts say. Reads the names of
// the transcripts (JSON, one line) from standard input, says the ports (JSON, one line), and ends with its input.
import { createInterface } from 'node:readline';
import { setInterval } from 'node:timers';
import { InstrumentEmulator } from '../serial/instrument-emulator.ts';
import { Pty } from '../serial/pty.ts';
import { readTranscript } from '../serial/transcript.ts';

/** Who talks by itself says a frame so often, milliseconds. */
const FRAME_MS = 100;

const lines = createInterface({ input: process.stdin });
const [first] = (await new Promise<string[]>((resolve) => lines.once('line', (line) => resolve([line])))) as [string];
const running: { emulator: InstrumentEmulator; pty: Pty }[] = [];
for (const name of JSON.parse(first) as string[]) {
  const [one] = readTranscript(name).cases;
  if (!one) throw new Error(`${name} has no transcript`);
  const emulator = await InstrumentEmulator.start(one.talk);
  const pty = await Pty.plug(emulator.tcpPort);
  running.push({ emulator, pty });
  if (one.unasked.length > 0) setInterval(() => one.unasked.forEach((bytes) => void emulator.send(bytes)), FRAME_MS);
}
process.stdout.write(`${JSON.stringify(running.map(({ pty }) => pty.path))}\n`);
lines.once('close', async () => {
  for (const { emulator, pty } of running) {
    await pty.remove();
    await emulator.stop();
  }
  process.exit(0);
});
