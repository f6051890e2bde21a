// One configuration, three bundles: the page (client), the main process with its worker threads, the sandboxed preload.

import { existsSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import type { EnvironmentOptions } from 'vite';
import { defineConfig } from 'vitest/config';
import manifest from './package.json' with { type: 'json' };

const top = import.meta.dirname;
/** Where the bundles go; a release is built into a folder of its own (resources/scripts/build-when-stale.ts). */
const dist = process.env.EPISTREAM_DIST ?? join(top, 'dist');

/** What stays an import at run time: Electron, Node itself, and the packages that ship in node_modules. */
const external = ['electron', /^node:/, ...builtinModules, ...Object.keys(manifest.dependencies)];

function nodeBundle(input: Record<string, string>, outDir: string, format: 'es' | 'cjs'): EnvironmentOptions {
  const isModule = format === 'es';
  return {
    consumer: 'server',
    resolve: { noExternal: true },
    build: {
      outDir: join(dist, outDir),
      emptyOutDir: true,
      target: 'node24',
      minify: false,
      sourcemap: true,
      rolldownOptions: {
        input,
        external,
        output: {
          format,
          entryFileNames: isModule ? '[name].js' : '[name].cjs',
          // Beside the entries, so that \`import.meta.dirname\` is the same folder in every module.
          chunkFileNames: '[name]-[hash].js',
          codeSplitting: isModule,
          // Smaller, and what is called keeps its name in a stack: the archive for Windows has a bound.
          minify: { compress: true, mangle: { toplevel: false, keepNames: true }, codegen: true },
        },
      },
    },
  };
}

/** How many files run at a time: tests that compute take a core each, tests that start processes wait for most of theirs. */
const WORKERS = { computing: 2, long: 3, waiting: 4 };

interface FolderOptions {
  readonly timeoutMs: number;
  /** Projects of one group run side by side, groups one after the other. */
  readonly group: number;
  readonly workers: number;
  /**
   * Files share the processes of the workers: starting one and loading the modules costs more than most files do. What a file
   * leaves behind in its process (variables of the environment, timers, what a module remembers) meets the next one.
   */
  readonly sharesProcess?: boolean;
  /** Its tests start the built product. */
  readonly needsProduct?: boolean;
  /** Its tests open the page. */
  readonly needsBrowser?: boolean;
  /** Its tests run on PostgreSQL, and are those of this folder. */
  readonly onPostgres?: string;
}

/** Tests of one folder of `test/`. */
function folder(name: string, options: FolderOptions) {
  const { timeoutMs, group, workers, sharesProcess = false, needsProduct, needsBrowser, onPostgres } = options;
  const setUps = [
    ...(needsProduct ? ['run/build-product.ts'] : []),
    ...(needsBrowser ? ['page/one-browser.ts'] : []),
    ...(onPostgres ? ['postgres/one-cluster.ts'] : []),
  ];
  return {
    extends: true as const,
    test: {
      name,
      include: [`test/${onPostgres ?? name}/**/*.test.ts`],
      testTimeout: timeoutMs,
      hookTimeout: 60_000,
      maxWorkers: workers,
      isolate: !sharesProcess,
      sequence: { groupOrder: group },
      globalSetup: setUps.map((name) => join(top, 'test/support', name)),
      // A page is polled less often: each poll costs the browser processor time, too.
      ...(needsBrowser ? { expect: { poll: { timeout: 60_000, interval: 150 } } } : {}),
    },
  };
}

/** The contract once more, on PostgreSQL, where the system has it; CI has. */
const onPostgres =
  process.env.CI === undefined && !existsSync('/usr/lib/postgresql')
    ? []
    : [
        folder('contract-postgres', {
          timeoutMs: 120_000,
          group: 0,
          workers: WORKERS.computing,
          sharesProcess: true,
          onPostgres: 'contract',
        }),
      ];

/**
 * What "npm run test:long", "test:wine" and "test:debian" run, and nothing else does: their tests take minutes each. In full
 * they tell figures, so they run one by one; a bounded run tells whether they hold, and they wait for a third of their time.
 */
const { EPISTREAM_LONG } = process.env;
const long =
  EPISTREAM_LONG === undefined
    ? []
    : ['long', 'wine', 'debian'].map((name) =>
        folder(name, {
          timeoutMs: 7_200_000,
          group: 3,
          workers: EPISTREAM_LONG === 'bounded' ? WORKERS.long : 1,
          needsProduct: true,
          needsBrowser: true,
        }),
      );

export default defineConfig({
  root: 'src-renderer',
  base: './',
  plugins: [react()],
  build: { outDir: join(dist, 'renderer'), emptyOutDir: true, target: 'chrome140' },
  environments: {
    main: nodeBundle(
      {
        main: 'src-main/main.ts',
        cli: 'src-main/cli.ts',
        'store-worker': 'src-main/queue/store/worker.ts',
        'export-process': 'src-main/export/export-process.ts',
        'service-worker': 'src-main/local-service/worker.ts',
        'reader-worker': 'src-main/sources/log/reader/reader-worker.ts',
        'answer-worker': 'src-main/delivery/client/answer-worker.ts',
      },
      'main',
      'es',
    ),
    preload: nodeBundle({ preload: 'src-main/shell/preload/preload.ts' }, 'preload', 'cjs'),
  },
  builder: {},
  test: {
    root: top,
    environment: 'node',
    // What tests start as processes is compiled once for all of them: a script run from source is ready in a third of the time.
    env: { NODE_COMPILE_CACHE: join(top, 'node_modules/.cache/compile') },
    setupFiles: [join(top, 'test/support/run/file-cost.ts')],
    // Tests that say `concurrent` wait for instruments more than they compute.
    maxConcurrency: 16,
    // How long a busy machine may take to get there; no test is about time.
    expect: { poll: { timeout: 60_000 } },
    alias: { electron: join(top, 'test/fakes/electron.ts') },
    // A figure to look at, not a target: "npm run coverage". Threads that Node runs itself are not seen.
    coverage: {
      provider: 'v8',
      reportOnFailure: true,
      include: ['src-main/**/*.ts', 'src-renderer/**/*.{ts,tsx}'],
      reporter: ['text', 'html', 'json-summary'],
      reportsDirectory: join(top, 'node_modules/.cache/coverage'),
    },
    reporters: ['default', join(top, 'test/support/run/costs.ts'), join(top, 'test/support/run/tally.ts')],
    projects: [
      folder('architecture', { timeoutMs: 120_000, group: 0, workers: WORKERS.computing, sharesProcess: true }),
      folder('contract', { timeoutMs: 120_000, group: 0, workers: WORKERS.computing, sharesProcess: true }),
      ...onPostgres,
      folder('unit', { timeoutMs: 120_000, group: 0, workers: WORKERS.computing, sharesProcess: true }),
      folder('promises', {
        timeoutMs: 300_000,
        group: 1,
        workers: WORKERS.waiting,
        sharesProcess: true,
        needsProduct: true,
        needsBrowser: true,
      }),
      ...['scenario', 'fault'].map((name) =>
        folder(name, {
          timeoutMs: 300_000,
          group: 1,
          workers: WORKERS.waiting,
          sharesProcess: true,
          needsProduct: true,
        }),
      ),
      folder('e2e', {
        timeoutMs: 420_000,
        group: 2,
        workers: WORKERS.computing,
        sharesProcess: true,
        needsProduct: true,
        needsBrowser: true,
      }),
      ...long,
    ],
  },
});
