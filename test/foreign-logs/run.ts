// "npm run foreign-logs -- 100000 --all": writes that many foreign logs, reads each, answers each question with each answer
// that it offers, and counts the results by kind. Of each kind of failure the shortest log is printed, with its seed.
// Without `--all` it ends at the first failure, shrunk to the smallest. `--seed N` draws the same logs again, `--kind TEXT`
// tries the kinds whose name has that text, `--why TEXT` prints the failures that have it, `--one LIFE` reads one as printed.
// Exit code 1 where a log was read wrong without a question, or an answer did damage.
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { judgeLog, VERDICTS, type Verdict } from './judge.ts';
import { kindOf, LIVES, type Life, shownLines, writeLife } from './lives.ts';
import type { WrittenLog } from './truth.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    all: { type: 'boolean' },
    kind: { type: 'string' },
    why: { type: 'string' },
    one: { type: 'string' },
  },
});
const wanted = Number(positionals[0] ?? 100_000);
const seed = Number(values.seed ?? Date.now() % 2 ** 31);
const beganMs = performance.now();

/** Logs between two words of how far it has come. */
const TOLD_EVERY = 2000;
/** Lines that are shown of a log, and failures that are shown. */
const LINES = 12;
const FAILURES = 40;

/** How often each verdict was given, by kind of log; and for logs that lack nothing, how many were read without a question. */
const table = new Map<string, Map<Verdict['kind'], number>>();
const wellFormed = { read: 0, asked: 0 };
const codes = new Map<string, number>();
const pastes = new Map<number, number>();
interface Failure {
  count: number;
  bytes: number;
  readonly text: () => string;
}
const failures = new Map<string, Failure>();

const add = <K>(counts: Map<K, number>, key: K) => counts.set(key, (counts.get(key) ?? 0) + 1);

/** Judge one log. Returns true where it is no failure. */
function tryOne(life: Life): boolean {
  const log = writeLife(life);
  const verdict = judgeLog(log);
  const kind = kindOf(life);
  const own = table.get(kind) ?? new Map<Verdict['kind'], number>();
  table.set(kind, own);
  add(own, verdict.kind);
  const { question } = verdict.unasked;
  if (log.truth.isWellFormed) wellFormed[verdict.unasked.kind === 'asked' ? 'asked' : 'read'] += 1;
  if (question !== null) add(codes, `${question.code}${log.truth.isWellFormed ? ' (nothing lacks)' : ''}`);
  if (verdict.kind === 'first') add(pastes, verdict.answers[0]?.pastes ?? 0);
  const faults = faultsOf(verdict);
  for (const fault of faults) note(`${kind}: ${fault}`, life, log, verdict);
  return faults.length === 0;
}

/** What failed, without the numbers of this one log. */
function faultsOf({ kind, unasked, answers }: Verdict): string[] {
  const plain = (text: string) => text.replaceAll(/"[^"]*"|\d[\d.,:TZ+-]*/g, '#').slice(0, 80);
  if (kind === 'wrong') return [`silently wrong (${unasked.score.kinds.join(', ') || plain(unasked.why)})`];
  const wrong = answers.filter(({ fault }) => fault === 'damage' || (fault === 'guess' && kind === 'answer wrong'));
  const named = wrong.map(({ text, end }) => `${plain(text)} (${end.score.kinds.join(', ')})`);
  return [...new Set(named)].map((text) => `${unasked.question?.code} -> ${text}`);
}

function note(key: string, life: Life, log: WrittenLog, verdict: Verdict): void {
  const known = failures.get(key);
  const text = () => show(life, log, verdict);
  const own = known === undefined || log.bytes.length < known.bytes ? { bytes: log.bytes.length, text } : known;
  failures.set(key, { ...own, count: (known?.count ?? 0) + 1 });
}

/** A log with all that came of it. */
function show(life: Life, log: WrittenLog, { kind, unasked, answers }: Verdict): string {
  const told = answers.map(({ text, end, fault, pastes: given }) => {
    const more = given > 1 ? `, after ${given} answers` : '';
    return `  -> ${text}: ${end.kind}${fault === null ? '' : `, ${fault}`}${more} ${end.why}`;
  });
  const asked = unasked.question === null ? [] : [`  ${unasked.question.code}: ${unasked.question.message}`];
  const head = [
    `--one '${JSON.stringify(life)}'`,
    `${log.path}, ${log.bytes.length} bytes`,
    shownLines(life, log, LINES),
  ];
  return [...head, `  ${kind} ${unasked.why}`, ...asked, ...told].join('\n');
}

function printTable(): void {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |\n`;
  process.stdout.write(line(['kind', 'logs', ...VERDICTS]));
  process.stdout.write(line(['---', ...VERDICTS.map(() => '---'), '---']));
  const sum = (own: Map<Verdict['kind'], number>) => [...own.values()].reduce((all, one) => all + one, 0);
  for (const [kind, own] of [...table].sort(([a], [b]) => (a < b ? -1 : 1)))
    process.stdout.write(line([kind, sum(own), ...VERDICTS.map((verdict) => own.get(verdict) ?? 0)]));
  const all = VERDICTS.map((verdict) => [...table.values()].reduce((count, own) => count + (own.get(verdict) ?? 0), 0));
  process.stdout.write(line(['all', all.reduce((a, b) => a + b, 0), ...all]));
}

const lives = LIVES.filter((life) => kindOf(life).includes(values.kind ?? ''));
let tried = 0;
function tell(): void {
  tried += 1;
  if (tried % TOLD_EVERY !== 0) return;
  const perSecond = tried / ((performance.now() - beganMs) / 1000);
  process.stderr.write(`${tried} of ${wanted}, ${perSecond.toFixed(0)} a second, ${failures.size} kinds of failures\n`);
}

if (values.one !== undefined) {
  const life = JSON.parse(values.one) as Life;
  const log = writeLife(life);
  process.stdout.write(`${show(life, log, judgeLog(log))}\n`);
} else if (values.all === true) {
  for (const life of fc.sample(lives, { numRuns: wanted, seed })) {
    tryOne(life);
    tell();
  }
} else {
  const property = fc.property(lives, (life) => {
    tell();
    return tryOne(life);
  });
  const { counterexample } = fc.check(property, { numRuns: wanted, seed });
  const [life] = counterexample ?? [];
  if (life !== undefined) {
    const log = writeLife(life);
    process.stdout.write(`${show(life, log, judgeLog(log))}\n\n`);
  }
}
if (failures.size > 0) process.exitCode = 1;
if (values.one === undefined) {
  const seconds = (performance.now() - beganMs) / 1000;
  const share = (wellFormed.read / (wellFormed.read + wellFormed.asked)) * 100;
  // What is read wrong without a question stands first, however rare.
  const isSilent = (key: string) => Number(key.includes('silently wrong'));
  const chosen = [...failures].filter(([key]) => key.includes(values.why ?? ''));
  chosen.sort(([a, one], [b, other]) => isSilent(b) - isSilent(a) || other.count - one.count);
  for (const [key, { count, text }] of chosen.slice(0, FAILURES))
    process.stdout.write(`${count} ${key}\n${text()}\n\n`);
  printTable();
  process.stdout.write(
    `seed ${seed}: ${tried} logs in ${seconds.toFixed(0)} s, ${(tried / seconds).toFixed(0)} a second\n`,
  );
  process.stdout.write(`of those that lack nothing ${share.toFixed(1)} % are read without a question\n`);
  process.stdout.write(`right by the first answers, by their number: ${JSON.stringify([...pastes].sort())}\n`);
  for (const [code, times] of [...codes].sort((a, b) => b[1] - a[1])) process.stdout.write(`  ${times} ${code}\n`);
}
