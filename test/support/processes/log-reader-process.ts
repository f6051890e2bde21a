// A log source in a process of its own, so that faults can be put between it and the disk, and its handles be counted. It
// does one thing for each line of JSON on its standard input, and answers with all that it has read so far.
import { readdirSync, readlinkSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { LogReader } from '../logs/log-reader.ts';
import type { ReaderDeed, ReaderOptions, ReaderReport } from './reader-process.ts';

let path = '';
let reader: LogReader | null = null;

/** Handles of this process on files below the folder of the logs. */
function openHandles(): string[] {
  const handles: string[] = [];
  for (const fd of readdirSync('/proc/self/fd')) {
    try {
      const file = readlinkSync(`/proc/self/fd/${fd}`);
      if (file.startsWith(`${path}/`)) handles.push(file);
    } catch {
      // The handle that listed the handles is gone by now.
    }
  }
  return handles;
}

function report({ sink, failure }: LogReader): ReaderReport {
  return {
    values: Object.fromEntries(sink.channels.map((channel) => [channel, sink.values(channel)])),
    notes: Object.fromEntries([...sink.notes].map(([code, { level, message }]) => [code, { level, message }])),
    gaps: sink.gaps.map(({ cause }) => cause),
    failure: failure instanceof Error ? failure.message : null,
    handles: openHandles(),
  };
}

async function begin(options: ReaderOptions): Promise<LogReader> {
  await reader?.kill();
  path = options.path;
  return new LogReader(options);
}

for await (const line of createInterface({ input: process.stdin })) {
  const deed = JSON.parse(line) as ReaderDeed;
  if (deed.do === 'begin') reader = await begin(deed.options);
  else if (deed.do === 'look') await reader?.look(deed.passedMs).catch(() => undefined);
  else await reader?.kill();
  process.stdout.write(`${JSON.stringify(reader && report(reader))}\n`);
}
await reader?.kill();
