// Where the Electron program is, without importing the package "electron": that would try to download it.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const executables: Partial<Record<NodeJS.Platform, string>> = {
  win32: 'electron.exe',
  darwin: 'Electron.app/Contents/MacOS/Electron',
};

/** The program, or why it cannot be used. */
export type Found = { path: string } | { path: null; why: string };

/**
 * Look for the Electron program of this checkout.
 *
 * @returns its path; or a sentence on why there is none and how to get it.
 */
export function findElectron(): Found {
  const folder = join(import.meta.dirname, '../../node_modules/electron');
  const dist = process.env.ELECTRON_OVERRIDE_DIST_PATH ?? join(folder, 'dist');
  const path = join(dist, executables[process.platform] ?? 'electron');
  if (existsSync(path)) return { path };
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  return {
    path: null,
    why: `Electron ${version} is not downloaded ("npx install-electron" gets it where GitHub can be reached)`,
  };
}

/** Why a window cannot be shown here; empty when it can. Linux alone runs without a display. */
export function whyNoDisplay(): string {
  const hasDisplay = process.platform !== 'linux' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
  return hasDisplay ? '' : 'there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set)';
}
