// Many schedules of a writer and a reader: npm run follow -- --class ordinary --schedules 100000 --seed 1
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { CLASSES } from './follow-classes.ts';
import type { Schedule } from './follow-schedule.ts';
import { rememberLayouts } from './remember-layouts.ts';

rememberLayouts();
const { follow, shrink } = await import('./follow.ts');

const SHOWN = 30;
/** Schedules that a thread takes at once. */
const SHARE = 100;

interface Task {
  readonly from: number;
  readonly to: number;
  readonly kind: string;
}

interface Failure {
  readonly number: number;
  readonly kind: string;
  readonly what: string;
}

interface Done {
  readonly delivered: number;
  readonly failures: readonly Failure[];
}

function scheduleOf(number: number, kind: string): Schedule {
  const draw = CLASSES[kind];
  if (draw === undefined) throw new Error(`There is no class ${kind}: ${Object.keys(CLASSES).join(', ')}.`);
  return draw(number);
}

async function work({ from, to, kind: name }: Task): Promise<Done> {
  const failures: Failure[] = [];
  let delivered = 0;
  for (let number = from; number < to; number++) {
    const schedule = scheduleOf(number, name);
    const result = await follow(schedule);
    delivered += result.delivered;
    const [fault] = result.faults;
    if (fault === undefined) continue;
    const kind = `${fault.kind} ${schedule.style} ${schedule.match}`;
    failures.push({ number, kind, what: result.faults.map((one) => `${one.kind}: ${one.what}`).join('; ') });
  }
  return { delivered, failures };
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      schedules: { type: 'string', default: '10000' },
      seed: { type: 'string', default: '1' },
      threads: { type: 'string', default: String(availableParallelism()) },
      class: { type: 'string', default: 'hostile' },
      minutes: { type: 'string', default: 'Infinity' },
      story: { type: 'boolean', default: false },
    },
  });
  const { class: kind } = values;
  const first = Number(values.seed);
  const end = first + Number(values.schedules);
  const beganMs = performance.now();
  let [next, delivered, failed, shown] = [first, 0, 0, 0];
  const kinds: Record<string, number> = {};
  const take = (): Task | null => {
    if (next >= end || performance.now() - beganMs > Number(values.minutes) * 60_000) return null;
    const from = next;
    next = Math.min(next + SHARE, end);
    return { from, to: next, kind };
  };
  /** The first of each kind. */
  const told = new Map<string, number>();
  const note = (done: Done) => {
    delivered += done.delivered;
    for (const { number, kind: fault, what } of done.failures) {
      failed += 1;
      kinds[fault] = (kinds[fault] ?? 0) + 1;
      const [one = ''] = fault.split(' ');
      if (!told.has(one)) told.set(one, number);
      if (shown >= SHOWN) continue;
      shown += 1;
      console.log(`seed ${number}: ${what}`);
    }
  };
  await Promise.all(Array.from({ length: Number(values.threads) }, () => runThread(take, note)));
  for (const number of values.story ? told.values() : []) {
    const short = await shrink(scheduleOf(number, kind));
    console.log(JSON.stringify(short));
    console.log((await follow(short, { isTold: true })).story.join('\n'));
  }
  const seconds = ((performance.now() - beganMs) / 1000).toFixed(0);
  const what = `${next - first} ${kind} schedules from ${first}`;
  console.log(`${what}: ${delivered} lines stored, ${failed} failed, ${seconds} s`);
  console.log(kinds);
  process.exitCode = failed > 0 ? 1 : 0;
}

/** One thread lives through shares until there are none left. */
async function runThread(take: () => Task | null, note: (done: Done) => void): Promise<void> {
  const worker = new Worker(new URL(import.meta.url), { workerData: 'follow' });
  const failed = once(worker, 'error').then(([error]) => Promise.reject(error));
  try {
    for (let task = take(); task !== null; task = take()) {
      worker.postMessage(task);
      const [done] = await Promise.race([once(worker, 'message'), failed]);
      note(done as Done);
    }
  } finally {
    await worker.terminate();
  }
}

if (isMainThread) await main();
else if (workerData === 'follow') {
  parentPort?.on('message', async (task: Task) => parentPort?.postMessage(await work(task)));
}
