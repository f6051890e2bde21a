// One schedule, one life of a log source: a writer acts between any two calls of its looks, it is killed and started again.
// What it stored is for follow-judge.ts.
import { compileMatch } from '../../src-main/sources/log/files/folder-scan.ts';
import { isFilePosition } from '../../src-main/sources/log/files/watched-file.ts';
import { openLogSource } from '../../src-main/sources/log/log-source.ts';
import type { Capture, SourceSink } from '../../src-main/sources/source.ts';
import { type Fault, FollowJudge, type Gap } from './follow-judge.ts';
import type { Deed, Planned, Schedule } from './follow-schedule.ts';
import { FollowWriter, linesOf } from './follow-writer.ts';
import { failed, SimulatedFiles } from './simulated-files.ts';

/** Looks after the last deed: what waits for two seconds or for a tick is settled by then. */
const LAST_LOOKS = 5;
const CALL_MS = 0.05;
/** Of an ordinary life: what a call takes, the time between two rotations or saves, and how long a killed reader is away, ms. */
const ORDINARY_CALL_MS = 0.01;
const APART_MS = 200;
const AWAY_MS = 1000;
const CHANGES = [
  'rotate',
  'rotate-busy',
  'rotate-often',
  'save-as',
  'recreate',
  'rewrite',
  'restart',
  'copy',
  'restore',
  'hold',
];
/** Parts in which time passes between two looks. */
const PARTS = 10;
/** A sleep of this length or more is one between two looks. */
const PAUSE_MS = 400;
/** How long the looks of a pause and those at the end lie apart: what waits two seconds is settled by the next. */
const LONG_MS = 2100;
const PAUSE_LOOKS = 3;
/** A reader that has not come to its end by then never does. */
const CALLS_MAX = 100_000;

export interface FollowResult {
  readonly faults: readonly Fault[];
  /** Lines that were stored. */
  readonly delivered: number;
  readonly gaps: readonly Gap[];
  /** What happened, line by line; empty unless it was asked for. */
  readonly story: readonly string[];
}

class Killed extends Error {}

/** Lets time pass by calls and by sleeps, and makes the steps of the writer when they are due. */
class World {
  /** Not at the beginning of a second: a time there looks like one that is counted in whole seconds. */
  nowMs = Date.UTC(2026, 10, 20) + 137;
  calls = 0;
  looks = 0;
  isDead = false;
  isOver = false;
  readonly story: string[] | null;
  readonly files: SimulatedFiles;
  readonly writer: FollowWriter;
  readonly judge: FollowJudge;
  readonly positions = new Map<string, string>();
  #abort = new AbortController();
  /** Steps that wait, the next first, each due so many calls after the former. */
  readonly #steps: { after: number; name: string; make: () => void; isChange?: boolean; isRest?: boolean }[] = [];
  readonly #isOrdinary: boolean;
  /** When the last rotation or save was made. */
  #changedMs = Number.NEGATIVE_INFINITY;
  /** Told, and not on disk before the next commit. */
  #gaps: Gap[] = [];
  #failWith = '';
  #looksLeft = LAST_LOOKS;
  #longLooks = 0;
  readonly #isMatch: (name: string) => boolean;

  constructor(schedule: Schedule, isTold: boolean) {
    const { tickMs, match, deeds, isRenumbering, isBackward, isOrdinary = false } = schedule;
    this.#isOrdinary = isOrdinary;
    this.story = isTold ? [] : null;
    this.#isMatch = compileMatch(match);
    this.files = new SimulatedFiles(() => this.nowMs, tickMs);
    this.files.isRenumbering = isRenumbering ?? false;
    this.files.isBackward = isBackward ?? false;
    this.writer = new FollowWriter(this.files, schedule, () => this.nowMs);
    this.judge = new FollowJudge(this.files, this.writer, this.#isMatch);
    this.files.beforeCall = (call, path) => this.#beforeCall(call, path);
    this.files.onEnd = (stream) => this.judge.noteEnd(stream, this.nowMs);
    for (const deed of deeds) this.#plan(deed);
  }

  #plan(planned: Planned): void {
    const { after, ...deed } = planned;
    const last = after.at(-1) ?? 0;
    const own = this.#ownStep(deed);
    if (own !== null) {
      this.#steps.push({ after: after[0] ?? last, name: JSON.stringify(deed), make: own });
      return;
    }
    // How many steps there are shows only when its turn has come.
    const isChange = CHANGES.includes(deed.do);
    const begin = () => {
      const steps = this.writer.stepsOf(deed);
      this.#steps.unshift(
        ...steps.map((make, n) => ({
          after: after[n + 1] ?? last,
          name: `${deed.do} ${n + 1} of ${steps.length}`,
          isRest: isChange,
          make: () => {
            if (isChange) this.#changedMs = this.nowMs;
            make();
          },
        })),
      );
    };
    this.#steps.push({ after: after[0] ?? last, name: '', make: begin, isChange });
  }

  #ownStep(deed: Deed): (() => void) | null {
    if (deed.do === 'kill') {
      return () => {
        this.isDead = true;
        this.#gaps = [];
        this.#abort.abort();
      };
    }
    if (deed.do === 'fail') {
      return () => {
        this.#failWith = deed.code;
      };
    }
    // Nothing for some looks: what was taken for settled may go on.
    if (deed.do === 'pause') {
      return () => {
        this.#longLooks = PAUSE_LOOKS;
      };
    }
    return null;
  }

  #beforeCall(call: string, path: string): void {
    this.calls += 1;
    this.nowMs += this.#isOrdinary ? ORDINARY_CALL_MS : CALL_MS;
    if (this.isDead) throw new Killed('killed');
    if (this.calls > CALLS_MAX) throw new Error('no end');
    this.#makeSteps(1);
    this.story?.push(`  ${call} ${path.slice(this.files.root.length + 1)}`);
    if (this.isDead) throw new Killed('killed');
    if (this.#failWith === '' || call === 'store') return;
    const code = this.#failWith;
    this.#failWith = '';
    this.judge.noteCallFailed();
    throw failed(code);
  }

  #makeSteps(calls: number): void {
    if (this.#longLooks > 0) return;
    const [next] = this.#steps;
    if (next !== undefined) next.after -= calls;
    while (this.#steps[0] !== undefined && this.#steps[0].after <= 0) {
      const isEarly = this.#isOrdinary && this.nowMs < this.#changedMs + APART_MS;
      if (isEarly && this.#steps[0].isChange) return;
      const step = this.#steps.shift();
      if (step?.name) this.story?.push(step.name);
      step?.make();
      if (this.#longLooks > 0) return;
    }
  }

  /** Stores what is handed over: whole, together with its positions, and no gap later than the positions that follow it. */
  get #sink(): SourceSink {
    return {
      positions: async () => new Map(this.positions),
      declare: () => undefined,
      note: ({ message }) => this.story?.push(`  says ${message}`),
      capture: async (capture) => this.#store(capture),
      gap: (fromMs, toMs, cause) => {
        this.story?.push(`  gap from ${fromMs} to ${toMs}: ${cause}`);
        this.#gaps.push({ fromMs, toMs, cause });
      },
    };
  }

  #store(capture: Capture): void {
    this.#beforeCall('store', this.files.root);
    this.story?.push(
      ...capture.blocks.map(({ values }) => `  stored: ${[...values].join(' ')}`),
      ...capture.positions.flatMap(({ key, value }) => (isFilePosition(key) ? [`  position ${told(key, value)}`] : [])),
    );
    this.#storeGaps();
    for (const { key, value } of capture.positions) {
      if (value === '') this.positions.delete(key);
      else this.positions.set(key, value);
    }
    this.judge.noteStored(capture, this.nowMs);
  }

  #storeGaps(): void {
    for (const gap of this.#gaps.splice(0)) this.judge.noteGap(gap);
  }

  /** Run until killed or over. */
  async run(match: string): Promise<void> {
    this.#abort = new AbortController();
    this.isDead = false;
    const { files } = this;
    const source = openLogSource({
      ...{ id: 'log', path: files.root, match, dialect: 'auto', timeZone: 'UTC', backfill: 'all', files },
      clock: {
        nowMs: () => this.nowMs,
        monotonicMs: () => this.nowMs,
        sleep: async (durationMs) => {
          if (durationMs >= PAUSE_MS) this.#pause(durationMs);
          else this.nowMs += durationMs;
        },
      },
    });
    this.judge.noteLookBegins();
    try {
      await source.run(this.#sink, this.#abort.signal);
    } catch (thrown) {
      if (!(thrown instanceof Killed || this.isDead)) this.#noteFailure(thrown);
    }
    if (this.isDead) {
      this.story?.push('killed');
      // The tool goes on while nobody reads.
      this.#longLooks = 0;
      if (this.#isOrdinary) this.#passOrdinary(AWAY_MS, 40);
      else this.#makeSteps(40);
    } else this.#storeGaps();
  }

  #noteFailure(thrown: unknown): void {
    const { code, retry } = thrown as { code?: string; retry?: string };
    this.nowMs += 1000;
    this.#longLooks = 0;
    this.#makeSteps(5);
    if (retry === 'later') return;
    this.judge.fault('failure', `${code ?? ''} ${String((thrown as Error).stack)}`);
    this.isOver = true;
  }

  /** Time passes between two looks; a rotation that was begun is over in milliseconds. */
  #passOrdinary(durationMs: number, calls: number): void {
    this.#endBegun();
    for (let n = 0; n < PARTS; n++) {
      this.nowMs += durationMs / PARTS;
      this.#makeSteps(calls / PARTS);
      this.#endBegun();
    }
  }

  #endBegun(): void {
    while (this.#steps[0]?.isRest) this.#makeSteps(this.#steps[0].after);
  }

  /** Between two looks. */
  #pause(durationMs: number): void {
    if (this.looks === 0) {
      const beside = this.files.names.filter((name) => !this.#isMatch(name));
      for (const name of beside) for (const line of linesOf(this.files.text(name))) this.judge.beside.add(line);
    }
    this.looks += 1;
    this.story?.push(`look over at ${this.nowMs}`);
    this.#storeGaps();
    this.judge.noteLookOver(this.nowMs);
    const isLong = this.#longLooks > 0;
    if (!this.#isOrdinary || isLong) this.nowMs += durationMs;
    if (isLong) this.#longLooks -= 1;
    else if (this.#isOrdinary) this.#passOrdinary(durationMs, 5);
    else this.#makeSteps(5);
    const isIdle = !isLong && this.#steps.length === 0;
    if (isLong || isIdle) this.nowMs += LONG_MS;
    this.judge.noteLookBegins();
    if (!isIdle) return;
    this.#looksLeft -= 1;
    if (this.#looksLeft > 0) return;
    this.isOver = true;
    this.#abort.abort();
  }
}

function told(key: string, value: string): string {
  if (value === '') return `${key} dropped`;
  const { path, byte, copyOf, goneMs } = JSON.parse(value) as Record<string, unknown>;
  return `${key} is ${path}, read to ${byte}, repeats ${copyOf}, gone ${goneMs !== null}`;
}

/** Live through a schedule. */
export async function follow(schedule: Schedule, { isTold = false } = {}): Promise<FollowResult> {
  const world = new World(schedule, isTold);
  while (!world.isOver) await world.run(schedule.match);
  const { writer, judge, positions, files, story } = world;
  judge.judge(positions);
  if (story !== null) {
    for (const name of files.names) story.push(`${name} holds ${linesOf(files.text(name)).join(' ')}`);
    for (const [line, atMs] of writer.written) story.push(`${line} was written at ${atMs}`);
    for (const [key, value] of positions) if (isFilePosition(key)) story.push(told(key, value));
    for (const { kind, what } of judge.faults) story.push(`${kind}: ${what}`);
  }
  return { faults: judge.faults, delivered: judge.storedCount, gaps: judge.gaps, story: story ?? [] };
}

/** The shortest schedule that still fails in the same way, found by leaving deeds out and by making waits 0. */
export async function shrink(schedule: Schedule): Promise<Schedule> {
  const kind = (await follow(schedule)).faults[0]?.kind;
  const fails = async (one: Schedule) => (await follow(one)).faults.some((fault) => fault.kind === kind);
  let best = schedule;
  for (let isShorter = true; isShorter; ) {
    isShorter = false;
    const fewer = best.deeds.map((_, at) => ({ ...best, deeds: best.deeds.filter((_deed, n) => n !== at) }));
    const sooner = best.deeds.flatMap((deed, at) =>
      deed.after.flatMap((calls, wait) => {
        if (calls === 0) return [];
        const after = deed.after.map((one, n) => (n === wait ? 0 : one));
        return [{ ...best, deeds: best.deeds.map((one, n) => (n === at ? { ...one, after } : one)) }];
      }),
    );
    for (const one of [...fewer, ...sooner]) {
      if (!(await fails(one))) continue;
      best = one;
      isShorter = true;
      break;
    }
  }
  return best;
}
