// Before the tests of the page: one browser for all files, each of which opens contexts of its own in it (`screen.ts`). It
// ends with the run.
import { readFileSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { browserOptions } from './browser.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the browser listens, or why there is none. */
    browser: { readonly address: string } | { readonly fault: string };
  }
}

/** Where a process spends its time in `/proc/PID/stat` (proc(5)): `utime`, `stime`, and those of its ended children. */
const TIMES = [11, 15] as const;
const TICKS_A_SECOND = 100;

function statOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  } catch {
    return [];
  }
}

/** Processor time of a process and all that came from it, seconds; null where the system does not say. */
function processorSeconds(pid: number | undefined): number | null {
  if (process.platform !== 'linux' || pid === undefined) return null;
  const own = statOf(String(pid)).slice(...TIMES);
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
  const ticks = own.reduce((sum, time) => sum + Number(time), 0);
  return children.reduce((sum, child) => sum + (processorSeconds(Number(child)) ?? 0), ticks / TICKS_A_SECOND);
}

export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  let options: ReturnType<typeof browserOptions>;
  try {
    options = browserOptions();
  } catch (fault) {
    // Tests that open no page run all the same.
    project.provide('browser', { fault: (fault as Error).message });
    return undefined;
  }
  const server = await chromium.launchServer({ ...options, host: '127.0.0.1' });
  project.provide('browser', { address: server.wsEndpoint() });
  return async () => {
    const seconds = processorSeconds(server.process().pid);
    await server.close();
    if (seconds !== null) console.log(`The browser took ${seconds.toFixed(1)} s of processor time.`);
  };
}
