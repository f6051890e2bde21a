// "npm run release": makes what is handed out, on Linux for every system, from the lock file alone.
//
//   --only KIND   linux, windows, deb, npm, macos-x64 or macos-arm64; may be given more than once (all)
//   --out DIR     where the files go (release)
//
// Beside each artefact stands the list of what it is made of (.cdx.json); SHA256SUMS has the hash of each file. Two runs give
// the same bytes. SOURCE_DATE_EPOCH, seconds since 1970, is the time that every file gets.
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from './build-when-stale.ts';
import { ARTEFACTS, KINDS, type Kind } from './release/artefacts.ts';
import { makeSbom } from './release/sbom.ts';

/** 1 January 2026: any time does that is the same for all. */
const EPOCH_S = 1_767_225_600;
const top = join(import.meta.dirname, '../..');

const { values } = parseArgs({ options: { only: { type: 'string', multiple: true }, out: { type: 'string' } } });
const kinds = (values.only ?? KINDS) as Kind[];
const strange = kinds.filter((kind) => !KINDS.includes(kind));
if (strange.length > 0) throw new Error(`--only ${strange[0]}: there are ${KINDS.join(', ')}.`);
if (process.platform !== 'linux') throw new Error('A release is made on Linux: it needs GNU tar and dpkg-deb.');

const out = resolve(values.out ?? join(top, 'release'));
mkdirSync(out, { recursive: true });
const sums: string[] = [];

/** Print how large a file is, and keep its hash. */
function note(name: string): void {
  const path = join(out, name);
  const hash = createHash('sha256').update(readFileSync(path)).digest('hex');
  sums.push(`${hash}  ${name}`);
  console.log(`${hash}  ${(statSync(path).size / 1e6).toFixed(1).padStart(6)} MB  ${name}`);
}

/**
 * Make one artefact and its list.
 *
 * @returns whether it is as small as it must be.
 */
async function make(kind: Kind, work: string, dist: string): Promise<boolean> {
  const { make, target, bytesMax } = ARTEFACTS[kind];
  const epochS = Number(process.env.SOURCE_DATE_EPOCH ?? EPOCH_S);
  const name = await make({ top, work, dist, out, epochS });
  note(name);
  writeFileSync(join(out, `${name}.cdx.json`), makeSbom(top, target));
  note(`${name}.cdx.json`);
  const { size } = statSync(join(out, name));
  if (size > bytesMax) console.error(`${name} is larger than it may be: ${size} of ${bytesMax} bytes.`);
  return size <= bytesMax;
}

/**
 * Make all that was asked for, by way of a folder that is removed again. The product is built there, too: what runs from
 * `dist` meanwhile goes on undisturbed.
 *
 * @returns whether all was made, none larger than it may be.
 */
async function makeAll(): Promise<boolean> {
  const work = mkdtempSync(join(tmpdir(), 'epistream-release-'));
  try {
    const dist = join(work, 'dist');
    if (!build(dist)) {
      console.error('The product could not be built: run "npm run build" to see what is wrong.');
      return false;
    }
    let fits = true;
    for (const kind of kinds) fits = (await make(kind, work, dist)) && fits;
    return fits;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

// What others may read and run is the same for every maker.
process.umask(0o022);
const isWell = await makeAll();
const byName = sums.sort((a, b) => (a.slice(66) < b.slice(66) ? -1 : 1));
if (isWell) writeFileSync(join(out, 'SHA256SUMS'), byName.map((line) => `${line}\n`).join(''));
process.exitCode = isWell ? 0 : 1;
