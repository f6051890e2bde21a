// Which packages of others are in the product, and what their licences want to be said. In the product is what ships in
// node_modules, what a source file imports (the bundler takes that in), and whatever these need in turn. The bundler leaves
// out what is never used; a notice too many does no harm.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { readImportGraph } from '../../test/support/run/import-graph.ts';

interface ThirdParty {
  readonly name: string;
  readonly version: string;
  /** SPDX expression, as the lock file has it. */
  readonly licence: string;
  /** The files LICENSE and NOTICE of the package, one after the other; empty when it carries none. */
  readonly text: string;
}

interface Locked {
  readonly version: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** Electron's files bring their own notices; types are no code. */
const isLeftOut = (name: string) => name === 'electron' || name.startsWith('@types/');

/** Where Node finds a package from another one's place: in the nearest node_modules upwards. Null: not installed. */
function findPlace(packages: Readonly<Record<string, Locked>>, from: string, name: string): string | null {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const place = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (packages[place]) return place;
    if (folder === '') return null;
  }
}

function needsOf({ dependencies, peerDependencies = {}, peerDependenciesMeta = {} }: Locked): string[] {
  const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional);
  return [...Object.keys(dependencies ?? {}), ...peers];
}

/** The texts of a package's own licence files, LF, without blank ends. */
function readText(folder: string): string {
  return readdirSync(folder)
    .filter((name) => /^(licen[cs]e|copying|notice)/i.test(name))
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim())
    .join('\n\n');
}

/**
 * List the packages of others in the product, by name, each version once.
 *
 * @param top - the top of the repository, with node_modules installed.
 * @throws a package that the lock file or node_modules lacks, by name: run `npm ci`.
 */
export function listThirdParties(top: string): ThirdParty[] {
  const { packages } = JSON.parse(readFileSync(join(top, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>;
  };
  const graph = readImportGraph(top, ['src-main', 'src-renderer']);
  const imported = [...graph.values()].flatMap(({ imports }) => imports.filter(({ isPackage }) => isPackage));
  const names = imported.map(({ to }) => to).filter((name) => !name.startsWith('node:'));
  const open = [...Object.keys(manifest.dependencies), ...names].map((name) => ({ from: '', name }));
  const places = new Set<string>();
  for (let next = open.pop(); next; next = open.pop()) {
    if (isLeftOut(next.name)) continue;
    const place = findPlace(packages, next.from, next.name);
    if (place === null || !existsSync(join(top, place)))
      throw new Error(
        `The package ${next.name}, which ${next.from || 'a source file'} needs, is not there: run "npm ci".`,
      );
    if (places.has(place)) continue;
    places.add(place);
    for (const name of needsOf(packages[place] as Locked)) open.push({ from: place, name });
  }
  const all = [...places].map((place): ThirdParty => {
    const { version, license = 'unknown' } = packages[place] as Locked;
    const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
    return { name, version, licence: license, text: readText(join(top, place)) };
  });
  const byName = new Map(all.map((one) => [`${one.name} ${one.version}`, one]));
  return [...byName.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

/** A line about a package that carries no licence text: what its manifest says. */
function manifestLine(top: string, { name, version, licence }: ThirdParty): string {
  const { author, repository } = JSON.parse(readFileSync(join(top, 'node_modules', name, 'package.json'), 'utf8')) as {
    author?: string | { name: string };
    repository?: string | { url: string };
  };
  const by = typeof author === 'object' ? author.name : author;
  const where = typeof repository === 'object' ? repository.url : repository;
  return `- ${name} ${version}: ${licence}${by ? `, ${by}` : ''}${where ? `, ${where}` : ''}`;
}

/**
 * Write the notices: a table of the packages, and each licence text once, under the packages that carry it.
 *
 * @param top - the top of the repository, with node_modules installed.
 * @returns Markdown.
 * @throws as above.
 */
export function makeNotices(top: string): string {
  const all = listThirdParties(top);
  const texts = [...new Set(all.map(({ text }) => text))].filter((text) => text !== '');
  const bare = all.filter(({ text }) => text === '');
  const label = ({ name, version }: ThirdParty) => `${name} ${version}`;
  return `${[
    '# Third-party notices',
    'Packages of others in the product, with their licences. Made by `npm run notices` from the lock file and node_modules. The desktop program also holds Electron and Chromium, whose notices lie beside it (`LICENSE.electron.txt`, `LICENSES.chromium.html`). better-sqlite3 holds SQLite, which is in the public domain.',
    ['| package | version | licence |', '|---|---|---|'].join('\n') +
      all.map(({ name, version, licence }) => `\n| ${name} | ${version} | ${licence} |`).join(''),
    `## Without a text of their own\n\nTheir manifests say:\n\n${bare.map((one) => manifestLine(top, one)).join('\n')}`,
    ...texts.map((text) => {
      const holders = all.filter((one) => one.text === text).map(label);
      return `## ${holders.join(', ')}\n\n~~~~text\n${text}\n~~~~`;
    }),
  ].join('\n\n')}\n`;
}
