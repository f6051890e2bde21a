// `npm run soak -- [whole|serial] [options]`: lets the agent run for long under trouble and holds what came out against what
// was there. `whole` (what runs when nothing is named): the built program with a log, instruments, a camera and a troubled
// service. `serial`: the serial source, recorder and queue alone, on five troubled lines. Options stand in the files.

const KINDS = ['whole', 'serial'];
const [first = ''] = process.argv.slice(2);
const isNamed = first !== '' && !first.startsWith('-');
if (isNamed && !KINDS.includes(first)) {
  console.error(`There is no soak "${first}". Known: ${KINDS.join(', ')}.`);
  process.exit(2);
}
// Each reads its own options, and is this very process: ending it ends the whole run.
if (isNamed) process.argv.splice(2, 1);
await import(isNamed ? `./${first}.ts` : './whole.ts');
