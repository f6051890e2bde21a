// A log source in a process of its own, so that faults can be put between it and the disk, and its handles be counted. It
// does one thing for each line of JSON on its standard input, and answers with all that it has read so far.
import { readdirSync, readlinkSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { LogSourceOptions } from '../../../src-main/sources/log/log-source.ts';
import { LogReader } from '../logs/log-reader.ts';
import type { ReaderDeed, ReaderReport } from './reader-process.ts';

const options = JSON.parse(process.argv[2] ?? '') as LogSourceOptions;
const reader = new LogReader(options);

/** Handles of this process on files below the folder of the logs. */
function openHandles(): string[] {
  const handles: string[] = [];
  for (const fd of readdirSync('/proc/self/fd')) {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`);
      if (path.startsWith(`${options.path}/`)) handles.push(path);
    } catch {
      // The handle that listed the handles is gone by now.
    }
  }
  return handles;
}

function report(): ReaderReport {
  const { sink } = reader;
  return {
    values: Object.fromEntries(sink.channels.map((channel) => [channel, sink.values(channel)])),
    notes: Object.fromEntries([...sink.notes].map(([code, { level, message }]) => [code, { level, message }])),
    gaps: sink.gaps.map(({ cause }) => cause),
    failure: reader.failure instanceof Error ? reader.failure.message : null,
    handles: openHandles(),
  };
}

for await (const line of createInterface({ input: process.stdin })) {
  const deed = JSON.parse(line) as ReaderDeed;
  if (deed.do === 'look') await reader.look(deed.passedMs).catch(() => undefined);
  else if (deed.do === 'use') reader.use(deed.options);
  else await reader.kill();
  process.stdout.write(`${JSON.stringify(report())}\n`);
}
await reader.kill();
