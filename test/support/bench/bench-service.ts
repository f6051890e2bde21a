// A service that is started on the test bench, and what its test says to it.
import {
  type LocalService,
  type LocalServiceOptions,
  startLocalService,
} from '../../../src-main/local-service/local-service.ts';
import type { BenchMessage } from './bench.ts';
import type { BenchAction, BenchReport, BenchSettings } from './bench-settings.ts';

export type BenchOptions = Omit<LocalServiceOptions, 'thread'> & {
  /** Faults; absent or null: the service is a lab's, and none can be set later. */
  readonly bench?: BenchSettings | null;
};

export interface BenchService extends Omit<LocalService, 'tellInterposer'> {
  /** Set the faults again, counts from zero. Rejects when it was not started with a bench. */
  setBench(settings: BenchSettings): Promise<void>;
  /** Do to the service's data what only a test does, or ask for the counts. */
  runBench(action: BenchAction): Promise<BenchReport>;
}

/** A started service, with what its test says to its bench. */
export function withBench({ tellInterposer, ...service }: LocalService): BenchService {
  const tell = async (message: BenchMessage) => (await tellInterposer(message)) as BenchReport;
  return {
    ...service,
    setBench: async (settings) => void (await tell({ settings })),
    runBench: (action) => tell({ action }),
  };
}

/** Start a service on the test bench, in a thread of its own. */
export async function startBenchService(options: BenchOptions): Promise<BenchService> {
  const { bench = null, ...given } = options;
  const thread = { file: new URL('./bench-worker.ts', import.meta.url), settings: bench };
  return withBench(await startLocalService({ ...given, ...(bench === null ? {} : { thread }) }));
}
