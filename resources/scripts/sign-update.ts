// "npm run sign-update": makes what an update server needs beside the installers, signed by the key of the packager.
//   npm run sign-update -- --new-key private.pem              a pair: private.pem stays secret, resources/update/public-key.pem is packed
//   npm run sign-update -- --key private.pem FILE...          latest.yml or latest-linux.yml, and its signature, beside the files
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { stringify } from 'yaml';
import manifest from '../../package.json' with { type: 'json' };
import { feedNameOf, readFeed, signedBytes } from '../../src-main/shell/update-feed.ts';

const PUBLIC_KEY = join(import.meta.dirname, '../update/public-key.pem');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'new-key': { type: 'string' },
    'public-key': { type: 'string', default: PUBLIC_KEY },
    key: { type: 'string' },
    arch: { type: 'string', default: 'x64' },
    version: { type: 'string', default: manifest.version },
  },
});

function makeKey(privateFile: string): void {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  // Never over another key: what it signed could not be followed by anything. And both halves or none: a public one that is
  // packed without its private one can never be served by an update.
  const options = { flag: 'wx' };
  writeFileSync(privateFile, privateKey.export({ type: 'pkcs8', format: 'pem' }), { ...options, mode: 0o600 });
  try {
    writeFileSync(values['public-key'], publicKey.export({ type: 'spki', format: 'pem' }), options);
  } catch (fault) {
    rmSync(privateFile);
    throw fault;
  }
  console.log(`wrote ${values['public-key']} (to be packed) and ${privateFile} (to be kept secret)`);
}

function makeFeed(keyFile: string, files: readonly string[]): void {
  const key = createPrivateKey(readFileSync(keyFile));
  for (const [platform, ending] of [
    ['win32', '.exe'],
    ['linux', '.AppImage'],
  ] as const) {
    const own = files.filter((file) => file.endsWith(ending));
    if (own.length > 1) throw new Error(`A feed names one file that ends with ${ending}, not ${own.length}.`);
    for (const file of own) {
      const bytes = readFileSync(file);
      const sha512 = createHash('sha512').update(bytes).digest('base64');
      const entry = { url: basename(file), sha512, size: bytes.length };
      const name = feedNameOf(platform, values.arch);
      const feed = Buffer.from(stringify({ version: values.version, files: [entry], path: entry.url, sha512 }));
      const place = join(dirname(file), name);
      const signature = sign(null, signedBytes(name, feed), key).toString('base64');
      // Read as the program will read it: what it would refuse is refused here.
      readFeed({ name, feed, signature }, createPublicKey(key).export({ type: 'spki', format: 'pem' }) as string);
      writeFileSync(place, feed);
      writeFileSync(`${place}.sig`, `${signature}\n`);
      console.log(`wrote ${place} and ${place}.sig: Epistream ${values.version}, ${entry.url}, ${entry.size} bytes`);
    }
  }
}

if (values['new-key'] !== undefined) makeKey(values['new-key']);
else if (values.key !== undefined && positionals.length > 0) makeFeed(values.key, positionals);
else {
  console.error('Give --new-key FILE, or --key FILE and the installers.');
  process.exitCode = 2;
}
