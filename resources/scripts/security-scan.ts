// "npm run security": Electronegativity, the scanner for Electron programs, over the built program. It brings some 400 old
// packages, so it is no dependency: it is installed once into a cache beside our own, and runs without a network then.
// Every finding must be one that was looked at, with the reason why it holds no longer; any other ends with code 1.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { transformWithOxc } from 'vite';
import manifest from '../../package.json' with { type: 'json' };

const SCANNER = '@doyensec/electronegativity';
const VERSION = '1.10.3';
const top = join(import.meta.dirname, '../..');
const cache = join(top, 'node_modules/.cache/electronegativity');

/** Findings that were looked at. The tests named assert what the reason says. */
const ANSWERED: readonly { issue: string; sample: RegExp; reason: string }[] = [
  {
    issue: 'CSP_GLOBAL_CHECK',
    sample: /^/,
    reason: 'The policy goes out as a header with each page, which the scanner does not see (test/e2e/built-bundle).',
  },
  {
    issue: 'AUXCLICK_JS_CHECK',
    sample: /new BrowserWindow/,
    reason: 'No navigation and no new window is allowed, whichever button asks (test/unit/shell).',
  },
  {
    issue: 'PRELOAD_JS_CHECK',
    sample: /^preload: /,
    reason: 'The preload holds the contract table and nothing else (test/unit/shell/preload).',
  },
  {
    issue: 'DANGEROUS_FUNCTIONS_JS_CHECK',
    sample: /^(if \(.*\) )?await setTimeout\(/,
    reason: 'The timer of node:timers/promises takes a number alone; it runs no text.',
  },
];

const answerTo = ({ issue, sample = '' }: Finding) =>
  ANSWERED.find((answer) => answer.issue === issue && answer.sample.test(sample));

/** Without a network the scanner's own look for news would try for a minute: every such call fails at once instead. */
const OFFLINE = `
const path = require.resolve('got', { paths: [${JSON.stringify(cache)} + '/node_modules/${SCANNER}'] });
const refuse = () => Promise.reject(new Error('offline'));
Object.assign(refuse, { default: refuse, get: refuse, extend: () => refuse, stream: refuse });
require.cache[path] = { id: path, filename: path, loaded: true, exports: refuse };
`;

interface Finding {
  readonly issue: string;
  readonly severity: string;
  /** Absent where the scanner's file of findings is broken by what it quotes. */
  readonly filename?: string;
  readonly location?: string;
  readonly sample?: string;
}

function install(): void {
  if (existsSync(join(cache, 'node_modules', SCANNER))) return;
  mkdirSync(cache, { recursive: true });
  writeFileSync(join(cache, 'package.json'), '{ "private": true }');
  execFileSync('npm', ['install', '--ignore-scripts', '--no-save', `${SCANNER}@${VERSION}`], {
    cwd: cache,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
}

/** Older language that the scanner can read; of a file with newer words (private fields) it would say nothing at all. */
async function makeOlder(folder: string): Promise<void> {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name);
    if (/\.map$/.test(name)) rmSync(path);
    if (!/\.c?js$/.test(name)) continue;
    const { code } = await transformWithOxc(readFileSync(path, 'utf8'), path, { lang: 'js', target: 'es2019' });
    writeFileSync(path, code);
  }
}

/** Scan what ships of our own: the bundles and the page, beside a manifest that names the version of Electron. */
async function scan(folder: string): Promise<Finding[]> {
  const input = join(folder, 'program');
  for (const part of ['main', 'preload', 'renderer'])
    cpSync(join(top, 'dist', part), join(input, part), { recursive: true });
  await makeOlder(input);
  const { name, version, devDependencies } = manifest;
  const own = { name, version, main: 'main/main.js', devDependencies: { electron: devDependencies.electron } };
  writeFileSync(join(input, 'package.json'), JSON.stringify(own));
  const offline = join(folder, 'offline.cjs');
  writeFileSync(offline, OFFLINE);
  const csv = join(folder, 'findings.csv');
  const program = join(cache, 'node_modules', SCANNER, 'dist/index.js');
  execFileSync(process.execPath, ['-r', offline, program, '-i', input, '-o', csv], { stdio: 'ignore' });
  return parse(readFileSync(csv), { columns: true, trim: true, relax_quotes: true, relax_column_count: true });
}

install();
const folder = mkdtempSync(join(tmpdir(), 'epistream-security-'));
try {
  const findings = await scan(folder);
  for (const finding of findings) {
    const { issue, severity, filename = '', location = '', sample = '' } = finding;
    console.log(`${issue} (${severity}) ${filename.replace(folder, '')}:${location} ${sample.slice(0, 80)}`);
    console.log(`  ${answerTo(finding)?.reason ?? 'NOT ANSWERED'}`);
  }
  const open = findings.filter((finding) => answerTo(finding) === undefined);
  // The scanner passes over a file that it cannot read without a word; then what it always finds is not found either.
  const unseen = ANSWERED.filter((answer) => !findings.some((finding) => answerTo(finding) === answer));
  for (const { issue, reason } of unseen) console.log(`${issue} is answered and was not found: ${reason}`);
  console.log(`${findings.length} findings, ${open.length} not answered, ${unseen.length} answered and not found`);
  process.exitCode = open.length + unseen.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true });
}
