// The thread the embedded service lives in, so that neither its SQLite nor its JSON ever holds up the agent.
import { parentPort, workerData } from 'node:worker_threads';
import { toAgentError } from '../model/agent-error.ts';
import { type OpenedService, openService } from './open-service.ts';
import type { FromWorker, ToWorker, WorkerStart } from './worker-messages.ts';

const port = parentPort;
if (!port) throw new Error('worker.ts runs as a worker thread only');
const tell = (message: FromWorker) => port.postMessage(message);

const { options } = workerData as WorkerStart;

let service: OpenedService | null = null;
try {
  service = await openService({
    ...options,
    onFault: (fault) => {
      const { code, message, hint } = toAgentError(fault);
      tell({ kind: 'fault', code, message, hint });
    },
  });
  tell({ kind: 'ready', url: service.url, apiKey: service.apiKey });
} catch (fault) {
  const { code, message, hint, retry } = toAgentError(fault);
  tell({ kind: 'failed', code, message, hint, retry });
  port.close();
}

async function stop(): Promise<void> {
  await service?.close();
  tell({ kind: 'stopped' });
  port?.close();
}

async function useBench({ id, settings, action }: Extract<ToWorker, { kind: 'bench' }>): Promise<void> {
  try {
    const bench = service?.bench;
    if (!bench) throw new Error('the service was not started with a test bench');
    if (settings) bench.set(settings);
    tell({ kind: 'bench-done', id, report: await bench.act(action ?? { kind: 'report' }) });
  } catch (fault) {
    tell({ kind: 'bench-refused', id, message: toAgentError(fault).message });
  }
}

port.on('message', (message: ToWorker) => {
  if (message.kind === 'stop') void stop();
  else void useBench(message);
});
