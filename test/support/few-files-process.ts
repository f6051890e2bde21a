// Run with few files allowed (ulimit -n): takes all handles, then looks at a folder and a file of it, and prints what they say.
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { toAgentError } from '../../src-main/model/agent-error.ts';
import { withFile } from '../../src-main/sources/log/file-reader.ts';
import { scanFolder } from '../../src-main/sources/log/folder-scan.ts';

const folder = process.argv[2] ?? '';
const told: { code: string; hint: string; retry: string }[] = [];
try {
  for (;;) openSync('/dev/null', 'r');
} catch {
  // All handles are taken now.
}
const looks = [() => scanFolder(folder, () => true), () => withFile(join(folder, 'log.txt'), async () => 'open')];
for (const look of looks) {
  await look().then(
    (found) => told.push({ code: `no error: ${String(found)}`, hint: '', retry: '' }),
    (thrown: unknown) => {
      const { code, hint, retry } = toAgentError(thrown);
      told.push({ code, hint, retry });
    },
  );
}
process.stdout.write(JSON.stringify(told));
