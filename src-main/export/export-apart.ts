// An export in a process of its own, seen from the one that records: it answers questions of that process, and clears up where
// it died.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AgentError, toAgentError } from '../model/agent-error.ts';
import type { StartWork } from '../platform/work-process.ts';
import type { ExportWay } from './export-for.ts';
import { type Exported, type ExportJob, FromWriter, type ToWriter, WORK_FOLDER } from './job.ts';
import { archiveBeside, partOf } from './part-file.ts';

/** So long a process that was told to give up may take to clear up, milliseconds. */
const GIVE_UP_MS = 5000;

/** Run from source the script lies beside this file; bundled, beside the bundle. */
const script = () =>
  fileURLToPath(
    new URL(import.meta.url.endsWith('.ts') ? './export-process.ts' : './export-process.js', import.meta.url),
  );

export type ApartJob = Omit<ExportJob, 'spoolFolder'> & { readonly asksService: boolean };

/**
 * Export in a process of its own.
 *
 * @param job - the export; `asksService`: what is no longer kept here is read from the service.
 * @param way - who answers, how it is ended, and who hears how far it is.
 * @param start - starts the process.
 * @returns what was written.
 * @throws as `exportFor`; `export.process-gone` when the process died; the reason of the signal. Nothing is left behind then.
 */
export async function exportApart(
  { asksService, ...job }: ApartJob,
  way: ExportWay,
  start: StartWork,
): Promise<Exported> {
  const folder = await mkdtemp(join(tmpdir(), WORK_FOLDER));
  try {
    return await converse({ ...job, spoolFolder: asksService ? folder : null }, folder, way, start);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

type Outcome = Extract<FromWriter, { kind: 'done' | 'failed' }>;

async function converse(
  job: ExportJob,
  folder: string,
  { ask, signal, onProgress }: ExportWay,
  start: StartWork,
): Promise<Exported> {
  signal.throwIfAborted();
  const ended = Promise.withResolvers<void>();
  const state: { outcome: Outcome | null; hasPart: boolean } = { outcome: null, hasPart: false };
  const send = (message: ToWriter) => writer.send(message);
  const answer = async (id: number, question: Extract<FromWriter, { kind: 'question' }>['question']) => {
    try {
      // Where a spool is put is no choice of the one who asks.
      const asked = question.ask === 'export-spool' ? { ...question, folder } : question;
      send({ kind: 'answer', id, value: await ask(asked) });
    } catch (thrown) {
      const { code, message, hint, retry } = toAgentError(thrown);
      send({ kind: 'refusal', id, fault: { code, message, hint, retry } });
    }
  };
  const onMessage = (raw: unknown) => {
    const told = FromWriter.parse(raw);
    if (told.kind === 'ready') return send({ kind: 'job', job });
    if (told.kind === 'question') return void answer(told.id, told.question);
    if (told.kind !== 'progress') {
      state.outcome = told;
      return;
    }
    state.hasPart = true;
    onProgress(told.done);
  };
  const writer = start(script(), folder, { onMessage, onEnd: ended.resolve });
  let lateKill: NodeJS.Timeout | undefined;
  const giveUp = () => {
    send({ kind: 'cancel' });
    lateKill = setTimeout(() => writer.kill(), GIVE_UP_MS);
  };
  signal.addEventListener('abort', giveUp, { once: true });
  await ended.promise;
  clearTimeout(lateKill);
  signal.removeEventListener('abort', giveUp);
  const { outcome, hasPart } = state;
  if (outcome?.kind === 'done') return outcome.exported;
  // One that died could not remove what it began; what others write there is not touched.
  if (!outcome && hasPart) {
    const paths = job.format.startsWith('nomad') ? [job.path, archiveBeside(job.path)] : [job.path];
    for (const path of paths) await rm(partOf(path), { force: true }).catch(() => undefined);
  }
  signal.throwIfAborted();
  throw outcome ? new AgentError(outcome.fault) : processGone();
}

function processGone(): AgentError {
  return new AgentError({
    code: 'export.process-gone',
    message: 'The process that wrote the export ended before it was done; no file was made.',
    hint: 'Export again. If it ends again, look whether this PC has memory left.',
    retry: 'later',
  });
}
