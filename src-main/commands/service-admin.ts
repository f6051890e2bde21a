// `epistream service org|user|key add|list`, `epistream service key revoke|replace`, `epistream service audit list`: who may use the
// embedded service, and who changed what. Works beside a running one.
import {
  addKey,
  addOrganization,
  addUser,
  type KeyRow,
  listAuditLines,
  listKeys,
  listOrganizations,
  listUsers,
  type Role,
  replaceKey,
  revokeKey,
  roles,
} from '../local-service/admin.ts';
import { AgentError } from '../model/agent-error.ts';
import { DATABASE_OPTION, readStorage } from './service-storage.ts';
import { EXIT } from './shared/exit.ts';
import { type Option, readOptions, requireOption } from './shared/options.ts';

/** Lines of the audit that are listed when no number is given. */
const LINES_TOLD = 1000;

const OPTIONS = {
  data: { value: 'D', help: 'folder of the service' },
  database: DATABASE_OPTION,
  name: { value: 'NAME', help: 'name of the organization or user to add' },
  org: { value: 'ORG', help: 'organization of the user (default: the first one)' },
  user: { value: 'USER', help: 'user who gets the key (default: the first one)' },
  days: { value: 'N', help: 'days for which the new key is good (default: for ever)' },
  role: { value: 'ROLE', help: 'what the new key may do: full (default), ingest (all that an agent needs) or read' },
  last: { value: 'N', help: `lines of the audit to list (default: ${LINES_TOLD})` },
  id: { value: 'N', help: 'number of the key to revoke or replace, as "service key list" shows it' },
} as const satisfies Record<string, Option>;

const NOUNS = ['org', 'user', 'key', 'audit'] as const;

/** Verbs of each noun that has others than to add and to list. */
const VERBS: Readonly<Record<string, readonly string[]>> = {
  key: ['add', 'list', 'revoke', 'replace'],
  audit: ['list'],
};

/** Whether the words after `service` are about who may use it. */
export function isAdministration([noun]: readonly string[]): boolean {
  return (NOUNS as readonly (string | undefined)[]).includes(noun);
}

/**
 * Add or list organizations, users or keys; revoke or replace a key.
 *
 * @returns exit code 0; a new key is printed this once.
 * @throws `cli.usage`; those of the service's administration.
 */
export async function administer([noun = '', ...args]: readonly string[]): Promise<number> {
  const verbs = VERBS[noun] ?? ['add', 'list'];
  const summary = 'Manage who may use the embedded service.';
  const read = readOptions(`service ${noun}`, summary, OPTIONS, args, [verbs.join('|')]);
  if (!read) return EXIT.done;
  const { data, name, org, user, days, id, role, last } = read.values;
  const { folder, database } = readStorage(`service ${noun}`, read.values);
  const [verb] = read.words;
  if (!verbs.includes(verb ?? '')) {
    throw new AgentError({
      code: 'cli.usage',
      message: `epistream service ${noun}: say ${verbs.join(', ').replace(/, (\w+)$/, ' or $1')}.`,
      hint: `For example: epistream service ${noun} list ${database === null ? `--data ${data}` : '--database URL'}`,
    });
  }
  const place = database ?? folder;
  if (noun === 'audit') await listAudit(place, last === undefined ? LINES_TOLD : count('last', last));
  else if (verb === 'list') await list(noun, place);
  else if (verb === 'add')
    await add(noun, place, {
      name,
      org,
      user,
      days: days === undefined ? undefined : count('days', days),
      role: readRole(role),
    });
  else {
    const number = count('id', requireOption(`service key ${verb}`, 'id', id));
    if (verb === 'replace') console.log(`API key, printed this once: ${await replaceKey(place, number)}`);
    const isNews = verb === 'replace' || (await revokeKey(place, number));
    console.log(isNews ? `Key ${number} is revoked.` : `Key ${number} was revoked before; nothing changed.`);
  }
  return EXIT.done;
}

function readRole(text: string | undefined): Role | undefined {
  const role = roles.find((known) => known === text);
  if (role !== undefined || text === undefined) return role;
  throw new AgentError({
    code: 'cli.usage',
    message: `epistream service key: --role ${text} is none.`,
    hint: `Give one of ${roles.join(', ')}.`,
  });
}

function count(option: string, text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw new AgentError({
    code: 'cli.usage',
    message: `epistream service key: --${option} ${text} is not a whole number above 0.`,
    hint: `For example: --${option} 30`,
  });
}

/** Cells as one line, whatever stands in them: a name with a line break would add a line that nobody wrote. */
function toLine(cells: readonly (string | number)[]): string {
  return cells.map((cell) => String(cell).replaceAll('\n', '\\u000a').replaceAll('\t', '\\u0009')).join('\t');
}

/** A key as a line: number, owner, ending, what it may do, when it was made, when it was last used, and whether it is still good. */
function keyLine({ id, organization, user, ending, createdMs, usedMs, expiresMs, revokedMs, role }: KeyRow): string {
  const at = (ms: number) => new Date(ms).toISOString();
  const used = usedMs === null ? 'never used' : `last used ${at(usedMs)}`;
  const end = expiresMs === null ? 'does not expire' : `expires ${at(expiresMs)}`;
  const state = revokedMs === null ? end : `revoked ${at(revokedMs)}`;
  return toLine([id, organization, user, `…${ending}`, role, `made ${at(createdMs)}`, used, state]);
}

/** Print who changed what, a line each: time, who, from where, what, to what. */
async function listAudit(place: string, most: number): Promise<void> {
  for (const { atMs, who, from, action, subject } of await listAuditLines(place, most)) {
    console.log(toLine([new Date(atMs).toISOString(), who, from, action, subject]));
  }
}

async function list(noun: string, place: string): Promise<void> {
  if (noun === 'org') for (const name of await listOrganizations(place)) console.log(toLine([name]));
  else if (noun === 'user')
    for (const { organization, user } of await listUsers(place)) console.log(toLine([organization, user]));
  else {
    for (const key of await listKeys(place)) console.log(keyLine(key));
  }
}

interface Addition {
  readonly name: string | undefined;
  readonly org: string | undefined;
  readonly user: string | undefined;
  readonly days: number | undefined;
  readonly role: Role | undefined;
}

async function add(noun: string, place: string, { name, org, user, days, role }: Addition): Promise<void> {
  if (noun === 'key') {
    const owner = {
      ...(org === undefined ? {} : { organization: org }),
      ...(user === undefined ? {} : { user }),
      ...(days === undefined ? {} : { days }),
      ...(role === undefined ? {} : { role }),
    };
    console.log(`API key, printed this once: ${await addKey(place, owner)}`);
    return;
  }
  const given = requireOption(`service ${noun} add`, 'name', name);
  const isNew = noun === 'org' ? await addOrganization(place, given) : await addUser(place, given, org);
  console.log(isNew ? `Added ${given}.` : `${given} is there already; nothing changed.`);
}
