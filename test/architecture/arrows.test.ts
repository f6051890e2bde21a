// The arrows of the house over the real import graph, and over small planted trees: a check that cannot fail proves
// nothing.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findCircles, readImportGraph } from '../support/run/import-graph.ts';
import { findWrongArrows } from '../support/run/import-graph-rules.ts';
import { tempFolder } from '../support/temp-folder.ts';

const top = join(import.meta.dirname, '../..');
const house = readImportGraph(top, ['src-main', 'src-renderer']);

/** Plants files in an empty tree; those that are imported and not given are made empty. */
function plant(files: Readonly<Record<string, string>>) {
  const root = tempFolder();
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const folder of ['src-main', 'src-renderer', 'test']) mkdirSync(join(root, folder));
  for (const [path, text] of Object.entries(files)) write(path, text);
  return readImportGraph(root, ['src-main', 'src-renderer', 'test']);
}

/** One file that imports another, and what the check says about it. */
function wrongOf(from: string, to: string): string[] {
  const steps = '../'.repeat(from.split('/').length - 1);
  return findWrongArrows(plant({ [to]: 'export type A = 1;', [from]: `import type { A } from './${steps}${to}';` }));
}

describe('the house', () => {
  test('is read whole', () => {
    expect(house.size).toBeGreaterThan(100);
    expect(house.has('src-main/model/agent-error.ts')).toBe(true);
    const imports = [...house.values()].flatMap((file) => file.imports);
    expect(imports.length).toBeGreaterThan(house.size);
  });

  test('has no wrong arrow, type imports included', () => {
    expect(findWrongArrows(house)).toEqual([]);
  });

  test('has no circle, type imports included', () => {
    expect(findCircles(house)).toEqual([]);
  });
});

describe('a planted arrow is found', () => {
  test.each([
    ['src-main/queue/store/a.ts', 'src-main/delivery/upload/b.ts', 'queue/store may not know delivery/upload'],
    ['src-main/sources/log/a.ts', 'src-main/settings/b.ts', 'sources may not know settings'],
    ['src-main/queue/recorder/a.ts', 'src-main/agent/b.ts', 'queue/recorder may not know agent'],
    ['src-main/model/a.ts', 'src-main/platform/b.ts', 'model may not know platform'],
    ['src-main/delivery/client/a.ts', 'src-main/settings/b.ts', 'delivery/client may not know settings'],
    ['src-main/contract/a.ts', 'src-main/agent/status/b.ts', 'contract may not know agent/status'],
    ['src-main/contract/a.ts', 'src-main/delivery/client/client.ts', 'contract may not know delivery/client'],
    ['src-main/interface/table.ts', 'src-main/delivery/client/client.ts', 'interface may not know delivery/client'],
    ['src-main/shell/preload/a.ts', 'src-main/shell/b.ts', 'shell/preload may not know shell'],
    ['src-main/agent.ts', 'src-main/shell/b.ts', 'agent may not know shell'],
    ['src-main/agent/a.ts', 'src-main/queue/store/b.ts', 'agent may not know queue/store'],
    ['src-main/agent/handlers/a.ts', 'src-main/agent/b.ts', 'agent/handlers may not know agent'],
    ['src-main/agent/handlers/a.ts', 'src-main/delivery/upload/b.ts', 'agent/handlers may not know delivery/upload'],
    ['src-main/agent/pipeline/a.ts', 'src-main/agent/handlers/b.ts', 'agent/pipeline may not know agent/handlers'],
    [
      'src-main/agent/service-link/a.ts',
      'src-main/agent/pipeline/b.ts',
      'agent/service-link may not know agent/pipeline',
    ],
    ['src-main/agent/check/a.ts', 'src-main/agent/pipeline/b.ts', 'agent/check may not know agent/pipeline'],
    ['src-main/agent/old-data/a.ts', 'src-main/agent/pipeline/b.ts', 'agent/old-data may not know agent/pipeline'],
    ['src-main/main.ts', 'src-main/queue/store/b.ts', 'main may not know queue/store'],
    ['src-main/commands/a.ts', 'src-main/queue/recorder/b.ts', 'cli may not know queue/recorder'],
    ['src-main/attic/a.ts', 'src-main/model/b.ts', 'attic is not in the house'],
    ['src-main/sources/log/a.ts', 'src-main/sources/serial/b.ts', 'siblings'],
    ['src-main/sources/log/time/a.ts', 'src-main/sources/log/files/b.ts', 'time may not know files'],
    ['src-main/queue/store/blocks/a.ts', 'src-main/queue/store/b.ts', 'blocks may not know .'],
    [
      'src-main/queue/store/attic/a.ts',
      'src-main/queue/store/b.ts',
      'a room of src-main/queue/store is not in the house',
    ],
    [
      'src-main/agent/pipeline/a.ts',
      'src-main/sources/log/follow/b.ts',
      'follow/b.ts is no door of src-main/sources/log',
    ],
    ['src-main/agent/status/a.ts', 'src-renderer/format/b.ts', 'nothing of the page'],
    ['src-renderer/bridge.ts', 'src-main/model/b.ts', 'contract/ alone'],
    ['src-renderer/features/x/a.tsx', 'src-main/agent/b.ts', 'contract/ alone'],
    ['src-renderer/features/x/a.tsx', 'src-renderer/features/y/b.tsx', 'siblings'],
    ['src-renderer/format/a.ts', 'src-renderer/ui/b.tsx', 'format may not know ui'],
    ['src-renderer/state/a.ts', 'src-renderer/features/x/b.ts', 'state may not know features'],
    ['src-main/queue/store/a.ts', 'test/support/b.ts', 'out of the house'],
    ['src-renderer/ui/a.ts', 'src-main/contract/b.json', 'data of the other half'],
  ])('%s -> %s', (from, to, why) => {
    expect(wrongOf(from, to)).toEqual([expect.stringContaining(`${from}:1 imports ${to}: `)]);
    expect(wrongOf(from, to)[0]).toContain(why);
  });

  test.each([
    ['src-main/agent/a.ts', 'src-main/sources/log/log-source.ts'],
    ['src-main/agent/a.ts', 'src-main/agent/handlers/b.ts'],
    ['src-main/agent/handlers/a.ts', 'src-main/agent/pipeline/b.ts'],
    ['src-main/agent/pipeline/a.ts', 'src-main/delivery/upload/b.ts'],
    ['src-main/sources/log/a.ts', 'src-main/sources/source.ts'],
    ['src-main/sources/source.ts', 'src-main/sources/log/preview.ts'],
    ['src-main/queue/store/a.ts', 'src-main/queue/store/repair/b.ts'],
    ['src-main/queue/store/repair/a.ts', 'src-main/queue/store/blocks/b.ts'],
    ['src-main/cli.ts', 'src-main/commands/b.ts'],
    ['src-main/contract/a.ts', 'src-main/interface/resources.ts'],
    ['src-main/delivery/client/client.ts', 'src-main/interface/table.ts'],
    ['src-main/commands/a.ts', 'package.json'],
    ['src-renderer/features/x/a.tsx', 'src-main/contract/b.ts'],
    ['src-renderer/features/x/a.tsx', 'src-renderer/features/x/b.tsx'],
    ['src-renderer/ui/a.tsx', 'src-renderer/format/b.ts'],
    ['src-renderer/app.tsx', 'src-renderer/features/x/b.tsx'],
    ['test/unit/a.ts', 'src-main/queue/store/b.ts'],
  ])('and a right one is not: %s -> %s', (from, to) => {
    expect(wrongOf(from, to)).toEqual([]);
  });

  test.each([
    ["export * from '../../delivery/upload/b.ts';"],
    ["export { b } from '../../delivery/upload/b.ts';"],
    ["export type { B } from '../../delivery/upload/b.ts';"],
    ["import { type B } from '../../delivery/upload/b.ts';"],
    ["import '../../delivery/upload/b.ts';"],
    ["export const b = await import('../../delivery/upload/b.ts');"],
    ['export const b = () => import(`../../delivery/upload/b.ts`);'],
    ["export type B = import('../../delivery/upload/b.ts').B;"],
    ["export type B = typeof import('../../delivery/upload/b.ts');"],
    ["import b = require('../../delivery/upload/b.ts');"],
    ["const b = require('../../delivery/upload/b.ts');"],
    ["new Worker(new URL('../../delivery/upload/b.ts', import.meta.url));"],
    ["import.meta.resolve('../../delivery/upload/b.ts');"],
  ])('however it is written: %s', (text) => {
    const graph = plant({
      'src-main/queue/store/a.ts': text,
      'src-main/delivery/upload/b.ts': 'export const b = 1; export type B = 1;',
    });
    expect(findWrongArrows(graph)).toEqual([expect.stringContaining('queue/store may not know delivery/upload')]);
  });

  test.each([
    ['src-main/agent/a.ts', 'electron'],
    ['src-main/platform/a.ts', 'electron'],
    ['src-main/web/a.ts', 'electron/main'],
    ['src-main/queue/recorder/a.ts', 'better-sqlite3'],
    ['src-main/queue/store/a.ts', 'node:sqlite'],
    ['src-main/delivery/upload/a.ts', 'undici'],
    ['src-main/platform/a.ts', 'chokidar'],
    ['src-main/sources/log/a.ts', 'serialport'],
    ['src-main/contract/a.ts', 'node:fs'],
    ['src-main/model/a.ts', 'node:crypto'],
    ['src-renderer/ui/a.tsx', 'node:path'],
    ['src-renderer/state/a.ts', 'electron'],
  ])('%s -> the package %s', (from, name) => {
    expect(findWrongArrows(plant({ [from]: `import type { X } from '${name}';` }))).toHaveLength(1);
  });

  test.each([
    ['src-main/shell/a.ts', 'electron'],
    ['src-main/main.ts', 'electron'],
    ['src-main/local-service/a.ts', 'better-sqlite3'],
    ['src-main/delivery/client/a.ts', 'undici'],
    ['src-main/sources/log/a.ts', 'chokidar'],
    ['src-main/contract/a.ts', 'zod'],
    ['src-main/queue/store/a.ts', 'node:fs'],
  ])('and a right one is not: %s -> the package %s', (from, name) => {
    expect(findWrongArrows(plant({ [from]: `import '${name}';` }))).toEqual([]);
  });

  test('one that cannot be followed is wrong, too', () => {
    const graph = plant({
      'src-main/queue/store/a.ts': 'export const load = (name: string) => import(name);',
      'src-main/queue/store/b.ts': "import './not-there.ts';",
      'src-main/queue/store/c.ts': 'import {',
    });
    expect(findWrongArrows(graph)).toEqual([
      'src-main/queue/store/a.ts:1 imports a computed name',
      'src-main/queue/store/b.ts:1 imports ./not-there.ts, which is not there',
      expect.stringContaining('src-main/queue/store/c.ts: '),
    ]);
  });
});

describe('a planted circle is found', () => {
  test('of two files that share only types', () => {
    const graph = plant({
      'src-main/model/a.ts': "import type { B } from './b.ts'; export type A = B;",
      'src-main/model/b.ts': "export type B = import('./a.ts').A;",
      'src-main/model/c.ts': "import './a.ts';",
    });
    expect(findCircles(graph).map((circle) => circle.sort())).toEqual([['src-main/model/a.ts', 'src-main/model/b.ts']]);
  });

  test('of four files, and each circle once', () => {
    const to = (name: string) => `import './${name}.ts';`;
    const graph = plant({
      'src-main/model/a.ts': to('b'),
      'src-main/model/b.ts': to('c') + to('d'),
      'src-main/model/c.ts': to('d'),
      'src-main/model/d.ts': to('a') + to('e'),
      'src-main/model/e.ts': to('f'),
      'src-main/model/f.ts': to('e'),
    });
    const circles = findCircles(graph).map((circle) =>
      circle
        .map((path) => path.at(-4))
        .sort()
        .join(''),
    );
    expect(circles.sort()).toEqual(['abcd', 'ef']);
  });

  test('of a file with itself', () => {
    expect(findCircles(plant({ 'src-main/model/a.ts': "import './a.ts';" }))).toEqual([['src-main/model/a.ts']]);
  });

  test('and two ways to one place are none', () => {
    const graph = plant({
      'src-main/model/a.ts': "import './b.ts'; import './c.ts';",
      'src-main/model/b.ts': "import './d.ts';",
      'src-main/model/c.ts': "import './d.ts';",
      'src-main/model/d.ts': '',
    });
    expect(findCircles(graph)).toEqual([]);
  });
});
