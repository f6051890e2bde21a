// The pages for people, as tests read them: README, `.github/` and `resources/docs/`.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const top = join(import.meta.dirname, '../..');

export interface DocPage {
  /** Below the top of the repository, with `/`. */
  readonly path: string;
  readonly text: string;
}

const below = (folder: string) =>
  readdirSync(join(top, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`);

/** Read one page by its path below the top of the repository. */
export function readPage(path: string): DocPage {
  return { path, text: readFileSync(join(top, path), 'utf8') };
}

/** Read every page for people, README first. */
export function readPages(): readonly DocPage[] {
  return ['README.md', ...below('.github').sort(), ...below('resources/docs').sort()].map(readPage);
}

/** The code blocks of a language in a text, in order. */
export function codeBlocks(text: string, language: string): string[] {
  return [...text.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))].map(([, block]) => block as string);
}

export interface NamedCommand {
  readonly name: string;
  readonly options: readonly string[];
}

/**
 * List the commands of Epistream that a text names as code: `epistream NAME ...` or `npm run agent -- NAME ...`.
 *
 * A command ends where its code does; in tables `|` is written with a backslash. The users of the embedded service have a
 * name of three words, `service user add`; where a page reads `org|user|key add|list`, one stands for all.
 */
export function namedCommands(text: string): NamedCommand[] {
  const calls = text.matchAll(
    /(?:^|`|-u epistream )(?:epistream|npm run agent --) ([a-z-](?:[^`\n]|\n(?! *[`\n#|]))*)/gm,
  );
  return [...calls].map(([, line = '']) => {
    const plain = line.replace('org|user|key add|list', 'key add');
    const [name = ''] = /^service (org|user|key) (add|list)|^service migrate|^\S+/.exec(plain) ?? [];
    return { name, options: plain.match(/--[a-z][a-z-]*/g) ?? [] };
  });
}
