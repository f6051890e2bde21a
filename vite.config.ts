// One configuration, three bundles: the page (client), the main process with its worker threads, the sandboxed preload.
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import type { EnvironmentOptions } from 'vite';
import { defineConfig } from 'vitest/config';
import manifest from './package.json' with { type: 'json' };

const top = import.meta.dirname;

/** What stays an import at run time: Electron, Node itself, and the packages that ship in node_modules. */
const external = ['electron', /^node:/, ...builtinModules, ...Object.keys(manifest.dependencies)];

function nodeBundle(input: Record<string, string>, outDir: string, format: 'es' | 'cjs'): EnvironmentOptions {
  const isModule = format === 'es';
  return {
    consumer: 'server',
    resolve: { noExternal: true },
    build: {
      outDir: `../dist/${outDir}`,
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
        },
      },
    },
  };
}

/** Tests of one folder of `test/`. Folders that measure or kill processes run their files one after the other. */
function folder(name: string, options: { timeoutMs: number; isSerial?: boolean }) {
  return {
    extends: true as const,
    test: {
      name,
      include: [`test/${name}/**/*.test.ts`],
      testTimeout: options.timeoutMs,
      hookTimeout: 60_000,
      fileParallelism: !options.isSerial,
    },
  };
}

export default defineConfig({
  root: 'src-renderer',
  base: './',
  plugins: [react()],
  build: { outDir: '../dist/renderer', emptyOutDir: true, target: 'chrome140' },
  environments: {
    main: nodeBundle(
      {
        main: 'src-main/main.ts',
        cli: 'src-main/cli.ts',
        'store-worker': 'src-main/store/worker.ts',
        'service-worker': 'src-main/local-service/worker.ts',
        'answer-worker': 'src-main/service/answer-worker.ts',
      },
      'main',
      'es',
    ),
    preload: nodeBundle({ preload: 'src-main/preload/preload.ts' }, 'preload', 'cjs'),
  },
  builder: {},
  test: {
    root: top,
    environment: 'node',
    maxWorkers: 2,
    // Tests that say `concurrent` wait for instruments more than they reckon.
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
    reporters: ['default', join(top, 'test/support/tally.ts')],
    projects: [
      folder('unit', { timeoutMs: 120_000 }),
      folder('contract', { timeoutMs: 120_000 }),
      folder('architecture', { timeoutMs: 120_000 }),
      folder('scenario', { timeoutMs: 300_000 }),
      folder('fault', { timeoutMs: 300_000, isSerial: true }),
      folder('e2e', { timeoutMs: 180_000, isSerial: true }),
      folder('torture', { timeoutMs: 900_000, isSerial: true }),
    ],
  },
});
