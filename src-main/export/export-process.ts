// The process that writes one export: it takes a job, asks the agent for what it needs, and ends. When the agent ends or gives
// the export up, it removes what it began.
// It is a process of its own, without key and queue, since what a library allocates, and how it may die, is nothing to capture.
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename } from 'node:path';
import { AgentError, toAgentError } from '../model/agent-error.ts';
import { exportFor } from './export-for.ts';
import { type FromWriter, ToWriter, WORK_FOLDER } from './job.ts';

/** Electron gives its processes a port; Node the channel of a fork. */
interface Port {
  on(event: 'message', listener: (event: { data: unknown }) => void): void;
  postMessage(message: unknown): void;
}
const { parentPort = null } = process as { parentPort?: Port };

const stop = new AbortController();
const waiting = new Map<number, PromiseWithResolvers<unknown>>();
let lastId = 0;
let isOrphan = false;

const tell = (message: FromWriter): Promise<void> => {
  if (parentPort) parentPort.postMessage(message);
  else if (process.connected) return new Promise((sent) => process.send?.(message, () => sent()));
  return Promise.resolve();
};

function ask(question: Extract<FromWriter, { kind: 'question' }>['question']): Promise<unknown> {
  lastId += 1;
  const answer = Promise.withResolvers<unknown>();
  waiting.set(lastId, answer);
  void tell({ kind: 'question', id: lastId, question });
  return answer.promise;
}

function cancel(): void {
  const message = 'The export was given up; no file was made.';
  const fault = new AgentError({ code: 'export.cancelled', message, hint: 'Start it again when it suits.' });
  stop.abort(fault);
  for (const { reject } of waiting.values()) reject(fault);
}

/** Remove the folder that was made for this process. */
async function dropFolder(): Promise<void> {
  const folder = tmpdir();
  // Never a folder of others, whatever the environment says.
  if (basename(folder).startsWith(WORK_FOLDER))
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
}

async function write(job: Extract<ToWriter, { kind: 'job' }>['job']): Promise<void> {
  let told = 0;
  const onProgress = (done: number) => {
    // A percent at a time: what is told more often is seen by nobody.
    if (done < 1 && done - told < 0.01) return;
    told = done;
    void tell({ kind: 'progress', done });
  };
  try {
    await tell({ kind: 'done', exported: await exportFor(job, { ask, signal: stop.signal, onProgress }) });
  } catch (thrown) {
    const { code, message, hint, retry } = toAgentError(thrown);
    await tell({ kind: 'failed', fault: { code, message, hint, retry } });
  }
  if (isOrphan) await dropFolder();
  process.exit(0);
}

function settle(told: Extract<ToWriter, { kind: 'answer' | 'refusal' }>): void {
  const answer = waiting.get(told.id);
  waiting.delete(told.id);
  if (told.kind === 'answer') answer?.resolve(told.value);
  else answer?.reject(new AgentError(told.fault));
}

function hear(raw: unknown): void {
  const told = ToWriter.parse(raw);
  if (told.kind === 'job') void write(told.job);
  else if (told.kind === 'cancel') cancel();
  else settle(told);
}

if (parentPort) parentPort.on('message', ({ data }) => hear(data));
else process.on('message', hear);
// The agent has ended, or was killed: it can remove nothing any more.
process.on('disconnect', () => {
  isOrphan = true;
  cancel();
});
void tell({ kind: 'ready' });
