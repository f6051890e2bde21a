// All writes of the service. Requests that arrive together share one transaction, so that many small streams cost one
// flush of the disk and not one each. A request is answered only after the commit that holds it; a request that is
// refused takes back its own changes and nobody else's.
import type { ServiceDatabase } from './database.ts';

interface Job {
  readonly run: () => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (fault: unknown) => void;
}

export type Write = <T>(run: () => T) => Promise<T>;

/**
 * Make the one way to write.
 *
 * @returns a function that runs a synchronous change within a transaction, and is fulfilled with its value when that is on
 *   disk, or rejected with what the change threw, or with the fault of the commit.
 */
export function createWriter(db: ServiceDatabase): Write {
  let waiting: Job[] = [];
  const savepoint = db.transaction((run: () => unknown) => run());
  const commit = db.transaction((jobs: readonly Job[], answers: (() => void)[]) => {
    for (const job of jobs) {
      try {
        const value = savepoint(job.run);
        answers.push(() => job.resolve(value));
      } catch (fault) {
        // Some faults (a full disk) roll back everything: then nobody's change is stored.
        if (!db.inTransaction) throw fault;
        answers.push(() => job.reject(fault));
      }
    }
  });
  const flush = () => {
    const jobs = waiting;
    waiting = [];
    const answers: (() => void)[] = [];
    try {
      commit.immediate(jobs, answers);
    } catch (fault) {
      for (const { reject } of jobs) reject(fault);
      return;
    }
    for (const answer of answers) answer();
  };
  return <T>(run: () => T) =>
    new Promise<T>((resolve, reject) => {
      if (waiting.length === 0) setImmediate(flush);
      waiting.push({ run, resolve: resolve as (value: unknown) => void, reject });
    });
}
