// Which volume a path lies on, found without touching the volume: a share whose server is gone holds every call that reaches
// it for minutes.
import { lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { dirname, join, parse, resolve, sep } from 'node:path';
import { findMount, isNetworkPath, type Mount, parseMounts } from './local-disk.ts';

export interface Volume {
  /** The same for all paths of a volume; `local` for all disks of this PC that cannot be told from one another. */
  readonly name: string;
  /** Calls on it return soon, and the system tells of changes on it. */
  readonly isLocal: boolean;
}

const LOCAL: Volume = { name: 'local', isLocal: true };
/** File systems of Linux on disks and in memory of this PC; calls on any other may wait for another machine or program. */
const LOCAL_TYPES =
  /^(ext[234]|xfs|btrfs|bcachefs|zfs|f2fs|jfs|reiserfs|vfat|exfat|msdos|ntfs3?|fuseblk|hfs(plus)?|udf|iso9660|squashfs|erofs|overlay|aufs|ecryptfs|tmpfs|ramfs|rootfs|devtmpfs)$/;
/** Links that are followed on the way to a folder. */
const LINKS_MAX = 40;

/**
 * Find the volume of a path that need not exist.
 *
 * @param path - an absolute path.
 * @param mountInfo - for tests the text of Linux's list of mounts.
 */
export function volumeOf(path: string, mountInfo?: string): Volume {
  if (process.platform === 'win32') return ofDrive(path);
  const mounts = parseMounts(mountInfo ?? readMountInfo());
  const mount = mounts.length === 0 ? undefined : mountOf(resolve(path), mounts);
  if (mount !== undefined) return isWaiting(mount) ? { name: mount.point, isLocal: false } : LOCAL;
  const [, place] = /^(\/Volumes\/[^/]+)/.exec(path) ?? [];
  return place === undefined ? LOCAL : { name: place, isLocal: false };
}

/** A drive letter may stand for a share: each has a volume of its own, and none but a network path is known to be remote. */
function ofDrive(path: string): Volume {
  return { name: parse(resolve(path)).root.toLowerCase(), isLocal: !isNetworkPath(path) };
}

const isWaiting = ({ type }: Mount): boolean => !LOCAL_TYPES.test(type);

function readMountInfo(): string {
  try {
    return readFileSync('/proc/self/mountinfo', 'utf8');
  } catch {
    // Only Linux has it.
    return '';
  }
}

/** The mount that holds a path, links followed as far as they lie on disks of this PC. */
function mountOf(path: string, mounts: readonly Mount[]): Mount | undefined {
  let target = path;
  for (let links = 0; links < LINKS_MAX; links++) {
    const next = followFirstLink(target, mounts);
    if (next === null) break;
    target = next;
  }
  return findMount(mounts, target);
}

/** The path with its first link replaced by what that leads to; null: it has none, or a volume that may hang comes first. */
function followFirstLink(path: string, mounts: readonly Mount[]): string | null {
  const names = path.split(sep).filter((name) => name !== '');
  let at: string = sep;
  for (const [index, name] of names.entries()) {
    at = join(at, name);
    const mount = findMount(mounts, at);
    if (mount !== undefined && isWaiting(mount)) return null;
    const link = readLink(at);
    if (link !== null) return resolve(dirname(at), link, ...names.slice(index + 1));
  }
  return null;
}

/** Where a link leads; null: it is none, or cannot be read. */
function readLink(path: string): string | null {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : null;
  } catch {
    // Nothing is there, or it may not be looked at: the reader of the folder says so.
    return null;
  }
}
