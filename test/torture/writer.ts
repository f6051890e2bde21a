// The writer as a process: it says `ready`, waits for one line, a `Job` of writer-process.ts, and prints the number of rows
// stored after each commit. What the store refuses goes to the error channel. With `act: resend` it refuses the chunks of the
// queue and sends them again until it is killed, and prints how often it has done so.
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { resendChunks } from './resend-chunks.ts';
import { writeRows } from './write-rows.ts';
import type { Job } from './writer-process.ts';

const say = (count: number) => writeSync(1, `${count}\n`);

async function run({ act, path, seed, captures, reserveBytes }: Job): Promise<void> {
  if (act === 'resend') return resendChunks(path, say);
  await writeRows(path, {
    seed,
    captures: captures ?? Number.POSITIVE_INFINITY,
    ...(reserveBytes === undefined ? {} : { reserveBytes }),
    onStored: say,
    onRefused: (error) => writeSync(2, `${error?.code ?? 'well'}\n`),
  });
}

const lines = createInterface({ input: process.stdin });
lines.once('line', (line) => {
  run(JSON.parse(line) as Job).then(
    () => process.exit(0),
    (error: unknown) => {
      writeSync(2, `${(error as { code?: string }).code ?? ''} ${error instanceof Error ? error.message : error}\n`);
      process.exit(1);
    },
  );
});
writeSync(1, 'ready\n');
