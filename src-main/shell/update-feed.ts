// What an update server says, and whether it may be believed. The feed is the file that electron-updater's servers have
// (latest.yml), beside it a signature by the key whose public half is packed into this program. Https alone would trust
// the owner of the server and every authority of this PC; the signature trusts the people who pack the program.
import { createHash, createPublicKey, verify } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { AgentError } from '../model/agent-error.ts';

/** Longest feed, bytes. */
export const FEED_BYTES_MAX = 65_536;
/** Longest installer, bytes. */
const UPDATE_BYTES_MAX = 1e9;

/** A file stands beside the feed: its name can lead nowhere else. */
const FILE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;

/** Keys that other programs use are skipped. A version that is not final is no update. */
const Feed = z.object({
  version: z.string().regex(/^\d{1,6}\.\d{1,6}\.\d{1,6}$/),
  files: z
    .array(
      z.object({
        url: z.string().regex(FILE_NAME),
        sha512: z.string().regex(/^[A-Za-z0-9+/]{86}==$/),
        size: z.int().positive().max(UPDATE_BYTES_MAX),
      }),
    )
    .min(1)
    .max(20),
});

/** A version to go over to, as its signer described it. */
export interface Update {
  readonly version: string;
  /** Name beside the feed; hash in base64; length in bytes. */
  readonly file: { readonly url: string; readonly sha512: string; readonly size: number };
}

interface SignedFeed {
  readonly name: string;
  readonly feed: Uint8Array;
  /** Base64, as it stands in the file beside the feed. */
  readonly signature: string;
}

/** Name of the feed for a system, as electron-updater's servers have it. */
export function feedNameOf(platform: NodeJS.Platform, arch: string): string {
  if (platform !== 'linux') return 'latest.yml';
  return arch === 'x64' ? 'latest-linux.yml' : `latest-linux-${arch}.yml`;
}

/** What is signed: the feed under its name, so that the feed of one system cannot stand in for that of another. */
export function signedBytes(name: string, feed: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`epistream ${name}\n`), feed]);
}

const refused = (message: string, hint: string, cause?: unknown) =>
  new AgentError({ code: 'update.refused', message, hint, cause });

/**
 * Read a feed that is signed. Takes the feed with its signature, and the public key (PEM, Ed25519) that is packed in.
 *
 * @returns the update for this system.
 * @throws `update.refused` where the signature does not fit, or the feed names no file that could be installed here.
 */
export function readFeed({ name, feed, signature }: SignedFeed, publicKey: string): Update {
  const bytes = Buffer.from(signature.trim(), 'base64');
  if (!verify(null, signedBytes(name, feed), readKey(publicKey), bytes)) {
    throw refused(
      `The signature of ${name} does not fit: it was not made for this program, or was changed on the way.`,
      'Nothing is taken from there. Ask the administrator of the update server.',
    );
  }
  const { version, files } = readSigned(name, feed);
  const ending = name === 'latest.yml' ? '.exe' : '.AppImage';
  const fitting = files.filter(({ url }) => url.endsWith(ending));
  const [file] = fitting;
  if (file === undefined || fitting.length > 1) {
    throw refused(`${name} names ${fitting.length} files that end with ${ending}.`, 'It must name one: make it again.');
  }
  return { version, file };
}

function readKey(publicKey: string) {
  const key = createPublicKey(publicKey);
  if (key.asymmetricKeyType === 'ed25519') return key;
  throw refused(`The key packed in is of type ${key.asymmetricKeyType}.`, 'Pack an Ed25519 key.');
}

function readSigned(name: string, feed: Uint8Array): z.infer<typeof Feed> {
  try {
    return Feed.parse(parse(Buffer.from(feed).toString('utf8')));
  } catch (fault) {
    const [issue] = fault instanceof z.ZodError ? fault.issues : [];
    const what = issue ? `${issue.path.join('.')}: ${issue.message}` : (fault as Error).message;
    throw refused(`${name} is signed, but cannot be read: ${what}`, 'Make it again.', fault);
  }
}

/**
 * Compare versions. Takes a final version, and the one that runs.
 *
 * @returns above 0 where the first is newer, 0 where they are the same.
 */
export function compareVersions(offered: string, own: string): number {
  const numbersOf = (version: string) => (version.split('-')[0] ?? '').split('.').map(Number);
  const [a, b] = [numbersOf(offered), numbersOf(own)];
  const different = [0, 1, 2].find((at) => a[at] !== b[at]);
  if (different !== undefined) return (a[different] ?? 0) - (b[different] ?? 0);
  // 1.2.0-rc.1 comes before 1.2.0.
  return own.includes('-') ? 1 : 0;
}

/**
 * Hold a file on this disk against what was signed.
 *
 * @throws `update.refused`.
 */
export async function checkFile(path: string, { version, file }: Update): Promise<void> {
  const hash = createHash('sha512');
  let sizeBytes = 0;
  for await (const piece of createReadStream(path)) {
    hash.update(piece);
    sizeBytes += piece.length;
  }
  if (sizeBytes === file.size && hash.digest('base64') === file.sha512) return;
  throw refused(`The file of Epistream ${version} is not the one that was signed.`, 'It is not installed.');
}
