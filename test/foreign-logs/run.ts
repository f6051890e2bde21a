// "npm run foreign-logs -- 100000": writes that many foreign logs, reads each, and counts what came of them. The first
// that is read wrong is shrunk to the smallest and printed with its choices; with `--all` each is printed as drawn and all are tried.
// Exit code 1 where any was read wrong, either way. About 15 minutes for 100,000.
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { CHOICES, type Choices } from './choices.ts';
import { readLog } from './read-log.ts';
import { writeLog } from './write-log.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    all: { type: 'boolean' },
    why: { type: 'string' },
    show: { type: 'boolean' },
    one: { type: 'string' },
  },
});
const wanted = Number(positionals[0] ?? 100_000);
const seed = Number(values.seed ?? Date.now() % 2 ** 31);
const count = { right: 0, asked: 0, wrong: 0 };
const wellFormed = { read: 0, asked: 0 };
const codes = new Map<string, number>();
const faults = new Map<string, { count: number; choices: Choices }>();

/** Logs between two words of how far it has come. */
const TOLD_EVERY = 2000;

function tryOne(choices: Choices): boolean {
  const log = writeLog(choices);
  const outcome = readLog(log);
  count[outcome.kind] += 1;
  const done = count.right + count.asked + count.wrong;
  if (done % TOLD_EVERY === 0) process.stderr.write(`${done} of ${wanted}: ${JSON.stringify(count)}\n`);
  if (log.truth.isWellFormed) wellFormed[outcome.kind === 'asked' ? 'asked' : 'read'] += 1;
  if (outcome.kind === 'asked') {
    const key = `${outcome.code}${log.truth.isWellFormed ? ' (well formed)' : ''}`;
    codes.set(key, (codes.get(key) ?? 0) + 1);
    if (log.truth.isWellFormed) note(key, choices);
  }
  if (values.why !== undefined && outcome.kind === 'asked' && log.truth.isWellFormed)
    return !outcome.code.includes(values.why);
  if (outcome.kind !== 'wrong' || !outcome.why.includes(values.why ?? '')) return true;
  if (values.all === true) process.stderr.write(`wrong: ${outcome.why}\n  ${JSON.stringify(choices)}\n`);
  note(`WRONG ${outcome.why.replaceAll(/\d[\d.,:TZ+-]*/g, '#').slice(0, 60)}`, choices);
  return false;
}

/** Remember one log, the shortest, of each kind of trouble. */
function note(key: string, choices: Choices): void {
  const fault = faults.get(key) ?? { count: 0, choices };
  const isSmaller =
    JSON.stringify(choices.head).length + choices.rows < JSON.stringify(fault.choices.head).length + fault.choices.rows;
  faults.set(key, { count: fault.count + 1, choices: isSmaller ? choices : fault.choices });
}

/** Print a log with what came of it. */
export function show(choices: Choices): void {
  const log = writeLog(choices);
  const outcome = readLog(log);
  const text = new TextDecoder(choices.encoding === 'utf16le' ? 'utf-16le' : 'utf-8').decode(log.bytes);
  process.stdout.write(
    `${JSON.stringify(choices)}\n${log.path}\n${text.split('\n').slice(0, 14).join('\n')}\n${JSON.stringify(outcome, null, 1)}\n`,
  );
}

if (values.one !== undefined) {
  show(JSON.parse(values.one) as Choices);
} else if (values.all === true) {
  for (const choices of fc.sample(CHOICES, { numRuns: wanted, seed })) tryOne(choices);
} else {
  const checked = fc.check(
    fc.property(CHOICES, (choices) => tryOne(choices)),
    { numRuns: wanted, seed },
  );
  if (checked.failed && checked.counterexample) show(checked.counterexample[0]);
  if (checked.failed) process.exitCode = 1;
}
if (count.wrong > 0) process.exitCode = 1;
const share = (wellFormed.read / (wellFormed.read + wellFormed.asked)) * 100;
process.stdout.write(`seed ${seed}: ${JSON.stringify(count)}, read of those well formed ${share.toFixed(1)} %\n`);
for (const [code, times] of [...codes].sort((a, b) => b[1] - a[1])) process.stdout.write(`  ${times} ${code}\n`);
for (const [why, { count: times, choices }] of [...faults].sort((a, b) => b[1].count - a[1].count).slice(0, 25)) {
  process.stdout.write(`\n  ${times} ${why}\n`);
  if (values.show === true) show(choices);
}
