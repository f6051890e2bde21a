// The writer as a process: `writer.ts` says `ready`, waits for one line `{"path", "seed", "captures", "reserveBytes"}`, and
// prints the number of rows stored after each commit. What the store refuses goes to the error channel.
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { writeRows } from './write-rows.ts';

const lines = createInterface({ input: process.stdin });
lines.once('line', (line) => {
  const { path, seed, captures, reserveBytes } = JSON.parse(line) as {
    path: string;
    seed: number;
    captures: number | null;
    reserveBytes?: number;
  };
  writeRows(path, {
    seed,
    captures: captures ?? Number.POSITIVE_INFINITY,
    ...(reserveBytes === undefined ? {} : { reserveBytes }),
    onStored: (rows) => writeSync(1, `${rows}\n`),
    onRefused: (error) => writeSync(2, `${error?.code ?? 'well'}\n`),
  }).then(
    () => process.exit(0),
    (error: unknown) => {
      writeSync(2, `${(error as { code?: string }).code ?? ''} ${error instanceof Error ? error.message : error}\n`);
      process.exit(1);
    },
  );
});
writeSync(1, 'ready\n');
