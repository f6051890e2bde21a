// The house's arrows as data, and the check of an import graph against them. A file belongs to a room; a room may name
// the rooms in its row, itself, and nothing else. What a row does not name is forbidden, also for types.
import type { ImportGraph } from './import-graph.ts';

/** Rooms whose parts are siblings of each other: none imports another. Files beside the parts belong to the room. */
const PARTED = ['src-main/sources', 'src-renderer/features'];

/** Rooms of `src-main/` and what each names: no more than what it uses. */
const MAIN_ARROWS: Readonly<Record<string, readonly string[]>> = {
  main: ['shell', 'web', 'agent', 'platform', 'contract', 'model'],
  // With its commands: it starts things, and looks at answers and errors.
  cli: [
    ...[
      'agent',
      'agent/check',
      'contract',
      'agent/handlers',
      'local-service',
      'model',
      'agent/old-data',
      'agent/pipeline',
      'platform',
    ],
    ...['delivery/receipt', 'export', 'agent/service-link', 'settings', 'queue/store', 'web'],
  ],
  agent: [
    'agent/alarm',
    'contract',
    'agent/handlers',
    'model',
    'agent/pipeline',
    'platform',
    'delivery/client',
    'settings',
    'sources',
    'agent/status',
  ],
  'agent/handlers': [
    ...[
      'agent/check',
      'contract',
      'growth',
      'interface',
      'model',
      'agent/old-data',
      'agent/pipeline',
      'platform',
      'delivery/receipt',
    ],
    ...[
      'growth/rheed-session',
      'delivery/client',
      'agent/service-link',
      'settings',
      'sources',
      'queue/store',
      'export',
    ],
  ],
  'agent/pipeline': [
    ...[
      'contract',
      'growth',
      'model',
      'agent/old-data',
      'platform',
      'delivery/receipt',
      'queue/recorder',
      'growth/rheed-session',
      'delivery/client',
    ],
    ...['agent/service-link', 'settings', 'sources', 'agent/status', 'queue/store', 'delivery/upload', 'export'],
  ],
  'agent/alarm': [
    ...['contract', 'model', 'platform', 'delivery/client', 'agent/service-link', 'settings', 'agent/status'],
  ],
  'agent/check': ['contract', 'model', 'platform', 'delivery/client', 'agent/service-link', 'settings', 'sources'],
  'agent/old-data': ['model', 'delivery/client', 'settings', 'sources'],
  'agent/service-link': ['local-service', 'model', 'delivery/client', 'settings', 'delivery/upload'],
  shell: ['contract', 'model', 'platform'],
  web: ['contract', 'model'],
  'shell/preload': ['contract'],
  'agent/status': ['contract', 'model'],
  sources: ['model', 'platform'],
  'queue/store': ['model', 'platform'],
  settings: ['model', 'platform', 'delivery/client'],
  'queue/recorder': ['model'],
  'delivery/upload': ['model', 'delivery/client'],
  'delivery/receipt': ['model', 'delivery/client'],
  export: ['model', 'platform', 'delivery/receipt'],
  growth: ['model'],
  'growth/rheed-session': ['model'],
  'local-service': ['interface', 'model', 'platform'],
  'delivery/client': ['interface', 'model', 'platform'],
  // The service's endpoints as values, schemas alone: the page may know them, too.
  interface: ['model'],
  platform: ['model'],
  contract: ['interface', 'model'],
  model: [],
};

/** The rooms that are folders, from `src-main/`: `queue/store`. */
export const mainRooms = Object.keys(MAIN_ARROWS).flatMap((name) =>
  name === 'main' ? [] : [name === 'cli' ? 'commands' : name],
);

interface Walls {
  /** The rooms within, ground first: a file names its own room and those before it. `.`: the files beside the rooms. */
  readonly rooms: readonly string[];
  /** The files that other rooms of the house may name. */
  readonly doors: readonly string[];
}

/** Rooms that have rooms within. */
const INNER: Readonly<Record<string, Walls>> = {
  'src-main/sources/log': {
    rooms: ['time', 'cells', 'parse', 'columns', 'recognise', 'files', 'notes', 'follow', '.', 'reader'],
    doors: [
      ...['log-source.ts', 'preview.ts', 'reader/log-reader.ts'],
      ...['files/byte-ranges.ts', 'follow/held-desk.ts', 'recognise/dialect-library.ts'],
    ],
  },
  'src-main/sources/serial': {
    rooms: ['protocol', 'line', 'families', 'profile', 'poll', '.', 'probe'],
    doors: [
      ...['serial-source.ts', 'probe/probe.ts', 'probe/probe-plan.ts', 'probe/try-line.ts', 'protocol/bytes.ts'],
      ...['line/find-port.ts', 'line/line-hub.ts', 'line/serial-port.ts', 'line/transport.ts'],
      ...['profile/compile-profile.ts', 'profile/expand-profile.ts', 'profile/profile-library.ts'],
      'profile/profile-place.ts',
    ],
  },
  'src-main/sources/rheed': {
    rooms: ['files', 'count', 'readers', '.'],
    doors: ['rheed-source.ts', 'preview.ts', 'readers/port-reader.ts'],
  },
  'src-main/queue/store': {
    rooms: ['blocks', 'tables', 'database', 'chunks', 'repair', 'space', '.'],
    doors: ['store.ts', 'queue-file.ts', 'database/place-error.ts', 'space/forecast.ts'],
  },
  'src-main/local-service': {
    rooms: ['requests', 'storage', 'endpoints', 'import', 'migrate', 'lab', '.'],
    doors: ['local-service.ts', 'door.ts', 'admin.ts', 'own-key.ts', 'import/import-file.ts', 'migrate/migrate.ts'],
  },
};

/** Layers of `src-renderer/`, top down: imports go downwards only; `ui` may ask `format` for its texts. */
const PAGE_ARROWS: Readonly<Record<string, readonly string[]>> = {
  main: ['app', 'pages', 'frame', 'features', 'state', 'ui', 'format', 'bridge', 'contract'],
  app: ['pages', 'frame', 'features', 'state', 'ui', 'format', 'bridge', 'contract'],
  pages: ['frame', 'features', 'state', 'ui', 'format', 'bridge', 'contract'],
  frame: ['state', 'ui', 'format', 'bridge', 'contract'],
  features: ['state', 'ui', 'format', 'bridge', 'contract'],
  state: ['bridge', 'contract'],
  ui: ['format', 'bridge', 'contract'],
  format: ['bridge', 'contract'],
  bridge: ['session', 'contract'],
  session: ['contract'],
};

/** Packages that only some rooms may name; all others are free, except where `PURE` says otherwise. */
const OWNED: Readonly<Record<string, RegExp>> = {
  electron: /^src-main\/(main\.ts$|shell\/)/,
  // Reaches for Electron as soon as it does anything.
  'electron-updater': /^src-main\/shell\//,
  'better-sqlite3': /^src-main\/(queue\/store|local-service)\//,
  'node:sqlite': /^$/,
  pg: /^src-main\/local-service\/storage\/postgres\//,
  nodemailer: /^src-main\/agent\/alarm\//,
  undici: /^src-main\/delivery\/client\//,
  chokidar: /^src-main\/sources\/log\//,
  serialport: /^src-main\/(sources\/serial|platform)\//,
};

/** Where neither Node nor anything that needs it may be named: this code runs in a page, too. */
const PURE = /^src-main\/(contract|model|interface)\/|^src-renderer\//;

/**
 * Room of a path: `src-main/sources/log/x.ts` is in `sources`, `src-main/queue/store/x.ts` in `queue/store`, `src-main/agent.ts`
 * in `agent`; null outside the house.
 */
function roomOf(path: string): { half: 'main' | 'page'; name: string } | null {
  const [top, next = '', third = ''] = path.split('/');
  const name = next.replace(/\.[a-z.]+$/, '');
  const two = `${next}/${third}`;
  if (top === 'src-main' && Object.hasOwn(MAIN_ARROWS, two)) return { half: 'main', name: two };
  if (top === 'src-main') return { half: 'main', name: name === 'commands' ? 'cli' : name };
  return top === 'src-renderer' ? { half: 'page', name } : null;
}

/** Data and styles are no code: they may be named from anywhere in their half, `package.json` by the main half. */
const isData = (path: string) => /\.(json|css|svg|png|yaml|html)$/.test(path);

function partOf(path: string): string | null {
  const room = PARTED.find((folder) => path.startsWith(`${folder}/`));
  const parts = path.split('/');
  return room && parts.length > 3 ? parts.slice(0, 3).join('/') : null;
}

/** What is wrong with an arrow within, into or out of a room that has rooms; null when nothing is. */
function checkInner(from: string, to: string): string | null {
  for (const [folder, { rooms, doors }] of Object.entries(INNER)) {
    if (!to.startsWith(`${folder}/`)) continue;
    const below = to.slice(folder.length + 1);
    if (!from.startsWith(`${folder}/`)) return doors.includes(below) ? null : `${below} is no door of ${folder}`;
    const floorOf = (path: string) => rooms.indexOf(path.includes('/') ? (path.split('/')[0] ?? '') : '.');
    const [floor, other] = [floorOf(from.slice(folder.length + 1)), floorOf(below)];
    if (floor === -1 || other === -1) return `a room of ${folder} is not in the house`;
    return other <= floor ? null : `${rooms[floor]} may not know ${rooms[other]}`;
  }
  return null;
}

function checkFile(from: string, to: string): string | null {
  const [source, target] = [roomOf(from), roomOf(to)];
  if (!source) return null;
  if (!target) return isData(to) && source.half === 'main' ? null : 'reaches out of the house';
  if (isData(to)) return source.half === target.half ? null : 'takes data of the other half';
  const [part, otherPart] = [partOf(from), partOf(to)];
  if (part && otherPart && part !== otherPart) return 'siblings never import each other';
  if (source.half === target.half && source.name === target.name) return checkInner(from, to);
  if (source.half === 'main' && target.half === 'page') return 'the agent knows nothing of the page';
  if (source.half === 'page' && target.half === 'main' && target.name !== 'contract') {
    return 'of src-main the page knows contract/ alone';
  }
  const arrows = (source.half === 'main' ? MAIN_ARROWS : PAGE_ARROWS)[source.name];
  if (!arrows) return `the room ${source.name} is not in the house`;
  return arrows.includes(target.name) ? checkInner(from, to) : `${source.name} may not know ${target.name}`;
}

function checkPackage(from: string, name: string): string | null {
  const owner = Object.hasOwn(OWNED, name) ? OWNED[name] : undefined;
  if (owner && !owner.test(from)) return `${name} is known elsewhere only`;
  if (PURE.test(from) && name.startsWith('node:')) return 'this runs in a page, which has no Node';
  return null;
}

/**
 * Check every import of a graph against the arrows of the house.
 *
 * @returns one sentence for each that is wrong, `file:line imports x: why`; empty when all are right. What could not be
 *   followed is wrong, too: an arrow that nobody sees cannot be checked.
 */
export function findWrongArrows(graph: ImportGraph): string[] {
  return [...graph.values()].flatMap(({ path, imports, unclear }) => [
    ...(roomOf(path) ? unclear : []),
    ...imports.flatMap(({ to, isPackage, line }) => {
      const wrong = isPackage ? checkPackage(path, to) : checkFile(path, to);
      return wrong === null ? [] : [`${path}:${line} imports ${to}: ${wrong}`];
    }),
  ]);
}
