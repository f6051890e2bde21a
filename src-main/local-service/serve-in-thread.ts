// The thread the embedded service lives in, so that neither its SQLite nor its JSON ever holds up the agent.
import { parentPort, workerData } from 'node:worker_threads';
import { toAgentError } from '../model/agent-error.ts';
import type { CreateInterposer } from './interposer.ts';
import { type OpenedService, openService } from './open-service.ts';
import type { FromWorker, ToWorker, WorkerStart } from './worker-messages.ts';

/**
 * Serve in this thread until it is told to stop.
 *
 * @param createInterposer - makes what stands before the endpoints; absent: nothing does.
 */
export async function serveInThread(createInterposer?: CreateInterposer): Promise<void> {
  const port = parentPort;
  if (!port) throw new Error('a service is served in a worker thread only');
  const tell = (message: FromWorker) => port.postMessage(message);
  const { options, settings } = workerData as WorkerStart;
  let service: OpenedService | null = null;
  const stop = async () => {
    await service?.close();
    tell({ kind: 'stopped' });
    port.close();
  };
  const receive = async ({ id, message }: Extract<ToWorker, { kind: 'message' }>) => {
    try {
      if (!service?.interposer) throw new Error('the service was started without an interposer');
      tell({ kind: 'answer', id, answer: await service.interposer.receive(message) });
    } catch (fault) {
      tell({ kind: 'refusal', id, message: toAgentError(fault).message });
    }
  };
  try {
    service = await openService({
      ...options,
      ...(createInterposer && { interpose: (engine) => createInterposer(engine, settings) }),
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
  port.on('message', (message: ToWorker) => {
    if (message.kind === 'stop') void stop();
    else void receive(message);
  });
}
