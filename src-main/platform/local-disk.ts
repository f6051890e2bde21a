// Whether a folder lies on a disk of this PC. SQLite's promises hold there only: a network file system reorders what it
// is told to keep in order and lies about locks, and a synchronizing program copies, replaces and duplicates files of an
// open database. What the system does not tell is taken for local; the queue's own exclusive lock is the last defence.
import { readdir, readFile, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, parse, resolve, sep } from 'node:path';

/** Why a folder is not on a local disk, as half a sentence; null when it is, as far as can be told. */
export type NotLocal = string | null;

/** File systems of Linux that lie on another machine or pass through a program that does. */
const REMOTE_TYPES =
  /^(nfs\d?|cifs|smb\d?|smbfs|ncpfs|afs|coda|ceph|lustre|gfs2|ocfs2|glusterfs|davfs|fuse\.(sshfs|smbnetfs|davfs2?|rclone|s3fs|gcsfuse|goofys|glusterfs|ceph.*|gvfsd-fuse|google-drive-ocamlfuse|onedriver|kio-fuse|curlftpfs))$/;

/** Folder names that synchronizing programs give their root. */
const SYNCED_NAME =
  /^(onedrive( - .+)?|dropbox( \(.+\))?|google ?drive|googledrive|icloud ?drive|icloud~.+|mobile documents|nextcloud|owncloud|box sync|pcloud ?drive|cloudstorage|syncthing)$/i;

/** Entries that synchronizing programs keep in their root: Dropbox, OneDrive, Nextcloud and ownCloud, Syncthing, Google. */
const SYNCED_MARK =
  /^(\.dropbox|\.dropbox\.cache|\.849c9593-d756-4e56-8d6e-42412f2a707b|\.sync_[0-9a-f]+\.db|\._sync_[0-9a-f]+\.db|\.owncloudsync\.log|\.nextcloudsync\.log|\.stfolder|\.tmp\.drive(down|up)load)$/i;

export interface Mount {
  readonly point: string;
  readonly type: string;
  readonly source: string;
}

/**
 * Parse Linux's list of mounts.
 * Source: proc_pid_mountinfo(5).
 *
 * @param text - the text of `/proc/self/mountinfo`.
 * @returns its mounts in order; lines of another form are left out.
 */
export function parseMounts(text: string): Mount[] {
  const plain = (word: string) =>
    word.replace(/\\([0-7]{3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8)));
  return text.split('\n').flatMap((line) => {
    const [before = '', after = ''] = line.split(' - ');
    const point = before.split(' ')[4];
    const [type, source = ''] = after.split(' ');
    return point && type ? [{ point: plain(point), type, source: plain(source) }] : [];
  });
}

/** The mount that a path lies in: the longest, and of equal ones the last, which covers the others. */
export function findMount(mounts: readonly Mount[], path: string): Mount | undefined {
  let found: Mount | undefined;
  for (const mount of mounts) {
    const isAbove =
      path === mount.point || path.startsWith(mount.point.endsWith('/') ? mount.point : `${mount.point}/`);
    if (isAbove && mount.point.length >= (found?.point.length ?? 0)) found = mount;
  }
  return found;
}

/** Say whether a path names another machine, as Windows writes it: `\\server\share`, but not `\\?\C:\`. */
export function isNetworkPath(path: string): boolean {
  return /^\\\\(\?\\UNC\\|[^\\?.])/i.test(path);
}

/** What Windows answers where a drive cannot say what a path really is. */
const UNRESOLVED_CODES = ['EISDIR', 'UNKNOWN', 'EINVAL'];

/** The folder itself or, where it does not exist yet, the nearest one above it, links followed. */
async function realFolder(path: string): Promise<string> {
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    try {
      // For a drive letter that stands for a share, Windows answers with the share.
      return await realpath(folder);
    } catch (error) {
      // Drivers of RAM disks and of some shares resolve no names at all: the path is then all there is to judge.
      if (UNRESOLVED_CODES.includes((error as NodeJS.ErrnoException).code ?? '')) return resolve(path);
      if (folder === dirname(folder)) throw error;
    }
  }
}

/** Roots that OneDrive names on Windows, whatever they are called. */
const oneDriveRoots = () =>
  ['OneDrive', 'OneDriveConsumer', 'OneDriveCommercial'].flatMap((name) => process.env[name] || []);

async function findSynced(folder: string): Promise<NotLocal> {
  const root = oneDriveRoots().find((at) => folder === resolve(at) || folder.startsWith(resolve(at) + sep));
  if (root) return `${root} is synchronized by OneDrive`;
  const home = homedir();
  for (let at = folder; at !== parse(at).root; at = dirname(at)) {
    const name = at.slice(at.lastIndexOf(sep) + 1);
    if (SYNCED_NAME.test(name)) return `${at} is a folder that is synchronized with others`;
    // A home folder holds such entries for its own reasons (~/.dropbox); a root is a folder below it.
    const entries = at === home ? [] : await readdir(at).catch(() => []); // Not ours to read: no root of ours.
    const mark = entries.find((entry) => SYNCED_MARK.test(entry));
    if (mark) return `${at} is synchronized with others (it holds ${mark})`;
  }
  return null;
}

/**
 * Find out whether a folder lies on a disk of this PC.
 *
 * @param path - a path that need not exist yet.
 * @param mountInfo - for tests the text of Linux's mount list.
 * @returns null, or why it is not local.
 * @throws those of the file system when nothing of the path can be read.
 */
export async function findNotLocal(path: string, mountInfo?: string): Promise<NotLocal> {
  if (isNetworkPath(path) || isNetworkPath(resolve(path))) return `${path} is on another machine`;
  const folder = await realFolder(path);
  if (isNetworkPath(folder)) return `${path} is on another machine (${folder})`;
  // Where there is no such list (Windows, macOS) the checks above and below remain.
  const mounts = parseMounts(mountInfo ?? (await readFile('/proc/self/mountinfo', 'utf8').catch(() => '')));
  const mount = findMount(mounts, folder);
  if (mount && REMOTE_TYPES.test(mount.type)) {
    return `${mount.point} is on another machine (${mount.type}, ${mount.source})`;
  }
  return findSynced(folder);
}
