// Run with few files allowed (ulimit -n): takes all handles, then looks at a folder and a file of it, and prints what they say.
import { openSync } from 'node:fs';
import { toAgentError } from '../../../src-main/model/agent-error.ts';
import { diskFiles } from '../../../src-main/platform/files.ts';
import { scanFolder } from '../../../src-main/sources/log/files/folder-scan.ts';
import { withFile } from '../../../src-main/sources/log/files/with-file.ts';

const folder = { path: process.argv[2] ?? '', files: diskFiles };
const told: { code: string; hint: string; retry: string }[] = [];
try {
  for (;;) openSync('/dev/null', 'r');
} catch {
  // All handles are taken now.
}
const looks = [
  () => scanFolder(folder, () => true),
  () => withFile(folder, { path: 'log.txt', seen: null }, () => 'open'),
];
for (const look of looks) {
  try {
    told.push({ code: `no error: ${String(look())}`, hint: '', retry: '' });
  } catch (thrown) {
    const { code, hint, retry } = toAgentError(thrown);
    told.push({ code, hint, retry });
  }
}
process.stdout.write(JSON.stringify(told));
