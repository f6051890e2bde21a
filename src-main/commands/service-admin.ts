// `epistream service org|user|key add|list`: who may use the embedded service. Works beside a running one.
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { addKey, addOrganization, addUser, listKeys, listOrganizations, listUsers } from '../local-service/admin.ts';
import { AgentError } from '../model/agent-error.ts';
import { EXIT } from './shared/exit.ts';
import { type Option, readOptions, requireOption } from './shared/options.ts';

const OPTIONS = {
  data: { value: 'D', help: 'folder of the service' },
  name: { value: 'NAME', help: 'name of the organization or user to add' },
  org: { value: 'ORG', help: 'organization of the user (default: the first one)' },
  user: { value: 'USER', help: 'user who gets the key (default: the first one)' },
} as const satisfies Record<string, Option>;

const NOUNS = ['org', 'user', 'key'] as const;

/** Whether the words after `service` are about who may use it. */
export function isAdministration([noun]: readonly string[]): boolean {
  return (NOUNS as readonly (string | undefined)[]).includes(noun);
}

/**
 * Add or list organizations, users or keys.
 *
 * @returns exit code 0; a new key is printed this once.
 * @throws `cli.usage`; those of the service's administration.
 */
export function administer([noun = '', ...args]: readonly string[]): number {
  const read = readOptions(`service ${noun}`, 'Manage who may use the embedded service.', OPTIONS, args, ['add|list']);
  if (!read) return EXIT.done;
  const { data, name, org, user } = read.values;
  const folder = resolve(requireOption(`service ${noun}`, 'data', data));
  const [verb] = read.words;
  if (verb !== 'add' && verb !== 'list') {
    throw new AgentError({
      code: 'cli.usage',
      message: `epistream service ${noun}: say add or list.`,
      hint: `For example: epistream service ${noun} list --data ${data}`,
    });
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (verb === 'list') list(noun, folder);
  else add(noun, folder, { name, org, user });
  return EXIT.done;
}

function list(noun: string, folder: string): void {
  if (noun === 'org') for (const name of listOrganizations(folder)) console.log(name);
  else if (noun === 'user') for (const row of listUsers(folder)) console.log(`${row.organization}\t${row.user}`);
  else {
    for (const { organization, user, ending, createdMs } of listKeys(folder)) {
      console.log(`${organization}\t${user}\t…${ending}\t${new Date(createdMs).toISOString()}`);
    }
  }
}

interface Addition {
  readonly name: string | undefined;
  readonly org: string | undefined;
  readonly user: string | undefined;
}

function add(noun: string, folder: string, { name, org, user }: Addition): void {
  if (noun === 'key') {
    const owner = { ...(org === undefined ? {} : { organization: org }), ...(user === undefined ? {} : { user }) };
    console.log(`API key, printed this once: ${addKey(folder, owner)}`);
    return;
  }
  const given = requireOption(`service ${noun} add`, 'name', name);
  if (noun === 'org') addOrganization(folder, given);
  else addUser(folder, given, org);
  console.log(`Added ${given}.`);
}
