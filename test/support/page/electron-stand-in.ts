// What electron-builder needs of an unpacked Electron, where the real one cannot be had: a program file that holds the
// switches ("fuses") as Electron's does, and the files beside it. Nothing of it can be started.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPackage } from '@electron/asar';
import manifest from '../../../package.json' with { type: 'json' };
import { tempFolder } from '../temp-folder.ts';

/** Marks the place of the switches in Electron's program files; behind it version, number and state of each. */
const FUSES = Buffer.concat([
  Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'),
  Buffer.from([1, 9]),
  Buffer.from('011011111'),
  Buffer.alloc(64),
]);

/** A small program for Windows without signature, which a package of the builder carries: its resources can be written. */
const SMALL_EXE = join(import.meta.dirname, '../../../node_modules/electron-winstaller/vendor/rcedit.exe');

/**
 * Make the stand-in.
 *
 * @param os - the system it stands for.
 * @returns the folder, to be named as `electronDist`.
 */
export async function makeElectronStandIn(os: 'linux' | 'win'): Promise<string> {
  const folder = tempFolder(`electron-${os}`);
  const program = join(folder, os === 'win' ? 'electron.exe' : 'electron');
  const head = os === 'win' ? readFileSync(SMALL_EXE) : Buffer.from('\x7fELF');
  writeFileSync(program, Buffer.concat([head, FUSES]));
  chmodSync(program, 0o755);
  writeFileSync(join(folder, 'version'), manifest.devDependencies.electron);
  for (const name of ['LICENSE', 'LICENSES.chromium.html']) writeFileSync(join(folder, name), 'stand-in');
  mkdirSync(join(folder, 'locales'));
  writeFileSync(join(folder, 'locales/en-US.pak'), 'stand-in');
  const empty = tempFolder('electron-app');
  writeFileSync(join(empty, 'package.json'), '{}');
  mkdirSync(join(folder, 'resources'));
  await createPackage(empty, join(folder, 'resources/default_app.asar'));
  return folder;
}
