// "npm run mutation [-- PLACE…]": Stryker changes the code of the queue, the recorder and the uploader in one place at a
// time and runs their unit tests; a change that no test notices is named. Files are tried by the tests of the same name, where
// all of them have one, which is quick; else by those of the three folders. Tests that walk at random take short walks, the
// same for each change. Its figures stand in resources/docs/testing.md.
// It brings some 170 packages, so it is no dependency: it is installed once into a cache beside our own.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PACKAGES = ['@stryker-mutator/core', '@stryker-mutator/vitest-runner'];
const VERSION = '10.1.1';
const FOLDERS = ['queue/store', 'queue/recorder', 'delivery/upload'];
/** Random walks of a test for each change. */
const WALKS = '6';
const top = join(import.meta.dirname, '../..');
const cache = join(top, 'node_modules/.cache/mutation');

function install(): void {
  if (existsSync(join(cache, 'node_modules', ...PACKAGES.slice(-1)))) return;
  mkdirSync(cache, { recursive: true });
  writeFileSync(join(cache, 'package.json'), '{ "private": true }');
  // Without its own vitest: the runner finds the one of this repository, two folders up.
  const packages = PACKAGES.map((name) => `${name}@${VERSION}`);
  execFileSync('npm', ['install', '--ignore-scripts', '--no-save', '--legacy-peer-deps', ...packages], {
    cwd: cache,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
}

/** The tests that try these places. */
function testsOf(places: readonly string[]): string[] {
  const own = places.map((place) => place.replace(/^src-main\/(.*)\.ts(:.*)?$/, 'test/unit/$1.test.ts'));
  const haveOwn = own.every((path, i) => path !== places[i] && existsSync(join(top, path)));
  // Those of a large file may stand in several: recorder.test.ts, recorder-streams.test.ts.
  return haveOwn
    ? own.flatMap((path) => [path, path.replace('.test.ts', '-*.test.ts')])
    : FOLDERS.map((folder) => `test/unit/${folder}/**/*.test.ts`);
}

/** What Stryker is told. `places`: files or folders of this repository, those with `:10-20` only by these lines. */
function optionsFor(places: readonly string[]): object {
  const isFolder = (place: string) => existsSync(join(top, place)) && statSync(join(top, place)).isDirectory();
  return {
    testRunner: 'vitest',
    plugins: [join(cache, 'node_modules/@stryker-mutator/vitest-runner/dist/src/index.js')],
    mutate: places.map((place) => (isFolder(place) ? `${place}/**/*.ts` : place)),
    testFiles: testsOf(places),
    // Words for people are no behaviour, and changed SQL never runs. What runs once when a file is loaded would need
    // every test for each change.
    mutator: { excludedMutations: ['StringLiteral'] },
    ignoreStatic: true,
    coverageAnalysis: 'perTest',
    concurrency: 1,
    timeoutMS: 10_000,
    ignorePatterns: ['dist', 'release', 'resources/screenshots', '*.log'],
    // Not under node_modules, where Node runs no TypeScript, and not in the tree, where other tools would find it.
    tempDirName: join(tmpdir(), 'epistream-mutation'),
    // TypeScript 7 has no interface for it to rewrite our settings with; the tests need none.
    tsconfigFile: 'none',
    reporters: ['progress-append-only', 'clear-text', 'json', 'html'],
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
    jsonReporter: { fileName: join(cache, 'report.json') },
    htmlReporter: { fileName: join(cache, 'report.html') },
  };
}

install();
const given = process.argv.slice(2);
const file = join(cache, 'options.json');
writeFileSync(file, JSON.stringify(optionsFor(given.length > 0 ? given : FOLDERS.map((name) => `src-main/${name}`))));
const program = join(cache, 'node_modules/@stryker-mutator/core/bin/stryker.js');
const env = { EPISTREAM_TEST_WALKS: WALKS, ...process.env };
process.exitCode = spawnSync(process.execPath, [program, 'run', file], { cwd: top, env, stdio: 'inherit' }).status ?? 1;
