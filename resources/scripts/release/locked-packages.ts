// The packages that a release is made of, as the lock file pins them: which ones, and their files, each compared with the hash
// in the lock file. node_modules is not asked: it holds this platform's files, and somebody may have edited them.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface LockedPackage {
  /** Its folder below the product: `node_modules/serialport/node_modules/debug`. */
  readonly place: string;
  readonly name: string;
  readonly version: string;
  /** SPDX expression, as the lock file has it. */
  readonly licence: string;
  /** `sha512-` and the base64 hash of its archive. */
  readonly integrity: string;
  /** Not needed when the product runs alone. */
  readonly isTool: boolean;
}

interface Locked {
  readonly version?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
}

/** List what the lock file pins by hash. `top` is the folder of package-lock.json. */
export function readLock(top: string): LockedPackage[] {
  const { packages } = JSON.parse(readFileSync(join(top, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>;
  };
  return Object.entries(packages).flatMap(([place, { version, integrity, license = 'MIT', link, dev, devOptional }]) =>
    version === undefined || integrity === undefined || link
      ? []
      : {
          place,
          name: place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length),
          version,
          licence: license,
          integrity,
          isTool: Boolean(dev || devOptional),
        },
  );
}

/**
 * Tell whether bytes are those that the lock file pins.
 *
 * @throws Error naming the package when its hash differs.
 */
export function checkIntegrity(one: LockedPackage, bytes: Uint8Array): void {
  const found = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
  if (found === one.integrity) return;
  throw new Error(`${one.name} ${one.version} is not what package-lock.json pins: its hash is ${found}.`);
}

/**
 * Fetch the archives of packages with npm, from its cache where they are there, and check each against the lock file.
 *
 * @param folder where the archives are put; made when missing.
 * @returns the archive of each package, by `name@version`.
 * @throws Error when npm fails, or naming the package whose hash differs.
 */
export function fetchArchives(top: string, packages: readonly LockedPackage[], folder: string): Map<string, string> {
  mkdirSync(folder, { recursive: true });
  const specs = [...new Set(packages.map(({ name, version }) => `${name}@${version}`))];
  const args = ['pack', '--json', '--prefer-offline', '--ignore-scripts', '--pack-destination', folder, ...specs];
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const printed = execFileSync(npm, args, { cwd: top, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  const packed = JSON.parse(printed) as { name: string; version: string; filename: string }[];
  const archives = new Map(packed.map(({ name, version, filename }) => [`${name}@${version}`, join(folder, filename)]));
  for (const one of packages) {
    const archive = archives.get(`${one.name}@${one.version}`);
    if (archive === undefined) throw new Error(`npm did not fetch ${one.name} ${one.version}.`);
    checkIntegrity(one, readFileSync(archive));
  }
  return archives;
}
