// Shows that each mutant of the follower is found, and after how many schedules: npm run follow:mutants
// One mutant a process, since a module is loaded once: `--mutant NAME` is how this program starts itself.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { MUTANTS } from './follow-mutants.ts';
import { mutate } from './mutate.ts';

const { values } = parseArgs({
  options: { mutant: { type: 'string' }, schedules: { type: 'string', default: '4000' } },
});

/**
 * Live through its own life, then through schedules of all kinds in turns, until one fails.
 *
 * @returns how many, and as what; 0 when none does.
 */
async function hunt(name: string, most: number): Promise<string> {
  mutate(name);
  const { follow } = await import('./follow.ts');
  const { drawSchedule, rareSchedule, spreadSchedule, sweepSchedule } = await import('./follow-schedule.ts');
  const life = MUTANTS.find((one) => one.name === name)?.life;
  for (let at = 1; at <= most; at++) {
    const own = at === 1 && life !== undefined ? [life] : [];
    for (const schedule of [...own, sweepSchedule(at), rareSchedule(at), drawSchedule(at), spreadSchedule(at)]) {
      const [fault] = (await follow(schedule)).faults;
      if (fault !== undefined) return `${at} ${fault.kind}: ${fault.what.split('\n')[0]}`;
    }
  }
  return '0';
}

if (values.mutant !== undefined) console.log(await hunt(values.mutant, Number(values.schedules)));
else {
  let survivors = 0;
  for (const { name } of MUTANTS) {
    const own = [fileURLToPath(import.meta.url), '--mutant', name, '--schedules', values.schedules];
    const found = execFileSync(process.execPath, own, { encoding: 'utf8' }).trim();
    if (found === '0') survivors += 1;
    console.log(`${found === '0' ? 'SURVIVED' : `found by ${found}`}  <- ${name}`);
  }
  console.log(`${MUTANTS.length} mutants, ${survivors} survived`);
  process.exitCode = survivors > 0 ? 1 : 0;
}
