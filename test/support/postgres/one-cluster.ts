// Before the tests that run on PostgreSQL: one cluster for all of them. Each service takes a database of its own in it.
import type { TestProject } from 'vitest/node';
import { makeCluster } from './cluster.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Address of the cluster's first database. */
    postgres: string;
  }
}

/** Start it; returns what ends it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = makeCluster();
  await cluster.start();
  project.provide('postgres', cluster.url('postgres'));
  return () => cluster.remove();
}
