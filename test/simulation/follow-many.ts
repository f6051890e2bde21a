// Many schedules of a writer and a reader: npm run follow -- --schedules 100000 --seed 1
import { parseArgs } from 'node:util';
import { follow, isSound, shrink } from './follow.ts';
import { drawSchedule } from './follow-schedule.ts';

const SHOWN = 30;
const { values } = parseArgs({
  options: {
    schedules: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    story: { type: 'boolean', default: false },
  },
});
const first = Number(values.seed);
const wanted = Number(values.schedules);
const beganMs = performance.now();
const failures: Record<string, number> = {};
let [shown, delivered] = [0, 0];
for (let seed = first; seed < first + wanted; seed++) {
  const schedule = drawSchedule(seed);
  const result = await follow(schedule);
  delivered += result.delivered;
  if (isSound(result)) continue;
  const { lost, doubled, silent, needless, failure } = result;
  const kind =
    failure !== ''
      ? 'failure'
      : lost.length > 0
        ? 'lost'
        : doubled.length > 0
          ? 'doubled'
          : silent.length > 0
            ? 'silent'
            : 'needless';
  failures[`${kind} ${schedule.style} ${schedule.match}`] =
    (failures[`${kind} ${schedule.style} ${schedule.match}`] ?? 0) + 1;
  if (shown >= SHOWN) continue;
  shown += 1;
  console.log(`seed ${seed}: ${JSON.stringify({ lost, doubled, silent, needless, failure })}`);
  if (!values.story) continue;
  const short = await shrink(schedule);
  console.log(JSON.stringify(short));
  console.log((await follow(short)).story.join('\n'));
}
const failed = Object.values(failures).reduce((sum, one) => sum + one, 0);
const seconds = ((performance.now() - beganMs) / 1000).toFixed(0);
console.log(`${wanted} schedules from seed ${first}, ${delivered} lines delivered, ${failed} failed, ${seconds} s`);
console.log(failures);
process.exitCode = failed > 0 ? 1 : 0;
