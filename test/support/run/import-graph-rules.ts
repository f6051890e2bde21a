// The house's arrows as data, and the check of an import graph against them. A file belongs to a room; a room may name
// the rooms in its row, itself, and nothing else. What a row does not name is forbidden, also for types.
import type { ImportGraph } from './import-graph.ts';

/** Rooms whose parts are siblings of each other: none imports another. Files beside the parts belong to the room. */
const PARTED = ['src-main/sources', 'src-renderer/features'];

const VALUES = ['model'];
/** The service's interface as values: schemas alone, which the screen may know, too. */
const INTERFACE = /^src-main\/service\/(table|resources|shape)\.ts$/;
const CAPTURE = ['service', 'service-interface', 'platform', ...VALUES];
/** `main` and `cli` (with its commands) start things; they look at answers and errors, so they know their shapes too. */
const START = ['agent', 'platform', 'contract', ...VALUES];

/** Rooms of `src-main/` and what each may name. */
const MAIN_ARROWS: Readonly<Record<string, readonly string[]>> = {
  main: ['shell', 'web', ...START],
  cli: [
    ...['shell', 'web', 'handlers', 'pipeline', 'check', 'old-data', 'service-link'],
    ...['settings', 'store', 'receipt', 'local-service', ...START],
  ],
  agent: ['handlers', 'pipeline', 'status', 'sources', 'settings', 'contract', ...CAPTURE],
  handlers: [
    ...['pipeline', 'check', 'old-data', 'service-link', 'sources', 'store', 'rheed-session', 'growth', 'receipt'],
    ...['settings', 'contract', ...CAPTURE],
  ],
  pipeline: [
    ...['service-link', 'status', 'sources', 'recorder', 'store', 'upload', 'rheed-session', 'growth', 'receipt'],
    ...['old-data', 'settings', 'contract', ...CAPTURE],
  ],
  check: ['service-link', 'sources', 'settings', 'contract', ...CAPTURE],
  'old-data': ['sources', 'settings', ...CAPTURE],
  'service-link': ['local-service', 'upload', 'settings', ...CAPTURE],
  shell: ['contract', ...VALUES],
  web: ['contract', ...VALUES],
  preload: ['contract', ...VALUES],
  status: ['contract', ...VALUES],
  sources: CAPTURE,
  recorder: CAPTURE,
  store: CAPTURE,
  upload: CAPTURE,
  'rheed-session': CAPTURE,
  growth: CAPTURE,
  receipt: CAPTURE,
  settings: CAPTURE,
  'local-service': CAPTURE,
  service: ['service-interface', ...VALUES],
  'service-interface': VALUES,
  platform: VALUES,
  contract: ['service-interface', ...VALUES],
  model: [],
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
  electron: /^src-main\/(main\.ts$|shell\/|preload\/)/,
  // Reaches for Electron as soon as it does anything.
  'electron-updater': /^src-main\/shell\//,
  'better-sqlite3': /^src-main\/(store|local-service)\//,
  'node:sqlite': /^$/,
  undici: /^src-main\/service\//,
  chokidar: /^src-main\/sources\/log\//,
  serialport: /^src-main\/(sources\/serial|platform)\//,
};

/** Where neither Node nor anything that needs it may be named: this code runs in a page, too. */
const PURE = new RegExp(`^src-main/(contract|model)/|^src-renderer/|${INTERFACE.source}`);

/** Room of a path: `src-main/sources/log/x.ts` is in `sources`, `src-main/agent.ts` in `agent`; null outside the house. */
function roomOf(path: string): { half: 'main' | 'page'; name: string } | null {
  if (INTERFACE.test(path)) return { half: 'main', name: 'service-interface' };
  const [top, next = ''] = path.split('/');
  const name = next.replace(/\.[a-z.]+$/, '');
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

function checkFile(from: string, to: string): string | null {
  const [source, target] = [roomOf(from), roomOf(to)];
  if (!source) return null;
  if (!target) return isData(to) && source.half === 'main' ? null : 'reaches out of the house';
  if (isData(to)) return source.half === target.half ? null : 'takes data of the other half';
  const [part, otherPart] = [partOf(from), partOf(to)];
  if (part && otherPart && part !== otherPart) return 'siblings never import each other';
  if (source.half === target.half && source.name === target.name) return null;
  if (source.half === 'main' && target.half === 'page') return 'the agent knows nothing of the page';
  if (source.half === 'page' && target.half === 'main' && target.name !== 'contract') {
    return 'of src-main the page knows contract/ alone';
  }
  const arrows = (source.half === 'main' ? MAIN_ARROWS : PAGE_ARROWS)[source.name];
  if (!arrows) return `the room ${source.name} is not in the house`;
  return arrows.includes(target.name) ? null : `${source.name} may not know ${target.name}`;
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
 * **Gives**: one sentence for each that is wrong, `file:line imports x: why`; empty when all are right. What could not be
 * followed is wrong, too: an arrow that nobody sees cannot be checked.
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

/** Lines above which a file is split or says why it is not. */
const LINES_MAX = 400;

/**
 * Find files that are too long without a word about it.
 *
 * **Gives**: those above LINES_MAX lines whose head (comments before the first code) does not hold "long because".
 */
export function findLongFiles(graph: ImportGraph): string[] {
  return [...graph.values()].flatMap(({ path, text }) => {
    const lines = text.trimEnd().split('\n').length;
    const [head = ''] = /^(?:\s*(?:\/\/.*|\/\*[\s\S]*?\*\/))*/.exec(text) ?? [];
    return lines > LINES_MAX && !/long because/i.test(head) ? [`${path} has ${lines} lines`] : [];
  });
}
