// One schedule, one life of a log source: a writer acts between any two calls of its looks, it is killed and started again.
// At the end the lines are counted: each that stood whole in a file at the end came once; one that was destroyed came once or
// lies in a named gap; a writer that keeps what it wrote long enough causes no gap.
import { compileMatch } from '../../src-main/sources/log/folder-scan.ts';
import { openLogSource } from '../../src-main/sources/log/log-source.ts';
import { isFilePosition } from '../../src-main/sources/log/watched-file.ts';
import type { Capture } from '../../src-main/sources/source.ts';
import { MemorySink } from '../support/log-sink.ts';
import { type Deed, FollowWriter, linesOf, type Planned, type Schedule } from './follow-schedule.ts';
import { failed, SimulatedFiles } from './simulated-files.ts';

/** Looks after the last deed: what waits for two seconds or for a tick is settled by then. */
const LAST_LOOKS = 8;
const CALL_MS = 0.05;
const PAUSE_MS = 400;
/** A reader that has not come to its end by then never does. */
const CALLS_MAX = 200_000;

export interface FollowResult {
  readonly lost: readonly number[];
  readonly doubled: readonly number[];
  /** Destroyed before they were read, and in no gap. */
  readonly silent: readonly number[];
  /** Gaps although nothing was destroyed. */
  readonly needless: readonly string[];
  /** What ended the reader for good; empty: nothing did. */
  readonly failure: string;
  readonly delivered: number;
  readonly story: readonly string[];
}

export function isSound({ lost, doubled, silent, needless, failure }: FollowResult): boolean {
  return lost.length + doubled.length + silent.length + needless.length === 0 && failure === '';
}

class Killed extends Error {}

/** Lets time pass by calls and by sleeps, and makes the steps of the writer when they are due. */
class World {
  nowMs = Date.UTC(2026, 10, 20);
  calls = 0;
  looks = 0;
  isDead = false;
  readonly story: string[] = [];
  readonly files: SimulatedFiles;
  readonly writer: FollowWriter;
  readonly sink = new MemorySink();
  #abort = new AbortController();
  /** Steps that wait, the next first, each due so many calls after the former. */
  readonly #steps: { after: number; name: string; make: () => void }[] = [];
  #failWith = '';
  #looksLeft = LAST_LOOKS;
  isOver = false;
  /** Lines that were destroyed with a file of which the reader had read lines before: it could know. */
  readonly exposed = new Set<number>();
  /** Lines that stood under names which the match leaves out before a look had seen any log: nobody asked for them. */
  readonly beside = new Set<number>();
  readonly #isMatch: (name: string) => boolean;

  constructor({ style, tickMs, match, deeds, isRenumbering = false }: Schedule) {
    this.#isMatch = compileMatch(match);
    this.files = new SimulatedFiles(() => this.nowMs, tickMs);
    this.files.isRenumbering = isRenumbering;
    this.writer = new FollowWriter(this.files, style, () => this.nowMs);
    this.files.beforeCall = (call, path) => this.#beforeCall(call, path);
    this.files.onDestroyed = (text) => this.#noteDestroyed(text);
    for (const deed of deeds) this.#plan(deed);
    this.sink.beforeCapture = (capture) => this.#tell(capture);
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
    const begin = () => {
      const steps = this.writer.stepsOf(deed);
      this.#steps.unshift(
        ...steps.map((make, n) => ({
          after: after[n + 1] ?? last,
          name: `${deed.do} ${n + 1} of ${steps.length}`,
          make,
        })),
      );
    };
    this.#steps.push({ after: after[0] ?? last, name: '', make: begin });
  }

  #ownStep(deed: Deed): (() => void) | null {
    if (deed.do === 'kill') {
      return () => {
        this.isDead = true;
        this.#abort.abort();
      };
    }
    if (deed.do === 'fail') {
      return () => {
        this.#failWith = deed.code;
      };
    }
    // Nothing for some looks: what was taken for settled may go on.
    if (deed.do === 'pause') return () => this.#steps.unshift({ after: 150, name: '', make: () => undefined });
    return null;
  }

  #beforeCall(call: string, path: string): void {
    this.calls += 1;
    this.nowMs += CALL_MS;
    if (this.isDead) throw new Killed('killed');
    if (this.calls > CALLS_MAX) throw new Error('no end');
    this.#makeSteps(1);
    this.story.push(`  ${call} ${path.slice(this.files.root.length + 1)}`);
    if (this.isDead) throw new Killed('killed');
    const code = this.#failWith;
    this.#failWith = '';
    if (code !== '') throw failed(code);
  }

  #makeSteps(calls: number): void {
    const [next] = this.#steps;
    if (next !== undefined) next.after -= calls;
    while (this.#steps[0] !== undefined && this.#steps[0].after <= 0) {
      const step = this.#steps.shift();
      if (step?.name) this.story.push(step.name);
      step?.make();
    }
  }

  get delivered(): Map<number, number> {
    const count = new Map<number, number>();
    for (const channel of this.sink.channels) {
      for (const value of this.sink.values(channel)) count.set(value, (count.get(value) ?? 0) + 1);
    }
    return count;
  }

  #noteDestroyed(text: string): void {
    const { standing } = this.writer;
    const lines = linesOf(text);
    const { delivered } = this;
    const isKnown = lines.some((line) => delivered.has(line));
    if (isKnown) for (const line of lines) if (!standing.has(line)) this.exposed.add(line);
  }

  #tell(capture: Capture): void {
    if (this.isDead) throw new Killed('killed');
    const values = capture.blocks.flatMap((block) => [...block.values]);
    this.story.push(`  read ${capture.file}: ${values.join(' ')}`);
  }

  /** Run until killed or over. */
  async run(match: string): Promise<string> {
    this.#abort = new AbortController();
    this.isDead = false;
    const { files } = this;
    const source = openLogSource({
      ...{ id: 'log', path: files.root, match, dialect: 'auto', timeZone: 'UTC', backfill: 'all', files },
      clock: {
        nowMs: () => this.nowMs,
        monotonicMs: () => this.nowMs,
        sleep: async (durationMs) => {
          this.nowMs += durationMs;
          if (durationMs >= PAUSE_MS) this.#pause();
        },
      },
    });
    try {
      await source.run(this.sink, this.#abort.signal);
      return '';
    } catch (thrown) {
      if (thrown instanceof Killed || this.isDead) {
        this.story.push('killed');
        // The tool goes on while nobody reads.
        this.#makeSteps(40);
        return '';
      }
      const { code, retry } = thrown as { code?: string; retry?: string };
      this.nowMs += 1000;
      this.#makeSteps(5);
      if (retry === 'later') return '';
      return `${code ?? ''} ${String((thrown as Error).stack)}`;
    }
  }

  /** Between two looks. */
  #pause(): void {
    if (this.looks === 0) {
      const beside = this.files.names.filter((name) => !this.#isMatch(name));
      for (const name of beside) for (const line of linesOf(this.files.text(name))) this.beside.add(line);
    }
    this.looks += 1;
    this.story.push('look over');
    this.#makeSteps(5);
    if (this.#steps.length > 0) return;
    this.#looksLeft -= 1;
    if (this.#looksLeft > 0) return;
    this.isOver = true;
    this.#abort.abort();
  }
}

/** Live through a schedule. */
export async function follow(schedule: Schedule): Promise<FollowResult> {
  const world = new World(schedule);
  let failure = '';
  while (!world.isOver && failure === '') failure = await world.run(schedule.match);
  const { writer, sink, story, exposed, beside, delivered } = world;
  for (const name of world.files.names) story.push(`${name} holds ${linesOf(world.files.text(name)).join(' ')}`);
  for (const { fromMs, toMs, cause } of sink.gaps) story.push(`gap from ${fromMs} to ${toMs}: ${cause}`);
  for (const [line, atMs] of writer.written) if (!delivered.has(line)) story.push(`${line} was written at ${atMs}`);
  for (const [key, value] of sink.kept) {
    if (!isFilePosition(key)) continue;
    const { path, byte, copyOf, goneMs } = JSON.parse(value) as Record<string, unknown>;
    story.push(`${key} is ${path}, read to ${byte}, repeats ${copyOf}, gone ${goneMs !== null}`);
  }
  const { standing, unfinished } = writer;
  const isTold = (line: number) => {
    const atMs = writer.written.get(line) ?? 0;
    return sink.gaps.some(({ fromMs, toMs }) => fromMs <= atMs && atMs <= toMs);
  };
  // A file that another program holds at the wrong moment may have been lost, for all that can be told.
  const isFailing = schedule.deeds.some((deed) => deed.do === 'fail');
  const unread = [...writer.written.keys()].filter((line) => !delivered.has(line));
  const isAllThere = [...writer.written.keys()].every((line) => standing.has(line) || line === unfinished);
  return {
    lost: unread.filter((line) => standing.has(line) && !beside.has(line)),
    doubled: [...delivered].filter(([line, times]) => times > 1 && !writer.restored.has(line)).map(([line]) => line),
    silent: unread.filter(
      (line) => exposed.has(line) && !writer.restored.has(line) && !standing.has(line) && !isTold(line),
    ),
    needless: !isAllThere || schedule.style === 'any' || isFailing ? [] : sink.gaps.map(({ cause }) => cause),
    failure,
    delivered: delivered.size,
    story,
  };
}

/** The shortest schedule that still fails, found by leaving deeds out and by making waits 0. */
export async function shrink(schedule: Schedule): Promise<Schedule> {
  let best = schedule;
  for (let isShorter = true; isShorter; ) {
    isShorter = false;
    for (let at = 0; at < best.deeds.length; at++) {
      const fewer = { ...best, deeds: best.deeds.filter((_, n) => n !== at) };
      if (isSound(await follow(fewer))) continue;
      best = fewer;
      isShorter = true;
      break;
    }
  }
  return best;
}
