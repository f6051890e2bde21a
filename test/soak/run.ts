// `npm run soak -- [whole|serial] [options]`: lets the agent run for long under trouble and holds what came out against what
// was there. `whole` (what runs when nothing is named): the built program with a log, instruments, a camera and a troubled
// service. `serial`: the serial source, recorder and queue alone, on five troubled lines. Options stand in the files.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const KINDS = ['whole', 'serial'];
const [first = '', ...others] = process.argv.slice(2);
const isNamed = first !== '' && !first.startsWith('-');
if (isNamed && !KINDS.includes(first)) {
  console.error(`There is no soak "${first}". Known: ${KINDS.join(', ')}.`);
  process.exit(2);
}
const file = join(import.meta.dirname, `${isNamed ? first : 'whole'}.ts`);
const { status } = spawnSync(process.execPath, [file, ...(isNamed ? others : process.argv.slice(2))], {
  stdio: 'inherit',
});
process.exit(status ?? 1);
