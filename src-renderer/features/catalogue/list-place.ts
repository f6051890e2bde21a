// Where a list stands: its filter as a part of the address behind the #, so that a view can be linked and Back works.
import { decodePart } from '../../format/path-part.ts';
import type { EntryFilter } from '../../state/catalogue.ts';
import { type Choice, orders } from './entry-rows.ts';

/** A list: its filter, how many of the newest entries are skipped, and what is kept of those that are here. */
export interface ListPlace extends EntryFilter, Choice {
  readonly skipped: number;
}

export const statuses = ['all', 'success', 'running', 'pending', 'error'] as const;

/** Everything, newest first. */
export const wholeCatalogue: ListPlace = {
  dataIds: [],
  sampleIds: [],
  type: '',
  status: 'all',
  keywords: [],
  isOrganization: true,
  skipped: 0,
  from: '',
  to: '',
  tool: '',
  sample: '',
  order: 'uploaded',
};

/** Bounds of the agent's call. */
const IDS_MAX = 100;
const KEYWORDS_MAX = 20;
const WORD_MAX = 200;

/** Split a text at blanks and commas into words that the agent takes. */
function splitWords(text: string, most: number): string[] {
  const words = text.split(/[\s,;]+/).filter((word) => word !== '' && word.length <= WORD_MAX);
  return [...new Set(words)].slice(0, most);
}

/** Split a text into ids, as many as the agent takes. */
export const splitIds = (text: string): string[] => splitWords(text, IDS_MAX);
/** Split a text into words to search for, as many as the agent takes. */
export const splitKeywords = (text: string): string[] => splitWords(text, KEYWORDS_MAX);

/** Write the path of a list: `/catalogue`, or `/catalogue/where/type=xps&word=GaAs`. */
export function pathOfList(place: ListPlace): string {
  const { dataIds, sampleIds, type, status, keywords, isOrganization, skipped, from, to, tool, sample, order } = place;
  const query = new URLSearchParams();
  for (const word of keywords) query.append('word', word);
  if (type !== '') query.set('type', type);
  if (status !== 'all') query.set('status', status);
  if (!isOrganization) query.set('whose', 'mine');
  for (const id of sampleIds) query.append('sample', id);
  for (const id of dataIds) query.append('entry', id);
  for (const [name, value] of Object.entries({ since: from, until: to, tool, of: sample }))
    if (value !== '') query.set(name, value);
  if (order !== 'uploaded') query.set('by', order);
  if (skipped > 0) query.set('from', String(skipped));
  const text = query.toString();
  return text === '' ? '/catalogue' : `/catalogue/where/${text}`;
}

/** What an address behind the # shows: a list or an entry, with the one that is laid over it. Anything else of the catalogue is the whole list. */
export function readPlace(hash: string): { entry: string; over: string | null } | { list: ListPlace } {
  const path = hash.replace(/^#?\/?catalogue\/?/, '');
  const [kind, ...rest] = path.split('/');
  if (kind === 'entry' && rest[0])
    return { entry: decodePart(rest[0]), over: rest[1] === 'over' && rest[2] ? decodePart(rest[2]) : null };
  return { list: kind === 'where' ? readList(rest.join('/')) : wholeCatalogue };
}

function readList(text: string): ListPlace {
  const query = new URLSearchParams(text);
  const bounded = (name: string, most: number) =>
    query
      .getAll(name)
      .filter((word) => word !== '' && word.length <= WORD_MAX)
      .slice(0, most);
  const skipped = Number(query.get('from') ?? 0);
  const day = (name: string) => (/^\d{4}-\d\d-\d\d$/.test(query.get(name) ?? '') ? (query.get(name) ?? '') : '');
  const words = (name: string) => (query.get(name) ?? '').slice(0, WORD_MAX);
  return {
    dataIds: bounded('entry', IDS_MAX),
    sampleIds: bounded('sample', IDS_MAX),
    type: (query.get('type') ?? '').slice(0, WORD_MAX),
    status: statuses.find((status) => status === query.get('status')) ?? 'all',
    keywords: bounded('word', KEYWORDS_MAX),
    isOrganization: query.get('whose') !== 'mine',
    from: day('since'),
    to: day('until'),
    tool: words('tool'),
    sample: words('of'),
    order: orders.find((order) => order === query.get('by')) ?? 'uploaded',
    skipped: Number.isSafeInteger(skipped) && skipped > 0 ? skipped : 0,
  };
}
