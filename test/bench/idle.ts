// An agent with nothing to read: `npm run bench -- idle [seconds]` (60), after `npm run build`, on Linux. The built program, a log
// folder with one file that rests, a service that is there and gets nothing. What the system counts of the process is read
// from outside, so no probe in it wakes it: processor time, memory, and how often each thread went to sleep of itself.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { inFolder, MeasuredAgent, Sink, tableLine } from './parts/rig.ts';
import { writeLog } from './parts/write-log.ts';

const ROWS = 100;
const COLUMNS = 20;
/** Until nothing is left to do and the folder counts as quiet, milliseconds. */
const SETTLE_MS = 70_000;
/** Of processor time in /proc, on every Linux of today. */
const TICKS_PER_SECOND = 100;
const seconds = Number(process.argv[2] ?? 60);

/** Threads by the names that Node gives them. */
const THREADS = {
  main: 'MainThread',
  store: 'WorkerThread',
  'files and names': 'libuv-worker',
  engine: 'V8Worker',
} as const;

interface Look {
  readonly cpuS: number;
  readonly rssMb: number;
  /** How often threads of a name went to sleep of themselves since they began. */
  readonly waits: ReadonlyMap<string, number>;
}

/** What Linux counts of a process. */
function look(pid: number): Look {
  const ticks = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const waits = new Map<string, number>();
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const status = readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8');
    const name = /^Name:\s*(.*)$/m.exec(status)?.[1] ?? '';
    waits.set(name, (waits.get(name) ?? 0) + Number(/^voluntary_ctxt_switches:\s*(\d+)/m.exec(status)?.[1]));
  }
  return {
    cpuS: (Number(ticks[11]) + Number(ticks[12])) / TICKS_PER_SECOND,
    rssMb: (Number(/^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024) / 1e6,
    waits,
  };
}

await inFolder(async (folder) => {
  const logs = join(folder, 'logs');
  await writeLog(join(logs, 'rests.csv'), COLUMNS, ROWS);
  const sink = await Sink.start();
  const agent = await MeasuredAgent.start({ folder, url: sink.url, logs, pointsPerChunk: 1000 }, 'run');
  try {
    const pid = agent.child.pid as number;
    await setTimeout(SETTLE_MS);
    const before = look(pid);
    await setTimeout(seconds * 1000);
    const after = look(pid);
    const names = Object.keys(THREADS);
    const wakeUps = Object.values(THREADS).map(
      (name) => ((after.waits.get(name) ?? 0) - (before.waits.get(name) ?? 0)) / seconds,
    );
    console.log(tableLine('CPU, of one core', 'RSS MB', ...names.map((name) => `wake-ups a second, ${name}`)));
    console.log(tableLine(...Array.from({ length: 2 + names.length }, () => '---')));
    const percent = (100 * (after.cpuS - before.cpuS)) / seconds;
    console.log(
      tableLine(`${percent.toFixed(2)} %`, after.rssMb.toFixed(0), ...wakeUps.map((count) => count.toFixed(1))),
    );
    console.log(JSON.stringify({ percent, rssMb: after.rssMb, wakeUps }));
  } finally {
    await Promise.all([agent.end(), sink.end()]);
  }
});
