// The real import graph of a source tree: read by the parser that bundles it, so that what counts is what runs. Type
// imports, dynamic imports, `import('x').T`, `require` and worker files named by `new URL(..., import.meta.url)` all count.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, posix, relative, resolve, sep } from 'node:path';
import { parseSync } from 'vite';

interface Import {
  /** Path of a file of the tree, with `/`; or the name of a package, or `node:...`. */
  readonly to: string;
  readonly isPackage: boolean;
  /** 1-based. */
  readonly line: number;
}

interface SourceFile {
  /** From the root of the tree, with `/`. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly Import[];
  /** What could not be followed: imports of computed names, of files that are not there. */
  readonly unclear: readonly string[];
}

export type ImportGraph = ReadonlyMap<string, SourceFile>;

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [field: string]: unknown;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function visit(node: Node, see: (node: Node) => void): void {
  see(node);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, see);
  }
}

/** The text of a literal, also of a template without holes; null when it is computed. */
function literal(node: unknown): string | null {
  if (!isNode(node)) return null;
  if (node.type === 'TSLiteralType') return literal(node.literal);
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  const [only, ...more] = node.type === 'TemplateLiteral' && Array.isArray(node.quasis) ? node.quasis : [];
  return isNode(only) && more.length === 0 ? (only.value as { cooked: string }).cooked : null;
}

const nameOf = (node: unknown) => (isNode(node) && node.type === 'Identifier' ? node.name : undefined);
const isMeta = (node: unknown) => isNode(node) && node.type === 'MetaProperty';

/** Where a node names another module: the node of the name, and whether it may also be something else. */
function namedModule(node: Node): { source: unknown; isCertain: boolean } | null {
  const [first, second] = (Array.isArray(node.arguments) ? node.arguments : []) as unknown[];
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
    case 'ExportNamedDeclaration':
      return node.source ? { source: node.source, isCertain: true } : null;
    case 'ImportExpression':
      return { source: node.source, isCertain: true };
    case 'TSImportType':
      return { source: node.source ?? node.argument, isCertain: true };
    case 'TSExternalModuleReference':
      return { source: node.expression, isCertain: true };
    case 'CallExpression': {
      if (nameOf(node.callee) === 'require') return { source: first, isCertain: true };
      const { object } = node.callee as Node;
      return isMeta(object) ? { source: first, isCertain: false } : null;
    }
    case 'NewExpression': {
      const isOfThisFile = isNode(second) && second.type === 'MemberExpression' && isMeta(second.object);
      return nameOf(node.callee) === 'URL' && isOfThisFile ? { source: first, isCertain: false } : null;
    }
    default:
      return null;
  }
}

const toPosix = (path: string) => path.split(sep).join(posix.sep);
const isFile = (path: string) => existsSync(path) && statSync(path).isFile();

function packageOf(name: string): string {
  const parts = name.split('/');
  return name.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? name);
}

interface Named {
  /** Null: it is computed. */
  readonly name: string | null;
  readonly start: number;
  /** False: it may be the name of something else than a module. */
  readonly isCertain: boolean;
}

/**
 * What a file names as modules, in the order of its text. The parser tells imports and exports without the tree; the tree, which
 * takes ten times as long, is walked where the file may name one in another way.
 */
function listNamed(text: string, parsed: ReturnType<typeof parseSync>): Named[] {
  const { staticImports, staticExports, importMetas } = parsed.module;
  const isPlain =
    importMetas.length === 0 &&
    !/\brequire\b/.test(text) &&
    text.match(/\bimport\b/g)?.length === (staticImports.length || undefined) &&
    staticExports.every(({ entries }) => entries.length > 0);
  if (!isPlain) {
    const named: Named[] = [];
    visit(parsed.program as unknown as Node, (node) => {
      const found = namedModule(node);
      if (found) named.push({ name: literal(found.source), start: node.start, isCertain: found.isCertain });
    });
    return named;
  }
  const imported = staticImports.map(({ start, moduleRequest }) => ({
    name: moduleRequest.value,
    start,
    isCertain: true,
  }));
  // Of what is imported first and exported then, the parser tells the import once more.
  const starts = new Set(imported.map(({ start }) => start));
  const exported = staticExports.flatMap(({ start, entries: [first] }) =>
    first?.moduleRequest && !starts.has(start) ? [{ name: first.moduleRequest.value, start, isCertain: true }] : [],
  );
  return [...imported, ...exported].sort((a, b) => a.start - b.start);
}

function readFile(root: string, path: string): SourceFile {
  const text = readFileSync(join(root, path), 'utf8');
  const parsed = parseSync(path, text);
  const imports: Import[] = [];
  const unclear = parsed.errors.map(({ message }) => `${path}: ${message}`);
  const lineOf = (offset: number) => text.slice(0, offset).split('\n').length;
  for (const { name, start, isCertain } of listNamed(text, parsed)) {
    const line = lineOf(start);
    if (name === null) {
      if (isCertain) unclear.push(`${path}:${line} imports a computed name`);
    } else if (!/^\.{0,2}\//.test(name)) {
      if (isCertain) imports.push({ to: name.startsWith('node:') ? name : packageOf(name), isPackage: true, line });
    } else {
      const target = resolve(root, dirname(path), name);
      if (isFile(target)) imports.push({ to: toPosix(relative(root, target)), isPackage: false, line });
      else if (isCertain) unclear.push(`${path}:${line} imports ${name}, which is not there`);
    }
  }
  return { path, text, imports, unclear };
}

/** What was read in this process: several tests ask for the house, and it does not change under them. */
const known = new Map<string, readonly SourceFile[]>();

function readFolder(root: string, folder: string): readonly SourceFile[] {
  const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true });
  return entries.flatMap((entry) => {
    if (!entry.isFile() || !/\.(ts|tsx|mts|mjs|js)$/.test(entry.name)) return [];
    const path = toPosix(relative(root, join(entry.parentPath, entry.name)));
    return path.includes('node_modules/') ? [] : readFile(root, path);
  });
}

/**
 * Read the import graph of a tree, each folder once in a process.
 *
 * @param folders - the folders below it that hold source files (.ts, .tsx, .mts, .mjs, .js).
 * @returns every source file by its path from the root, with everything that it names as a module.
 */
export function readImportGraph(root: string, folders: readonly string[]): ImportGraph {
  const graph = new Map<string, SourceFile>();
  for (const folder of folders) {
    const place = join(root, folder);
    const files = known.get(place) ?? readFolder(root, folder);
    known.set(place, files);
    for (const file of files) graph.set(file.path, file);
  }
  return graph;
}

/**
 * Find every circle of imports.
 * Source: Tarjan, Depth-first search and linear graph algorithms, 1972.
 *
 * @returns each set of files that import each other round and round, as one list in the order they were met; a file that
 *   imports itself is one too. Empty when there are none.
 */
export function findCircles(graph: ImportGraph): string[][] {
  const order = new Map<string, { index: number; low: number; isOnStack: boolean }>();
  const stack: string[] = [];
  const circles: string[][] = [];
  const targets = (path: string) =>
    (graph.get(path)?.imports ?? []).filter(({ to, isPackage }) => !isPackage && graph.has(to)).map(({ to }) => to);

  const connect = (path: string) => {
    const state = { index: order.size, low: order.size, isOnStack: true };
    order.set(path, state);
    stack.push(path);
    for (const to of targets(path)) {
      const met = order.get(to);
      if (!met) state.low = Math.min(state.low, connect(to).low);
      else if (met.isOnStack) state.low = Math.min(state.low, met.index);
    }
    if (state.low === state.index) {
      const part = stack.splice(stack.indexOf(path));
      for (const member of part) (order.get(member) ?? state).isOnStack = false;
      if (part.length > 1 || targets(path).includes(path)) circles.push(part);
    }
    return state;
  };
  for (const path of graph.keys()) if (!order.has(path)) connect(path);
  return circles;
}
