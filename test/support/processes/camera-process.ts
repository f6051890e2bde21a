// A camera as a process of its own: reads a plan from standard input, says when it is ready, plays it when told, and says
// what it did.
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { type CameraPlan, playCamera } from '../../../src-main/sources/simulator/camera-player.ts';

const say = (answer: object) => process.stdout.write(`${JSON.stringify(answer)}\n`);

async function untilMs(timeMs: number): Promise<void> {
  const leftMs = timeMs - Date.now();
  if (leftMs > 0) await setTimeout(leftMs);
}

for await (const line of createInterface({ input: process.stdin })) {
  const { zone, ...plan } = JSON.parse(line) as CameraPlan & { zone?: string };
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
  // A port must be open before anybody can listen to it, and whoever starts this may be busy.
  const opened = Promise.withResolvers<void>();
  if (plan.kind !== 'port') opened.resolve();
  const onListening = (port: number) => {
    say({ port });
    setTimeout(3000).then(opened.resolve, opened.reject);
  };
  const truth = await playCamera({ ...plan, toLocal, onListening }, async (timeMs) => {
    await opened.promise;
    await untilMs(timeMs);
  });
  say({ truth });
}
