// A camera as a process of its own: reads a plan from standard input, plays it, and says what it did. One that talks on a port
// says which, and plays once it is told that somebody listens.
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { type CameraPlan, playCamera } from '../rheed/camera-player.ts';

const say = (answer: object) => process.stdout.write(`${JSON.stringify(answer)}\n`);

async function untilMs(timeMs: number): Promise<void> {
  const leftMs = timeMs - Date.now();
  if (leftMs > 0) await setTimeout(leftMs);
}

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
for (let line = await lines.next(); !line.done; line = await lines.next()) {
  const { zone, ...plan } = JSON.parse(line.value) as CameraPlan & { zone?: string };
  const toLocal = (timeMs: number) => {
    const parts = Object.fromEntries(
      new Intl.DateTimeFormat('en-CA', {
        timeZone: zone ?? 'UTC',
        dateStyle: 'short',
        timeStyle: 'medium',
        hourCycle: 'h23',
      })
        .formatToParts(timeMs)
        .map(({ type, value }) => [type, value]),
    ) as Record<string, string>;
    const { year, month, day, hour, minute, second } = parts;
    return new Date(Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) + (Math.floor(timeMs) % 1000));
  };
  const isHeard = plan.kind === 'port' ? lines.next() : null;
  const onListening = (port: number) => say({ port });
  const truth = await playCamera({ ...plan, toLocal, onListening }, async (timeMs) => {
    await isHeard;
    await untilMs(timeMs);
  });
  say({ truth });
}
