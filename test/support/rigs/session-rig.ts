// The desk of the RHEED sessions on a real store, before a real service: what happens to its requests, and to it, is played.

import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import { makeNonce } from '../../../src-main/agent/pipeline/nonce.ts';
import { createServiceClient } from '../../../src-main/delivery/client/client.ts';
import { type DeskOptions, SessionManager } from '../../../src-main/growth/rheed-session/session-manager.ts';
import type { SessionRule } from '../../../src-main/growth/rheed-session/session-rules.ts';
import type { News } from '../../../src-main/model/news.ts';
import type { Clock } from '../../../src-main/platform/clock.ts';
import { systemClock } from '../../../src-main/platform/clock.ts';
import type { BenchSettings } from '../bench/bench-settings.ts';
import { memoryFolder } from '../temp-folder.ts';
import { openServiceRig } from './service-rig.ts';
import { openStoreHere } from './small-queue.ts';

/** Time runs this much faster. */
export const SPEED = 40;

/** A clock that begins at a moment, runs fast, and can be moved ahead. */
function dayClock(beginMs: number, speed = SPEED): Clock & { ahead(ms: number): void } {
  const startMs = performance.now();
  let movedMs = 0;
  const passedMs = () => (performance.now() - startMs) * speed + movedMs;
  return {
    nowMs: () => beginMs + passedMs(),
    monotonicMs: passedMs,
    sleep: (durationMs, signal) => systemClock.sleep(durationMs / speed, signal),
    ahead: (ms) => {
      movedMs += ms;
    },
  };
}

export const RULE: SessionRule = {
  ...{ sourceId: 'camera', fps: 30, rpm: 4.97, projectId: null, start: 'by-hand', endAfterSilenceMs: 60_000 },
};

export interface SessionRigOptions {
  readonly bench?: BenchSettings;
  readonly rule?: Partial<SessionRule>;
  readonly beginMs?: number;
  readonly finalizePath?: string | null;
}

export async function openSessionRig(options: SessionRigOptions = {}) {
  const { service, folder: serviceFolder } = await openServiceRig({ bench: {}, hasEndings: true });
  const timeouts = { headersMs: 3000, bodyMs: 3000, totalMs: 4000 };
  const client = createServiceClient({ baseUrl: service.url, apiKey: () => service.apiKey, timeouts });
  const clean = createServiceClient({ baseUrl: service.url, apiKey: () => service.apiKey });
  onTestFinished(async () => {
    await client.close();
    await clean.close();
  });
  const folder = memoryFolder('session');
  const store = openStoreHere(join(folder, 'queue.db'));
  onTestFinished(() => store.close());
  const clock = dayClock(options.beginMs ?? Date.now());
  const news: News[] = [];
  await service.setBench(options.bench ?? {});

  /** Begin a life of the desk; `stop` ends it as a crash would: nothing is finished. */
  const live = async (more: Partial<DeskOptions> = {}) => {
    const desk = await SessionManager.open({
      ...{
        store,
        service: client,
        serviceAddress: 'rig',
        finalizePath: options.finalizePath ?? null,
        clock,
        makeNonce,
      },
      rules: [{ ...RULE, ...options.rule }],
      nameOf: (sourceId, startedMs, nonce) => `MBE-1 ${sourceId} ${new Date(startedMs).toISOString()} ${nonce}`,
      backoffMs: () => 1000,
      holdOffMs: 15_000,
      tell: (one) => void news.push(one),
      onChange: () => {},
      ...more,
    });
    const stop = new AbortController();
    const done = desk.run(stop.signal);
    const end = async () => {
      stop.abort();
      await done;
    };
    onTestFinished(end);
    return { desk, end };
  };
  /** Count rows of the service's own database, past its interface. */
  const count = (table: 'entry' | 'sample', where = '1') => {
    const database = new SQLite(join(serviceFolder, 'service.db'), { readonly: true });
    try {
      return database.prepare(`SELECT count(*) FROM ${table} WHERE ${where}`).pluck().get() as number;
    } finally {
      database.close();
    }
  };
  const until = async (what: string, isSo: () => boolean | Promise<boolean>) => {
    const endMs = performance.now() + 90_000;
    while (performance.now() < endMs) {
      if (await isSo()) return;
      await systemClock.sleep(25);
    }
    throw new Error(`not reached: ${what}; ${news.map(({ message }) => message).join(' | ')}`);
  };
  return { service, serviceFolder, client: clean, impatient: client, store, clock, news, live, count, until, folder };
}
