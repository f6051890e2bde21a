// What one appended line enters on its way from its file to the committed row: `npm run bench -- row-path`. A source on its
// thread, the recorder and the queue run from source, nothing else does; V8's precise coverage says, thread by thread, which
// functions were called while a line was appended, again and again. What was called for at least three lines of four is on the
// way; what a timer does now and then is not. EPISTREAM_LIST=1 names the functions.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { dirname, join, relative } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { makeNonce } from '../../src-main/agent/pipeline/nonce.ts';
import { systemClock } from '../../src-main/platform/clock.ts';
import { Recorder } from '../../src-main/queue/recorder/recorder.ts';
import { openStore } from '../../src-main/queue/store/store.ts';
import { openLogReader } from '../../src-main/sources/log/reader/log-reader.ts';
import { superviseSource } from '../../src-main/sources/supervise.ts';
import { growthHeader, growthRow } from './parts/growth-text.ts';
import { inFolder, tableLine } from './parts/rig.ts';

const ROOT = join(import.meta.dirname, '../..');
const LINES = 20;
const SHARE = 3 / 4;
/** Lines before the first that counts: the rhythm of the log is known then. */
const LINES_BEFORE = 20;
/** Between two lines, milliseconds: longer than a look that nothing hints at. */
const LINE_MS = 700;

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly functionName: string;
      readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
    }[];
  }[];
}

/** All threads of this process, asked by the inspector. */
class Threads {
  readonly #session = new Session();
  readonly #workers: string[] = [];
  readonly #answers = new Map<string, (result: unknown) => void>();
  #last = 0;

  static async connect(): Promise<Threads> {
    const threads = new Threads();
    const session = threads.#session;
    session.connect();
    session.on('NodeWorker.attachedToWorker', ({ params }) => threads.#workers.push(params.sessionId));
    session.on('NodeWorker.receivedMessageFromWorker', ({ params: { sessionId, message } }) => {
      const { id, result } = JSON.parse(message);
      threads.#answers.get(`${sessionId} ${id}`)?.(result);
    });
    await session.post('NodeWorker.enable', { waitForDebuggerOnStart: false });
    return threads;
  }

  /** Ask each thread the same. */
  async all(method: 'Profiler.enable' | 'Profiler.takePreciseCoverage'): Promise<unknown[]>;
  async all(method: 'Profiler.startPreciseCoverage', params: { callCount: true; detailed: false }): Promise<unknown[]>;
  async all(method: string, params = {}): Promise<unknown[]> {
    const own = this.#session.post(method, params);
    return Promise.all([own, ...this.#workers.map((worker) => this.#ask(worker, method, params))]);
  }

  async #ask(sessionId: string, method: string, params: object): Promise<unknown> {
    this.#last += 1;
    const id = this.#last;
    const answer = new Promise((resolve) => this.#answers.set(`${sessionId} ${id}`, resolve));
    await this.#session.post('NodeWorker.sendMessageToWorker', {
      sessionId,
      message: JSON.stringify({ id, method, params }),
    });
    return answer;
  }
}

/** Functions of src-main that were called since the last time, as `FILE NAME PLACE`. */
async function called(threads: Threads): Promise<Set<string>> {
  const found = (await threads.all('Profiler.takePreciseCoverage')) as Coverage[];
  const names = found.flatMap(({ result }) =>
    result.flatMap(({ url, functions }) => {
      const file = url.startsWith('file:') ? relative(ROOT, fileURLToPath(url)) : '';
      if (!file.startsWith('src-main/')) return [];
      const entered = functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0);
      return entered.map(
        ({ functionName, ranges }) => `${file} ${functionName || '(no name)'} ${ranges[0]?.startOffset}`,
      );
    }),
  );
  return new Set(names);
}

const fileOf = (name: string) => name.slice(0, name.indexOf(' '));
const row = (room: string, names: readonly string[]) => tableLine(room, names.length, new Set(names.map(fileOf)).size);

await inFolder(async (folder) => {
  const logs = join(folder, 'logs');
  const log = join(logs, 'growth.csv');
  mkdirSync(logs);
  writeFileSync(log, growthHeader());
  const stop = new AbortController();
  const store = await openStore(join(folder, 'queue.db'));
  let committed = Promise.withResolvers<void>();
  const recorder = await Recorder.open({
    store,
    clock: systemClock,
    timeZone: 'UTC',
    toolName: 'bench',
    synthSourceId: null,
    ruleOf: () => ({ pointsPerChunk: 1000, rollover: 'growth', closeAfterQuietMs: null }),
    makeNonce,
    onCommitted: () => committed.resolve(),
    onStoreState: (error) => error && console.error(error),
  });
  const options = { id: 'log', path: logs, match: '*.csv', dialect: 'auto', timeZone: 'UTC', backfill: 'all' } as const;
  const source = superviseSource({
    open: () => openLogReader(options),
    sink: {
      positions: () => store.positions('log'),
      declare: (channels) => recorder.declare('log', channels),
      capture: (capture) => recorder.capture('log', capture),
      note: () => undefined,
      gap: () => undefined,
    },
    clock: systemClock,
    signal: stop.signal,
    onState: () => undefined,
  });
  let lines = 0;
  const append = async () => {
    committed = Promise.withResolvers();
    appendFileSync(log, growthRow(lines++, Date.now()));
    await committed.promise;
  };
  for (; lines < LINES_BEFORE; await setTimeout(LINE_MS)) void append();
  const threads = await Threads.connect();
  await threads.all('Profiler.enable');
  await threads.all('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const times = new Map<string, number>();
  for (let line = 0; line < LINES; line++) {
    await setTimeout(LINE_MS);
    await called(threads);
    await append();
    for (const name of await called(threads)) times.set(name, (times.get(name) ?? 0) + 1);
  }
  stop.abort();
  await source;
  await recorder.end();
  await store.close();
  const way = [...times].filter(([, count]) => count >= SHARE * LINES).map(([name]) => name);
  if (process.env.EPISTREAM_LIST) console.log(`${way.toSorted().join('\n')}\n`);
  console.log(tableLine('room', 'functions', 'files'));
  console.log(tableLine('---', '---', '---'));
  const rooms = Object.groupBy(way.toSorted(), (name) => dirname(fileOf(name)));
  for (const [room, names = []] of Object.entries(rooms)) console.log(row(room, names));
  console.log(row('all', way));
});
