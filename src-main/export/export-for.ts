import { AgentError } from '../model/agent-error.ts';
import { chooseChannels } from './choose-channels.ts';
import { exportFile } from './export-file.ts';
import type { Exported, ExportJob } from './job.ts';
import { type AskExport, openPoints } from './points.ts';

export interface ExportWay {
  readonly ask: AskExport;
  /** Ends the export; no file is left. */
  readonly signal: AbortSignal;
  /** Told after each window: the part of the time that is done, 0 to 1. */
  readonly onProgress: (done: number) => void;
}

/**
 * Do one export, in this process.
 *
 * @param job - what is exported, into which file and how.
 * @param way - who answers, how it is ended, and who hears how far it is.
 * @returns what was written.
 * @throws `export.no-channel` when there is no channel of a name that was given; those of `openPoints` and `exportFile`.
 */
export async function exportFor(job: ExportJob, { ask, signal, onProgress }: ExportWay): Promise<Exported> {
  const { choice, channels, format, csv, path, version, spoolFolder } = job;
  const { wants, unknown } = chooseChannels(channels);
  const source = await openPoints(ask, choice, { version, nowMs: Date.now, wants, spoolFolder });
  const [missing] = unknown();
  if (missing !== undefined) throw noChannel(missing);
  if (source.head.series.length === 0) throw noSeries(source.head.title);
  return exportFile(source, path, { format, csv, signal, onProgress });
}

function noSeries(title: string): AgentError {
  return new AgentError({
    code: 'export.nothing-found',
    message: `There is no series${title === '' ? '' : ` in "${title}"`} that could be exported.`,
    hint: 'Look whether readings came in at that time, and whether the entry holds a time series.',
    retry: 'after-human',
  });
}

function noChannel(name: string): AgentError {
  return new AgentError({
    code: 'export.no-channel',
    message: `What is exported has no channel "${name}".`,
    hint: 'Name channels as Plots shows them, or as SOURCE/NAME.',
    retry: 'after-human',
  });
}
